"""Builds a converted project with its own build system, and shows what goes wrong at the lines that it comes from."""
