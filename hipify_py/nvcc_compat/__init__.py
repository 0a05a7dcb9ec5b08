"""HIP's headers for nvcc, made from the mapping tables by inversion: one HIP source then serves both vendors."""

MARK = b"// Made by hipify-py from its mapping tables"
"""The first line of each of the headers: any file that begins so counts as one."""
