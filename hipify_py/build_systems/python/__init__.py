"""Build files in Python's syntax: setup.py and Bazel's Starlark."""
