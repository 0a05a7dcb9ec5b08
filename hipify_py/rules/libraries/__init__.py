"""What single CUDA libraries need beyond a rename."""
