// PTX's shuffles with their packed clamp and segment operand, and matches and reductions over a wavefront.
// Source: PTX ISA, shfl.sync, match.sync and redux.sync.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

#if defined(__NVCC__)
__device__ inline unsigned lane_of_32() { return threadIdx.x & 31; }
__device__ inline unsigned read_lane(unsigned value, unsigned lane) { return (__shfl_sync)(~0u, value, lane, 32); }
#else
__device__ inline unsigned lane_of_32() { return __lane_id() & 31; }
__device__ inline unsigned read_lane(unsigned value, unsigned lane) { return (__shfl)(value, lane, 32); }
#endif

/// `packed` holds the last lane that may be read in its low five bits and the segment's mask from bit 8 on, as PTX has
/// it; `in_range` says whether the value comes from the lane that was asked for. Groups have 32 lanes.
__device__ inline unsigned shuffle_idx(unsigned value, unsigned index, unsigned packed, bool* in_range = nullptr) {
    const unsigned lane = lane_of_32(), segment = packed >> 8 & 31;
    const unsigned last = (lane & segment) | (packed & 31 & ~segment);
    const unsigned from = (lane & segment) | (index & 31 & ~segment);
    if (in_range) *in_range = from <= last;
    return read_lane(value, from <= last ? from : lane);
}
__device__ inline unsigned shuffle_up(unsigned value, unsigned delta, unsigned packed, bool* in_range = nullptr) {
    const unsigned lane = lane_of_32(), segment = packed >> 8 & 31;
    const int last = (lane & segment) | (packed & 31 & ~segment), from = static_cast<int>(lane) - (delta & 31);
    if (in_range) *in_range = from >= last;
    return read_lane(value, from >= last ? from : lane);
}
__device__ inline unsigned shuffle_down(unsigned value, unsigned delta, unsigned packed, bool* in_range = nullptr) {
    const unsigned lane = lane_of_32(), segment = packed >> 8 & 31;
    const unsigned last = (lane & segment) | (packed & 31 & ~segment), from = lane + (delta & 31);
    if (in_range) *in_range = from <= last;
    return read_lane(value, from <= last ? from : lane);
}
__device__ inline unsigned shuffle_bfly(unsigned value, unsigned mask, unsigned packed, bool* in_range = nullptr) {
    const unsigned lane = lane_of_32(), segment = packed >> 8 & 31;
    const unsigned last = (lane & segment) | (packed & 31 & ~segment), from = lane ^ (mask & 31);
    if (in_range) *in_range = from <= last;
    return read_lane(value, from <= last ? from : lane);
}

/// The lanes that are here and hold the same value; and whether all of them do.
template <typename T>
__device__ inline unsigned long long match_any(T value) {
#if defined(__NVCC__)
    return (__match_any_sync)((__activemask)(), value);
#else
    unsigned long long left = (__ballot)(1), found = 0;
    while (left != 0) {
        const bool is_same = value == (__shfl)(value, __ffsll(left) - 1);
        const unsigned long long group = (__ballot)(is_same) & left;
        if (is_same) found = group;
        left &= ~group;
    }
    return found;
#endif
}
template <typename T>
__device__ inline unsigned long long match_all(T value, bool* all_same = nullptr) {
    const unsigned long long lanes = match_any(~0u), same = match_any(value);
    if (all_same) *all_same = same == lanes;
    return same == lanes ? lanes : 0;
}

/// Reductions over all lanes of a wavefront; every lane takes part and gets the result.
#if defined(__NVCC__)
template <typename T>
__device__ inline T lane_xor(T value, int mask) { return (__shfl_xor_sync)(~0u, value, mask); }
#else
template <typename T>
__device__ inline T lane_xor(T value, int mask) { return (__shfl_xor)(value, mask); }
#endif
#define HIPIFY_REDUX(name, expression)                                       \
    template <typename T>                                                    \
    __device__ inline T name(T a) {                                          \
        for (int mask = 1; mask < warpSize; mask *= 2) {                     \
            const T b = lane_xor(a, mask);                                   \
            a = expression;                                                  \
        }                                                                    \
        return a;                                                            \
    }
HIPIFY_REDUX(redux_add, a + b)
HIPIFY_REDUX(redux_min, a < b ? a : b)
HIPIFY_REDUX(redux_max, a > b ? a : b)
HIPIFY_REDUX(redux_and, a & b)
HIPIFY_REDUX(redux_or, a | b)
HIPIFY_REDUX(redux_xor, a ^ b)
#undef HIPIFY_REDUX

}  // namespace hipify
#endif
