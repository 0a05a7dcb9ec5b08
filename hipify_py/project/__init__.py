"""Many files at once: what to translate, where it goes, and the run over all of them."""
