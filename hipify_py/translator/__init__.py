"""Turns one CUDA source into HIP: the list of passes, and what runs them."""
