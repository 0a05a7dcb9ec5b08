"""Compiles what was translated, and shows the compiler's complaints at the CUDA lines that they come from."""
