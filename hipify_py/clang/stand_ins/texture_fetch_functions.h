// Stands in for a header that clang asks for and that CUDA 13 has no longer; nothing of it is needed to parse a program.
