#include "hipify_support.hpp"

template <class T>
__host__ __device__ int all(T bits) {
    return hipify::popcount(bits) + hipify::countl_zero(bits) + hipify::countl_one(bits) + hipify::countr_zero(bits) +
           hipify::countr_one(bits) + hipify::has_single_bit(bits) + int(hipify::bit_width(bits)) +
           int(hipify::bit_floor(bits)) + int(hipify::bit_ceil(bits)) + int(hipify::rotl(bits, 3)) +
           int(hipify::rotr(bits, 3));
}

__global__ void use(int* out, unsigned char b, unsigned short s, unsigned u, unsigned long long l) {
    out[0] = all(b) + all(s) + all(u) + all(l);
}

#if !defined(__NVCC__)
static_assert(hipify::bit_width(0u) == 0 && hipify::bit_width(5u) == 3 && hipify::bit_width(~0ull) == 64, "");
static_assert(hipify::countl_zero(static_cast<unsigned char>(1)) == 7 && hipify::countl_zero(0u) == 32, "");
static_assert(hipify::countl_one(static_cast<unsigned short>(0xe000)) == 3 && hipify::countr_one(7u) == 3, "");
static_assert(hipify::countr_zero(8u) == 3 && hipify::countr_zero(static_cast<unsigned short>(0)) == 16, "");
static_assert(hipify::bit_ceil(9u) == 16 && hipify::bit_ceil(0u) == 1 && hipify::bit_ceil(16u) == 16, "");
static_assert(hipify::bit_floor(9u) == 8 && hipify::bit_floor(0u) == 0, "");
static_assert(hipify::rotl(static_cast<unsigned char>(0x81), 1) == 3 && hipify::rotr(3u, 1) == 0x80000001u, "");
static_assert(hipify::rotl(5u, 32) == 5u && hipify::rotl(5u, -1) == 0x80000002u, "");
#endif
