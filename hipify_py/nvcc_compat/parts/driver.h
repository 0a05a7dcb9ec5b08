#if defined(__cplusplus)
template <typename Given, typename Wanted> struct hipify_only {};
template <typename Wanted> struct hipify_only<Wanted, Wanted> { typedef cudaError_t status; };

// HIP has one error type for both interfaces, and addresses of its driver interface go to its runtime, too.
#define hipDrvGetErrorName(error, text) static_cast<cudaError_t>(cuGetErrorName(static_cast<CUresult>(error), text))
#define hipDrvGetErrorString(error, text) static_cast<cudaError_t>(cuGetErrorString(static_cast<CUresult>(error), text))
static inline cudaError_t cudaMalloc(CUdeviceptr *address, size_t bytes) {
    return static_cast<cudaError_t>(cuMemAlloc(address, bytes));
}
template <typename Address>  // a template, so that a plain 0 stays a null pointer
static inline typename hipify_only<Address, CUdeviceptr>::status cudaFree(Address address) {
    return static_cast<cudaError_t>(cuMemFree(address));
}
#endif
