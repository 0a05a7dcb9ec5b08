"""Hostile trees, killed runs, damaged caches: nothing gets in, and nothing is lost."""
