#pragma once
// A group of lanes of one warp, and what its members can do together.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"

enum : unsigned { ALL_LANES = 0xffffffffu };

struct WarpGroup {
    unsigned mask;   // who takes part
    int rank;        // place of this lane among them
    int size;

    __device__ explicit WarpGroup(unsigned members) : mask(members)
    {
        rank = __popc(members & ((1u << (threadIdx.x & 31)) - 1u));
        size = __popc(members);
    }

    __device__ int leader() const { return __ffs(mask) - 1; }

    template <typename T>
    __device__ T from_leader(T value) const { return __shfl(value, leader(), 32); }

    __device__ bool all(bool p) const { return hipify::warp32::all_sync(mask, p) != 0; }
    __device__ bool any(bool p) const { return hipify::warp32::any_sync(mask, p) != 0; }
    __device__ void sync() const { __syncwarp(); }
};

// The mask as a function parameter with a default.
__device__ inline int sum_of(int value, unsigned mask = ALL_LANES)
{
    for (int step = 16; step >= 1; step >>= 1)
        value += __shfl_xor(value, step, 32);
    return value;
}

// The mask as a template argument.
template <unsigned Mask>
__device__ inline int votes_for(bool yes)
{
    return __popc(hipify::warp32::ballot_sync(Mask, yes));
}
