"""The headers of CUDA, HIP and clang that are fetched from the package index: which there are, and where they lie."""
