"""Dockerfiles that build on NVIDIA's images."""
