"""Translates build files along with the sources."""
