"""Code that takes a warp to be 32 lanes."""
