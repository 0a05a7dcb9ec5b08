#include "hipify_support.hpp"

#if defined(__NVCC__)
using namespace cub;
using stream_t = cudaStream_t;
using status_t = cudaError_t;
constexpr auto ascending = SortOrder::Ascending, descending = SortOrder::Descending;
#else
using namespace hipcub;
using stream_t = hipStream_t;
using status_t = hipError_t;
constexpr auto ascending = hipify::SortOrder::Ascending, descending = hipify::SortOrder::Descending;
#endif

struct Add {
    __host__ __device__ int operator()(int a, int b) const { return a + b; }
};

status_t scan(void* storage, size_t& bytes, const int* in, int* out, size_t count, stream_t stream) {
    return hipify::DispatchScan<const int*, int*, Add, NullType, size_t>::Dispatch(storage, bytes, in, out, Add{},
                                                                                    NullType{}, count, stream);
}
status_t reduce(void* storage, size_t& bytes, const int* in, int* out, size_t count, stream_t stream) {
    return hipify::DispatchReduce<const int*, int*, size_t, Add>::Dispatch(storage, bytes, in, out, count, Add{}, 0,
                                                                           stream);
}
status_t sort_down(void* storage, size_t& bytes, DoubleBuffer<int>& keys, DoubleBuffer<float>& values, unsigned count,
                   stream_t stream) {
    return hipify::DispatchRadixSort<descending, int, float, unsigned>::Dispatch(storage, bytes, keys, values, count, 0, 32,
                                                                                 true, stream);
}
status_t sort_keys(void* storage, size_t& bytes, DoubleBuffer<int>& keys, unsigned count, stream_t stream) {
    DoubleBuffer<NullType> none;
    return hipify::DispatchRadixSort<ascending, int, NullType, unsigned>::Dispatch(storage, bytes, keys, none, count, 0, 32,
                                                                                 false, stream);
}
status_t sort_segments(void* storage, size_t& bytes, DoubleBuffer<int>& keys, DoubleBuffer<float>& values, int count,
                       int segments, const int* begins, stream_t stream) {
    using sort = hipify::DispatchSegmentedRadixSort<ascending, int, float, const int*, const int*, int>;
    return sort::Dispatch(storage, bytes, keys, values, count, segments, begins, begins + 1, 0, 32, false, stream);
}
