"""Reads CUDA source: the byte prefilter, the lexical pass, and the syntax tree."""
