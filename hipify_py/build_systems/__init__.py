"""Translates build files with the sources; CMake's so far."""
