"""Conditions on what only nvcc or the CUDA headers define."""
