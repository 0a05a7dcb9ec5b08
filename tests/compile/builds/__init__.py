"""`hipify-py build`."""
