"""CUDA Fortran: what a file of it uses, and what HIP offers for that. It is read and counted, not translated."""
