#pragma once
// A toolkit of bit operations that have an instruction of their own.
#include <hip/hip_runtime.h>

namespace bits {

__device__ __forceinline__ unsigned extract(unsigned source, unsigned start, unsigned length)
{
    unsigned out;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(out) : "r"(source), "r"(start), "r"(length));
    return out;
}

__device__ __forceinline__ int extract_signed(int source, unsigned start, unsigned length)
{
    int out;
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(out) : "r"(source), "r"(start), "r"(length));
    return out;
}

__device__ __forceinline__ unsigned long long extract64(unsigned long long source, unsigned start, unsigned length)
{
    unsigned long long out;
    asm("bfe.u64 %0, %1, %2, %3;" : "=l"(out) : "l"(source), "r"(start), "r"(length));
    return out;
}

__device__ __forceinline__ unsigned insert(unsigned field, unsigned into, unsigned start, unsigned length)
{
    unsigned out;
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(out) : "r"(field), "r"(into), "r"(start), "r"(length));
    return out;
}

__device__ __forceinline__ unsigned permute(unsigned a, unsigned b, unsigned selector)
{
    unsigned out;
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(a), "r"(b), "r"(selector));
    return out;
}

// Any function of three bits, by its truth table.
template <int Table>
__device__ __forceinline__ unsigned logic3(unsigned a, unsigned b, unsigned c)
{
    unsigned out;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(out) : "r"(a), "r"(b), "r"(c), "n"(Table));
    return out;
}

__device__ __forceinline__ unsigned rotate_left(unsigned x, unsigned by)
{
    unsigned out;
    asm("shf.l.wrap.b32 %0, %1, %1, %2;" : "=r"(out) : "r"(x), "r"(by));
    return out;
}

__device__ __forceinline__ unsigned reverse(unsigned x)
{
    asm("brev.b32 %0, %0;" : "+r"(x));
    return x;
}

__device__ __forceinline__ int highest(unsigned x)
{
    int out;
    asm("bfind.u32 %0, %1;" : "=r"(out) : "r"(x));
    return out;
}

__device__ __forceinline__ unsigned count(unsigned x)
{
    unsigned out;
    asm("popc.b32 %0, %1;" : "=r"(out) : "r"(x));
    return out;
}

}  // namespace bits
