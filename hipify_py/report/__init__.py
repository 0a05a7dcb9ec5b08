"""Shows what a run found: one renderer a module."""
