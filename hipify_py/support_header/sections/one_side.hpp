// Host and device at once, but as two functions: where HIP's vector types have an operator of the same operands for
// both sides, the one that is for the calling side alone is preferred.
// Source: overload resolution of functions with __host__ and __device__ in clang's CUDA support.
#if defined(__HIP_DEVICE_COMPILE__)
#define HIPIFY_ONE_SIDE __device__
#elif defined(__HIP__)
#define HIPIFY_ONE_SIDE __host__
#elif defined(__CUDACC__)
#define HIPIFY_ONE_SIDE __host__ __device__
#else
#define HIPIFY_ONE_SIDE
#endif
