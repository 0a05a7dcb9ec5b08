// Each warp function twice: as the support header has it for warps of 32 lanes, and as one writes it in HIP for the
// lanes of a wavefront. warp_functions.py counts the instructions of each.
#define HIP_ENABLE_WARP_SYNC_BUILTINS 1  // ROCm 6 hides its matches behind it
#include "hipify_support.hpp"
#include <hip/hip_cooperative_groups.h>

namespace warp = hipify::warp32;

#define KERNEL(name, expression)                                                    \
    extern "C" __global__ void name(int* out, const int* in, const unsigned* by) { \
        const int v = in[threadIdx.x];                                              \
        const unsigned b = by[0];                                                   \
        static_cast<void>(b);                                                       \
        out[threadIdx.x] = static_cast<int>(expression);                            \
    }
#define PAIR(name, support, hand)   \
    KERNEL(name##_support, support) \
    KERNEL(name##_hand, hand)

__device__ inline int sum_support(int v) {
    for (int distance = 16; distance > 0; distance /= 2) v += warp::shfl_xor_sync(~0u, v, distance);
    return v;
}
__device__ inline int sum_hand(int v) {
    for (int distance = warpSize / 2; distance > 0; distance /= 2) v += __shfl_xor(v, distance);
    return v;
}
__device__ inline double sum_double_support(double v) {
    for (int distance = 16; distance > 0; distance /= 2) v += warp::shfl_down_sync(~0u, v, distance);
    return v;
}
__device__ inline double sum_double_hand(double v) {
    for (int distance = warpSize / 2; distance > 0; distance /= 2) v += __shfl_down(v, distance);
    return v;
}
__device__ inline int scan_support(int v) {
    for (int distance = 1; distance < 32; distance *= 2) {
        const int below = warp::shfl_up_sync(~0u, v, distance);
        v += warp::lane_id() >= static_cast<unsigned>(distance) ? below : 0;
    }
    return v;
}
__device__ inline int scan_hand(int v) {
    for (int distance = 1; distance < warpSize; distance *= 2) {
        const int below = __shfl_up(v, distance);
        v += __lane_id() >= static_cast<unsigned>(distance) ? below : 0;
    }
    return v;
}
__device__ inline unsigned match_all_support(int v) {
    int same;
    return warp::match_all_sync(~0u, v, &same) + same;
}
__device__ inline unsigned match_all_hand(int v) {
    int same;
    return static_cast<unsigned>(__match_all(v, &same)) + same;
}

PAIR(lane, warp::lane_id(), __lane_id())
PAIR(active, warp::activemask(), __ballot(1))
PAIR(ballot, warp::ballot_sync(~0u, v > 3), __ballot(v > 3))
PAIR(ballot_of_mask, warp::ballot_sync(b, v > 3), __ballot(v > 3) & b)
PAIR(any, warp::any_sync(~0u, v > 3), __any(v > 3))
PAIR(all, warp::all_sync(~0u, v > 3), __all(v > 3))
PAIR(broadcast, warp::shfl_sync(~0u, v, static_cast<int>(b)), __shfl(v, static_cast<int>(b)))
PAIR(sum, sum_support(v), sum_hand(v))
PAIR(sum_double, sum_double_support(v), sum_double_hand(v))
PAIR(scan, scan_support(v), scan_hand(v))
PAIR(match_any, warp::match_any_sync(~0u, v), __match_any(v))
PAIR(match_any_64, warp::match_any_sync(~0u, static_cast<long long>(v) << 20), __match_any(static_cast<long long>(v) << 20))
PAIR(match_all, match_all_support(v), match_all_hand(v))
PAIR(rank_of_group, warp::coalesced_threads().thread_rank(), cooperative_groups::coalesced_threads().thread_rank())
// The part of a reduction for lanes that are all here, beside the shuffles that one writes for them.
PAIR(reduce_all, hipify::reduce_all_32(v, [](int a, int b) { return a + b; }), sum_hand(v))
#if HIP_VERSION >= 70000000
PAIR(reduce_add, warp::reduce_add_sync(~0u, v), __reduce_add_sync(~0ull, v))
PAIR(reduce_add_of_mask, warp::reduce_add_sync(b, v), __reduce_add_sync(static_cast<unsigned long long>(b), v))
PAIR(reduce_max_of_mask, warp::reduce_max_sync(b, v), __reduce_max_sync(static_cast<unsigned long long>(b), v))
#endif
