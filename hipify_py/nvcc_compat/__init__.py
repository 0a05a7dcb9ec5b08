"""HIP's headers for nvcc, made from the mapping tables by inversion: one HIP source then serves both vendors."""
