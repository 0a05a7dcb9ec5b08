// Switches of a build: HIP's macro is defined where CUDA's is.
// defines: __HIP_NO_HALF_CONVERSIONS__ __HIP_NO_HALF_OPERATORS__
#if defined(__CUDA_NO_HALF_CONVERSIONS__) && !defined(__HIP_NO_HALF_CONVERSIONS__)
#define __HIP_NO_HALF_CONVERSIONS__ 1
#endif
#if defined(__CUDA_NO_HALF_OPERATORS__) && !defined(__HIP_NO_HALF_OPERATORS__)
#define __HIP_NO_HALF_OPERATORS__ 1
#endif
