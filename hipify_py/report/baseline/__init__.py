"""Findings that a project accepts for now: only new ones fail."""
