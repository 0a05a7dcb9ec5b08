"""Runs over many files: what to translate, where each result goes, and the run itself."""
