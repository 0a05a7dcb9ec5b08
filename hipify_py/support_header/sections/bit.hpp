// Counting and shifting of bits, as cuda::std has it from <bit> of C++20.
// Source: C++20, header <bit>; libcu++ documentation, standard library support.
#include <limits>
#if defined(__NVCC__)
#include <cuda/std/bit>

namespace hipify {
using ::cuda::std::bit_ceil;
using ::cuda::std::bit_floor;
using ::cuda::std::bit_width;
using ::cuda::std::countl_one;
using ::cuda::std::countl_zero;
using ::cuda::std::countr_one;
using ::cuda::std::countr_zero;
using ::cuda::std::has_single_bit;
using ::cuda::std::popcount;
using ::cuda::std::rotl;
using ::cuda::std::rotr;
}  // namespace hipify
#else
#if defined(HIPIFY_HAS_DEVICE_CODE)
#define HIPIFY_BIT __host__ __device__ constexpr
#else
#define HIPIFY_BIT constexpr
#endif

namespace hipify {

template <class T>
HIPIFY_BIT int popcount(T bits) {
    return __builtin_popcountll(bits);
}
/// The number of bits without the zeros in front.
template <class T>
HIPIFY_BIT int bit_width(T bits) {
    return bits == 0 ? 0 : 64 - __builtin_clzll(bits);
}
template <class T>
HIPIFY_BIT int countl_zero(T bits) {
    return std::numeric_limits<T>::digits - bit_width(bits);
}
template <class T>
HIPIFY_BIT int countl_one(T bits) {
    return countl_zero(static_cast<T>(~bits));
}
template <class T>
HIPIFY_BIT int countr_zero(T bits) {
    return bits == 0 ? std::numeric_limits<T>::digits : __builtin_ctzll(bits);
}
template <class T>
HIPIFY_BIT int countr_one(T bits) {
    return countr_zero(static_cast<T>(~bits));
}
template <class T>
HIPIFY_BIT bool has_single_bit(T bits) {
    return bits != 0 && (bits & (bits - 1)) == 0;
}
/// The largest power of two that is not above a number, and the smallest that is not below it.
template <class T>
HIPIFY_BIT T bit_floor(T number) {
    return number == 0 ? T(0) : static_cast<T>(T(1) << (bit_width(number) - 1));
}
template <class T>
HIPIFY_BIT T bit_ceil(T number) {
    return number < 2 ? T(1) : static_cast<T>(T(1) << bit_width(static_cast<T>(number - 1)));
}
template <class T>
HIPIFY_BIT T rotl(T bits, int count) {
    constexpr int digits = std::numeric_limits<T>::digits;
    const int left = (count % digits + digits) % digits;
    return left == 0 ? bits : static_cast<T>(static_cast<T>(bits << left) | (bits >> (digits - left)));
}
template <class T>
HIPIFY_BIT T rotr(T bits, int count) {
    return rotl(bits, -(count % std::numeric_limits<T>::digits));
}

}  // namespace hipify
#undef HIPIFY_BIT
#endif
