"""Parses translated sources with libclang, without a compiler and without code generation."""
