// __dp2a_lo, __dp2a_hi: two 16-bit numbers times two bytes of the other operand, summed up onto a third.
// Source: CUDA header sm_61_intrinsics.h; PTX ISA, dp2a.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// c + a.x * b.x + a.y * b.y; the packed forms hold their first element in the low bits. Sums wrap around.
__device__ inline int dp2a_lo(int a, int b, int c) {
    const int sum = static_cast<short>(a) * static_cast<signed char>(b) + (a >> 16) * static_cast<signed char>(b >> 8);
    return static_cast<int>(static_cast<unsigned>(c) + static_cast<unsigned>(sum));
}
__device__ inline unsigned dp2a_lo(unsigned a, unsigned b, unsigned c) {
    return c + (a & 0xffffu) * (b & 0xffu) + (a >> 16) * (b >> 8 & 0xffu);
}
__device__ inline int dp2a_lo(short2 a, char4 b, int c) {
    const int sum = a.x * static_cast<signed char>(b.x) + a.y * static_cast<signed char>(b.y);
    return static_cast<int>(static_cast<unsigned>(c) + static_cast<unsigned>(sum));
}
__device__ inline unsigned dp2a_lo(ushort2 a, uchar4 b, unsigned c) {
    return c + unsigned(a.x) * b.x + unsigned(a.y) * b.y;
}

/// c + a.x * b.z + a.y * b.w
__device__ inline int dp2a_hi(int a, int b, int c) { return dp2a_lo(a, b >> 16, c); }
__device__ inline unsigned dp2a_hi(unsigned a, unsigned b, unsigned c) { return dp2a_lo(a, b >> 16, c); }
__device__ inline int dp2a_hi(short2 a, char4 b, int c) {
    const int sum = a.x * static_cast<signed char>(b.z) + a.y * static_cast<signed char>(b.w);
    return static_cast<int>(static_cast<unsigned>(c) + static_cast<unsigned>(sum));
}
__device__ inline unsigned dp2a_hi(ushort2 a, uchar4 b, unsigned c) {
    return c + unsigned(a.x) * b.z + unsigned(a.y) * b.w;
}

}  // namespace hipify
#endif
