"""Keeps the mapping tables: fetches header sets, verifies and derives rows, writes generated files.

The commands are those of `python -m tools.tables`. Nothing of the package `hipify_py` imports this one.
"""
