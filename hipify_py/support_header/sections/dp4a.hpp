// __dp4a: four bytes times four bytes, summed up onto a third operand. The compilers make one instruction of it.
// Source: CUDA header sm_61_intrinsics.h; PTX ISA, dp4a.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// c + a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; sums wrap around.
__device__ inline int dp4a(int a, int b, int c) {
    unsigned sum = static_cast<unsigned>(c);
    for (int at = 0; at < 32; at += 8)
        sum += static_cast<unsigned>(static_cast<signed char>(a >> at) * static_cast<signed char>(b >> at));
    return static_cast<int>(sum);
}
__device__ inline unsigned dp4a(unsigned a, unsigned b, unsigned c) {
    for (int at = 0; at < 32; at += 8) c += (a >> at & 0xffu) * (b >> at & 0xffu);
    return c;
}
__device__ inline int dp4a(char4 a, char4 b, int c) {
    const int sum = static_cast<signed char>(a.x) * static_cast<signed char>(b.x) +
                    static_cast<signed char>(a.y) * static_cast<signed char>(b.y) +
                    static_cast<signed char>(a.z) * static_cast<signed char>(b.z) +
                    static_cast<signed char>(a.w) * static_cast<signed char>(b.w);
    return static_cast<int>(static_cast<unsigned>(c) + static_cast<unsigned>(sum));
}
__device__ inline unsigned dp4a(uchar4 a, uchar4 b, unsigned c) {
    return c + unsigned(a.x) * b.x + unsigned(a.y) * b.y + unsigned(a.z) * b.z + unsigned(a.w) * b.w;
}

}  // namespace hipify
#endif
