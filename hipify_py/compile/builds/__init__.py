"""Builds a converted project with its own build system, and shows errors at the lines that they come from."""
