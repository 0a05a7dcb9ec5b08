"""Inline PTX."""
