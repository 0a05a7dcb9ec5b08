// What no table tells: the macros of HIP's own, and calls whose forms CUDA has changed.
#define __HIP_PLATFORM_NVIDIA__ 1
#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * 100000 + HIP_VERSION_PATCH)
#if defined(__CUDACC__)
#define __HIPCC__ 1
#endif
// Not __HIP__, which stands for clang and AMD GPUs: sources use it to guard what only these have.
// defines: __HIP__
#if defined(__CUDA_ARCH__)
#define __HIP_DEVICE_COMPILE__ 1
#endif

#define HIP_SYMBOL(x) x
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, var) extern __shared__ type var[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE
#define HIP_LAUNCH_PARAM_BUFFER_POINTER CU_LAUNCH_PARAM_BUFFER_POINTER
#define HIP_LAUNCH_PARAM_BUFFER_SIZE CU_LAUNCH_PARAM_BUFFER_SIZE
#define HIP_LAUNCH_PARAM_END CU_LAUNCH_PARAM_END
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...) \
    kernel<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__)

#if defined(__cplusplus)
// One name for cudaMallocHost and cudaHostAlloc, with flags or without.
#define hipHostMalloc cudaMallocHost
#define hipHostMallocDefault cudaHostAllocDefault
#define hipHostMallocPortable cudaHostAllocPortable
#define hipHostMallocMapped cudaHostAllocMapped
#define hipHostMallocWriteCombined cudaHostAllocWriteCombined

static inline cudaMemLocation hipify_location(int device) {
    cudaMemLocation location;
    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
}
// defines: hipMemPrefetchAsync hipMemPrefetchAsync_v2 hipMemAdvise hipMemAdvise_v2
static inline cudaError_t hipMemPrefetchAsync(const void *data, size_t bytes, int device, cudaStream_t stream = 0) {
#if CUDART_VERSION >= 13000
    return cudaMemPrefetchAsync(data, bytes, hipify_location(device), 0, stream);
#else
    return cudaMemPrefetchAsync(data, bytes, device, stream);
#endif
}
static inline cudaError_t hipMemAdvise(const void *data, size_t bytes, cudaMemoryAdvise advice, int device) {
#if CUDART_VERSION >= 13000
    return cudaMemAdvise(data, bytes, advice, hipify_location(device));
#else
    return cudaMemAdvise(data, bytes, advice, device);
#endif
}
#if CUDART_VERSION >= 13000
#define hipMemPrefetchAsync_v2 cudaMemPrefetchAsync
#define hipMemAdvise_v2 cudaMemAdvise
#else
#define hipMemPrefetchAsync_v2 cudaMemPrefetchAsync_v2
#define hipMemAdvise_v2 cudaMemAdvise_v2
#endif
#endif
