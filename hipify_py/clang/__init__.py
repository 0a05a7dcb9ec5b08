"""What is done with libclang: where it and the headers that it reads come from."""
