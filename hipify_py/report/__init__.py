"""Shows what a run found: one renderer per module."""
