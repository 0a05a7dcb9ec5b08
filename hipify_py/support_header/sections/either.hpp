// Its first argument for nvcc and its second for AMD GPUs, where one source serves both and no #if can stand.
// Source: __HIP_PLATFORM_AMD__ in HIP header hip_common.h.
#if defined(__HIP_PLATFORM_AMD__)
#define HIPIFY_EITHER(cuda, amd) amd
#else
#define HIPIFY_EITHER(cuda, amd) cuda
#endif
