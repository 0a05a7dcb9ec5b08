"""Device code that means something else on AMD GPUs."""
