#include "hipify_support.hpp"

#if defined(__NVCC__)
cudaError_t copy(int** to, const int** from, const size_t* sizes, cudaMemcpyAttributes attributes, cudaStream_t stream) {
    return hipify::memcpy_batch_async(to, from, sizes, 2, attributes, stream);
}
#elif HIP_VERSION >= 70100000
hipError_t copy(int** to, const int** from, const size_t* sizes, hipMemcpyAttributes attributes, hipStream_t stream) {
    size_t failed = 0;
    hipError_t status = hipify::memcpy_batch_async(to, from, sizes, 2, attributes, &failed, stream);
    return status == hipSuccess ? hipify::memcpy_batch_async(to, from, sizes, 2, attributes, stream) : status;
}
#endif
