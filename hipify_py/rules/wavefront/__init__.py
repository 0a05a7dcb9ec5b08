"""Code that assumes a warp of 32 lanes."""
