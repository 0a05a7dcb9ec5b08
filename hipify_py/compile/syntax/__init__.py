"""Parses what was translated with libclang, without a compiler and without code generation."""
