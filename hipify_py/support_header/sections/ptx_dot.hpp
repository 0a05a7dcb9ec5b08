// PTX's dot products of packed integers, each operand signed or not.
// Source: PTX ISA, dp4a and dp2a.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// Bits `[8 * at, 8 * at + 8)` or `[16 * at, 16 * at + 16)` of a word, signed as `T` is.
template <typename T>
__device__ inline int packed_byte(unsigned word, int at) {
    const unsigned byte = word >> 8 * at & 0xff;
    return T(-1) < T(0) ? static_cast<signed char>(byte) : static_cast<int>(byte);
}
template <typename T>
__device__ inline int packed_short(unsigned word, int at) {
    const unsigned part = word >> 16 * at & 0xffff;
    return T(-1) < T(0) ? static_cast<short>(part) : static_cast<int>(part);
}

/// c plus the four products of bytes; `A` and `B` are int or unsigned, for bytes with a sign or without.
template <typename A, typename B>
__device__ inline unsigned dp4a(unsigned a, unsigned b, unsigned c) {
    for (int at = 0; at < 4; ++at) c += static_cast<unsigned>(packed_byte<A>(a, at) * packed_byte<B>(b, at));
    return c;
}

/// c plus the two products of 16-bit numbers of `a` with the lower or upper two bytes of `b`.
template <typename A, typename B>
__device__ inline unsigned dp2a_lo(unsigned a, unsigned b, unsigned c) {
    for (int at = 0; at < 2; ++at) c += static_cast<unsigned>(packed_short<A>(a, at) * packed_byte<B>(b, at));
    return c;
}
template <typename A, typename B>
__device__ inline unsigned dp2a_hi(unsigned a, unsigned b, unsigned c) {
    return dp2a_lo<A, B>(a, b >> 16, c);
}

}  // namespace hipify
#endif
