"""Translates build files with the sources; those of CMake and Make so far."""
