"""Which of the names in a source are references to CUDA symbols, and to which ones."""
