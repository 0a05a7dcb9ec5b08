"""Files of GNU Make and of Automake, which share one language."""
