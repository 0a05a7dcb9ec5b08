"""What nvcc's front end accepts and clang's does not."""
