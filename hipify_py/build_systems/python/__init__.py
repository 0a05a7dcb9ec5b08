"""Build files in Python's syntax: setup.py, SCons, and Bazel's Starlark."""
