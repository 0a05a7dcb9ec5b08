#pragma once
// A group of lanes of one warp, and what its members can do together.
#include <hip/hip_runtime.h>

enum : unsigned long long { ALL_LANES = 0xffffffffffffffffull };

struct WarpGroup {
    unsigned long long mask;   // who takes part
    int rank;        // place of this lane among them
    int size;

    __device__ explicit WarpGroup(unsigned long long members) : mask(members)
    {
        rank = __popcll(members & ((1ull << (threadIdx.x & 31)) - 1u));
        size = __popcll(members);
    }

    __device__ int leader() const { return __ffsll(mask) - 1; }

    template <typename T>
    __device__ T from_leader(T value) const { return __shfl_sync(mask, value, leader()); }

    __device__ bool all(bool p) const { return __all_sync(mask, p) != 0; }
    __device__ bool any(bool p) const { return __any_sync(mask, p) != 0; }
    __device__ void sync() const { __syncwarp(mask); }
};

// The mask as a function parameter with a default.
__device__ inline int sum_of(int value, unsigned long long mask = ALL_LANES)
{
    for (int step = 16; step >= 1; step >>= 1)
        value += __shfl_xor_sync(mask, value, step, 32);
    return value;
}

// The mask as a template argument.
template <unsigned long long Mask>
__device__ inline int votes_for(bool yes)
{
    return __popcll(__ballot_sync(Mask, yes));
}
