#if defined(__NVCC__)
#include <cuda_fp16.h>
#else
#include <hip/hip_fp16.h>
#endif

#include "hipify_support.hpp"

namespace warp = hipify::warp32;

// Macros name the functions without calling them, and hand them any argument.
#define SHFL warp::shfl_sync
#define SHFL_XOR warp::shfl_xor

enum Colour { red, green };
struct Pair {
    double a;
    char b;
};
union Either {
    float number;
    unsigned bits;
};

template <class T>
__device__ T sum(T value) {
    for (int distance = 16; distance > 0; distance /= 2) value += warp::shfl_down_sync(0xffffffff, value, distance);
    return value;
}

__global__ void use(unsigned* masks, int* values, float* f, double* d, __half* h, __half2* h2, Pair* pairs) {
    const unsigned full = 0xffffffffu;
    const int value = values[threadIdx.x];
    masks[0] = warp::activemask() | warp::ballot(value) | warp::ballot_sync(full, value);
    values[1] = warp::any(value) + warp::all(value) + warp::any_sync(full, value) + warp::all_sync(full, value);
    masks[1] = warp::match_any_sync(full, value) | warp::match_all_sync(full, f[0], &values[2]);
    masks[5] = warp::match_any_sync(full, static_cast<unsigned char>(value)) | warp::match_any_sync(-1, value > 3);
    masks[6] = warp::match_any_sync(full, d[0]) | warp::match_all_sync(full, 1l, &values[2]);
    values[3] = warp::reduce_add_sync(full, value) + warp::reduce_min_sync(full, value);
    values[4] = warp::reduce_max_sync(full, value) + warp::reduce_add_sync(full, value > 5);
    masks[2] = warp::reduce_and_sync(full, masks[3]) | warp::reduce_or_sync(full, masks[3]);
    masks[4] = warp::reduce_xor_sync(~0ull, masks[3]);
    masks[7] = warp::lane_id() + warp::warp_id();
    masks[8] = warp::lanemask_eq() | warp::lanemask_lt() | warp::lanemask_le() | warp::lanemask_gt() | warp::lanemask_ge();
    warp::syncwarp();
    warp::syncwarp(full);

    volatile int watched = value;
    values[5] = SHFL(full, watched, 0) + SHFL_XOR(value, 1) + warp::shfl_up(value, 1u) + warp::shfl_down(value, 1, 16);
    values[6] = SHFL(full, value > 2, 1) + SHFL(full, green, 2) + warp::shfl(static_cast<short>(value), 3, 8);
    f[1] = sum(f[2]) + static_cast<float>(sum(1ll << 40) + sum(2ull) + sum(3l) + sum(4ul));
    d[1] = sum(d[2]);
    h[1] = SHFL(full, h[0], 1);
    h2[1] = warp::shfl_up_sync(full, h2[0], 1);
#if !defined(__NVCC__)  // CUDA has no shuffles of structures
    pairs[1] = SHFL_XOR(pairs[0], 3);
    masks[9] = SHFL(full, Either{f[0]}, 2).bits;
#else
    static_cast<void>(pairs);
#endif
}
