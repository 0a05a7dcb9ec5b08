"""Shell scripts that call CUDA's tools."""
