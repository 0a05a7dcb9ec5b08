// Stands in for a header that clang asks for, which comes with cuRAND, where only the rest of CUDA is installed.
