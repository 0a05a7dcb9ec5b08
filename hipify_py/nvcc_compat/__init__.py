"""HIP's headers for nvcc, made from the mapping tables by inversion: one HIP source then serves both vendors."""

MARK = b"// Made by hipify-py from its mapping tables"
"""How each of the headers begins: any file that does is taken for one."""
