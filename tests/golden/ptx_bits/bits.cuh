#pragma once
// A toolkit of bit operations that have an instruction of their own.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"

namespace bits {

__device__ __forceinline__ unsigned extract(unsigned source, unsigned start, unsigned length)
{
    unsigned out;
    out = hipify::bfe(source, start, length);
    return out;
}

__device__ __forceinline__ int extract_signed(int source, unsigned start, unsigned length)
{
    int out;
    out = hipify::bfe(source, start, length);
    return out;
}

__device__ __forceinline__ unsigned long long extract64(unsigned long long source, unsigned start, unsigned length)
{
    unsigned long long out;
    out = hipify::bfe(source, start, length);
    return out;
}

__device__ __forceinline__ unsigned insert(unsigned field, unsigned into, unsigned start, unsigned length)
{
    unsigned out;
    out = hipify::bfi(field, into, start, length);
    return out;
}

__device__ __forceinline__ unsigned permute(unsigned a, unsigned b, unsigned selector)
{
    unsigned out;
    out = hipify::prmt(a, b, selector);
    return out;
}

// Any function of three bits, by its truth table.
template <int Table>
__device__ __forceinline__ unsigned logic3(unsigned a, unsigned b, unsigned c)
{
    unsigned out;
    out = hipify::lop3<Table>(a, b, c);
    return out;
}

__device__ __forceinline__ unsigned rotate_left(unsigned x, unsigned by)
{
    unsigned out;
    out = __funnelshift_l(x, x, by);
    return out;
}

__device__ __forceinline__ unsigned reverse(unsigned x)
{
    x = __brev(x);
    return x;
}

__device__ __forceinline__ int highest(unsigned x)
{
    int out;
    out = 31 - __clz(x);
    return out;
}

__device__ __forceinline__ unsigned count(unsigned x)
{
    unsigned out;
    out = __popc(x);
    return out;
}

}  // namespace bits
