// What CUB asks the runtime about the device in use.
// Source: CUB header util_device.cuh.
namespace hipify {

/// The number of the device in use; -1 where the runtime cannot tell.
inline int current_device() {
    int device = -1;
#if defined(__NVCC__)
    return cudaGetDevice(&device) == cudaSuccess ? device : -1;
#else
    return hipGetDevice(&device) == hipSuccess ? device : -1;
#endif
}

/// cub::SmVersion and cub::PtxVersion: AMD GPUs count as compute capability 9.0, as in conditions on __CUDA_ARCH__.
#if defined(__NVCC__)
inline cudaError_t sm_version(int& version, int = 0) {
    version = 900;
    return cudaSuccess;
}
#else
inline hipError_t sm_version(int& version, int = 0) {
    version = 900;
    return hipSuccess;
}
#endif

}  // namespace hipify
