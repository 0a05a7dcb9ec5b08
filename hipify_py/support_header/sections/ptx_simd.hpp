// PTX's video instructions: arithmetic on four bytes or two 16-bit numbers of a word.
// Source: PTX ISA, SIMD video instructions.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

struct packed_add {
    __device__ int operator()(int a, int b) const { return a + b; }
};
struct packed_sub {
    __device__ int operator()(int a, int b) const { return a - b; }
};
struct packed_avrg {
    __device__ int operator()(int a, int b) const { return (a + b + (a + b >= 0)) >> 1; }
};
struct packed_absdiff {
    __device__ int operator()(int a, int b) const { return a > b ? a - b : b - a; }
};
struct packed_min {
    __device__ int operator()(int a, int b) const { return a < b ? a : b; }
};
struct packed_max {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
};

/// Part `at` of a word of `Count` parts, with a sign where `T` has one.
template <int Count, typename T>
__device__ inline int packed_part(unsigned word, int at) {
    constexpr int width = 32 / Count;
    const unsigned part = word << (32 - width * (at + 1));
    return T(-1) < T(0) ? static_cast<int>(part) >> (32 - width) : static_cast<int>(part >> (32 - width));
}

/// The operation on each pair of parts, of which the low bits are kept.
template <int Count, typename Result, typename A, typename B, typename Operation>
__device__ inline unsigned packed(Operation operation, unsigned a, unsigned b) {
    constexpr int width = 32 / Count;
    unsigned result = 0;
    for (int at = 0; at < Count; ++at) {
        const int part = operation(packed_part<Count, A>(a, at), packed_part<Count, B>(b, at));
        result |= (static_cast<unsigned>(part) & (~0u >> (32 - width))) << (width * at);
    }
    return result;
}

/// The operation on each pair of parts, kept within the range that the result's parts have.
template <int Count, typename Result, typename A, typename B, typename Operation>
__device__ inline unsigned packed_saturated(Operation operation, unsigned a, unsigned b) {
    constexpr int width = 32 / Count;
    constexpr bool is_signed = Result(-1) < Result(0);
    constexpr int top = is_signed ? (1 << (width - 1)) - 1 : (1 << width) - 1, bottom = is_signed ? -top - 1 : 0;
    unsigned result = 0;
    for (int at = 0; at < Count; ++at) {
        const int part = operation(packed_part<Count, A>(a, at), packed_part<Count, B>(b, at));
        const int kept = part > top ? top : part < bottom ? bottom : part;
        result |= (static_cast<unsigned>(kept) & (~0u >> (32 - width))) << (width * at);
    }
    return result;
}

/// `c` plus what the operation gives for all pairs of parts.
template <int Count, typename A, typename B, typename Operation>
__device__ inline unsigned packed_sum(Operation operation, unsigned a, unsigned b, unsigned c) {
    for (int at = 0; at < Count; ++at)
        c += static_cast<unsigned>(operation(packed_part<Count, A>(a, at), packed_part<Count, B>(b, at)));
    return c;
}

}  // namespace hipify
#endif
