"""The headers of CUDA, HIP and clang that are fetched from the package index: what there is, and where it is kept."""
