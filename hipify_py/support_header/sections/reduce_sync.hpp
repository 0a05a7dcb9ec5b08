// __reduce_add_sync and its kin, which HIP has from ROCm 7.0 on.
// Source: CUDA programming guide, warp reduce functions.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// The values of the lanes in the mask, taken together two by two; every lane of the mask has to call it.
template <class T, class Op>
__device__ inline T reduce_lanes(unsigned long long mask, T value, Op op) {
#if defined(__NVCC__)
    const unsigned members = static_cast<unsigned>(mask);
#endif
    T result = value;
    for (bool first = true; mask != 0; mask &= mask - 1, first = false) {
#if defined(__NVCC__)
        const T other = __shfl_sync(members, value, __ffsll(static_cast<long long>(mask)) - 1);
#else
        const T other = __shfl(value, __ffsll(mask) - 1);
#endif
        result = first ? other : op(result, other);
    }
    return result;
}

/// __reduce_add_sync; sums wrap around.
template <class T>
__device__ inline T reduce_add_sync(unsigned long long mask, T value) {
    return reduce_lanes(mask, value, [](T a, T b) { return static_cast<T>(static_cast<unsigned>(a) + static_cast<unsigned>(b)); });
}
/// __reduce_min_sync
template <class T>
__device__ inline T reduce_min_sync(unsigned long long mask, T value) {
    return reduce_lanes(mask, value, [](T a, T b) { return b < a ? b : a; });
}
/// __reduce_max_sync
template <class T>
__device__ inline T reduce_max_sync(unsigned long long mask, T value) {
    return reduce_lanes(mask, value, [](T a, T b) { return a < b ? b : a; });
}
/// __reduce_and_sync
template <class T>
__device__ inline T reduce_and_sync(unsigned long long mask, T value) {
    return reduce_lanes(mask, value, [](T a, T b) { return a & b; });
}
/// __reduce_or_sync
template <class T>
__device__ inline T reduce_or_sync(unsigned long long mask, T value) {
    return reduce_lanes(mask, value, [](T a, T b) { return a | b; });
}
/// __reduce_xor_sync
template <class T>
__device__ inline T reduce_xor_sync(unsigned long long mask, T value) {
    return reduce_lanes(mask, value, [](T a, T b) { return a ^ b; });
}

}  // namespace hipify
#endif
