/* What nvcc declares before the first line of a source, and clang's wrapper around CUDA's headers does not. */
#pragma once

#if defined(__cplusplus) && defined(__CUDA__)
#define HIPIFY_NVCC_MINIMUM(type)                                        \
  static inline __host__ type min(type a, type b) { return b < a ? b : a; } \
  static inline __host__ type max(type a, type b) { return a < b ? b : a; }
HIPIFY_NVCC_MINIMUM(int)
HIPIFY_NVCC_MINIMUM(unsigned int)
HIPIFY_NVCC_MINIMUM(long)
HIPIFY_NVCC_MINIMUM(unsigned long)
HIPIFY_NVCC_MINIMUM(long long)
HIPIFY_NVCC_MINIMUM(unsigned long long)
HIPIFY_NVCC_MINIMUM(float)
HIPIFY_NVCC_MINIMUM(double)
#undef HIPIFY_NVCC_MINIMUM
#endif
