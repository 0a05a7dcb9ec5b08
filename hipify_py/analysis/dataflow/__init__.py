"""Functions as three-address code, and data-flow analyses over it."""
