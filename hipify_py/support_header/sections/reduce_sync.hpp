// needs: lane_reduce
// __reduce_add_sync and its kin over the lanes of a wavefront. HIP has them from ROCm 7.0 on.
// Source: CUDA C++ Programming Guide, warp reduce functions; CUDA header sm_80_rt.h (their types).
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// The values of the lanes in the mask, taken together; every lane of the mask that has not ended has to call it.
template <class T, class Op>
__device__ inline T reduce_masked(unsigned long long mask, T value, Op op) {
#if defined(__NVCC__)
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned lanes = (__ballot_sync)(static_cast<unsigned>(mask), 1);  // those that have not ended
    return lanes == ~0u ? reduce_all_32(value, op) : reduce_lanes(lanes, thread % 32, value, op);
#else
    const unsigned long long lanes = (__ballot)(1) & mask;
    if (warpSize == 32) {
        const unsigned half = static_cast<unsigned>(lanes);
        return half == ~0u ? reduce_all_32(value, op) : reduce_lanes(half, __lane_id(), value, op);
    }
    if (lanes == ~0ull) {
        const T half = reduce_all_32(value, op);
        return op(half, (__shfl_xor)(half, 32, 64));
    }
    return reduce_lanes(lanes, __lane_id(), value, op);
#endif
}

// CUDA's overloads: a `bool`, `char` or `short` becomes an int. Sums wrap around.

/// __reduce_add_sync
__device__ inline unsigned reduce_add_sync(unsigned long long mask, unsigned value) {
    return reduce_masked(mask, value, [](unsigned a, unsigned b) { return a + b; });
}
__device__ inline int reduce_add_sync(unsigned long long mask, int value) {
    return static_cast<int>(reduce_add_sync(mask, static_cast<unsigned>(value)));
}
/// __reduce_min_sync
__device__ inline unsigned reduce_min_sync(unsigned long long mask, unsigned value) {
    return reduce_masked(mask, value, [](unsigned a, unsigned b) { return b < a ? b : a; });
}
__device__ inline int reduce_min_sync(unsigned long long mask, int value) {
    return reduce_masked(mask, value, [](int a, int b) { return b < a ? b : a; });
}
/// __reduce_max_sync
__device__ inline unsigned reduce_max_sync(unsigned long long mask, unsigned value) {
    return reduce_masked(mask, value, [](unsigned a, unsigned b) { return a < b ? b : a; });
}
__device__ inline int reduce_max_sync(unsigned long long mask, int value) {
    return reduce_masked(mask, value, [](int a, int b) { return a < b ? b : a; });
}
/// __reduce_and_sync
__device__ inline unsigned reduce_and_sync(unsigned long long mask, unsigned value) {
    return reduce_masked(mask, value, [](unsigned a, unsigned b) { return a & b; });
}
/// __reduce_or_sync
__device__ inline unsigned reduce_or_sync(unsigned long long mask, unsigned value) {
    return reduce_masked(mask, value, [](unsigned a, unsigned b) { return a | b; });
}
/// __reduce_xor_sync
__device__ inline unsigned reduce_xor_sync(unsigned long long mask, unsigned value) {
    return reduce_masked(mask, value, [](unsigned a, unsigned b) { return a ^ b; });
}

}  // namespace hipify
#endif
