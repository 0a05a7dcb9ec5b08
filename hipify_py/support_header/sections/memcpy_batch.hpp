// cudaMemcpyBatchAsync with the same attributes for all copies, which HIP's function takes as an array.
// Source: HIP header hip_runtime_api.h (hipMemcpyBatchAsync); CUDA runtime API, memory management.
#if defined(__NVCC__)
namespace hipify {
template <class Destination, class Source>
cudaError_t memcpy_batch_async(Destination* const* destinations, Source* const* sources, const size_t* sizes,
                               size_t count, cudaMemcpyAttributes attributes, cudaStream_t stream) {
    return cudaMemcpyBatchAsync(destinations, sources, sizes, count, attributes, stream);
}
}  // namespace hipify
#elif HIP_VERSION >= 70100000
namespace hipify {

template <class Destination, class Source>
hipError_t memcpy_batch_async(Destination* const* destinations, Source* const* sources, const size_t* sizes,
                              size_t count, hipMemcpyAttributes attributes, size_t* failed, hipStream_t stream) {
    size_t first = 0;
    return hipMemcpyBatchAsync((void**)destinations, (void**)sources, const_cast<size_t*>(sizes), count, &attributes,
                               &first, 1, failed, stream);
}
template <class Destination, class Source>
hipError_t memcpy_batch_async(Destination* const* destinations, Source* const* sources, const size_t* sizes,
                              size_t count, hipMemcpyAttributes attributes, hipStream_t stream) {
    return hipify::memcpy_batch_async(destinations, sources, sizes, count, attributes, nullptr, stream);
}

}  // namespace hipify
#endif
