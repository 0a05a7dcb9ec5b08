// Reductions over the 32 lanes of a warp; all lanes get the result.
#pragma once

constexpr unsigned ALL_LANES = 0xffffffffu;

__device__ inline float warp_max(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value = fmaxf(value, __shfl_down_sync(ALL_LANES, value, offset));
    }
    return __shfl_sync(ALL_LANES, value, 0);
}

__device__ inline float warp_sum(float value) {
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(ALL_LANES, value, offset);
    }
    return __shfl_sync(ALL_LANES, value, 0);
}
