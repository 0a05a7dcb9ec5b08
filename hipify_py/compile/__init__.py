"""Compiles translated sources, and shows the compiler's messages at the CUDA lines that they come from."""
