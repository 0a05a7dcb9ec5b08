// Minima and maxima of half-precision numbers that are NaN where an operand is, and comparisons of both halves of a word.
// needs: ptx_half
// Source: PTX ISA, half-precision instructions and comparisons.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

#define HIPIFY_NAN(name, format, infinity)                                                                    \
    __device__ inline unsigned short name##_nan_##format(unsigned short a, unsigned short b) {                \
        return (a & 0x7fff) > infinity || (b & 0x7fff) > infinity ? 0x7fff : name##_##format(a, b);           \
    }                                                                                                         \
    __device__ inline unsigned name##_nan_##format##x2(unsigned a, unsigned b) {                              \
        return static_cast<unsigned>(name##_nan_##format(upper_half(a), upper_half(b))) << 16 |               \
               name##_nan_##format(lower_half(a), lower_half(b));                                             \
    }
HIPIFY_NAN(min, f16, 0x7c00)
HIPIFY_NAN(max, f16, 0x7c00)
HIPIFY_NAN(min, bf16, 0x7f80)
HIPIFY_NAN(max, bf16, 0x7f80)
#undef HIPIFY_NAN

/// The comparisons of PTX; those with a u hold where an operand is NaN.
#define HIPIFY_COMPARISON(name, expression)                                    \
    struct half_##name {                                                       \
        __device__ bool operator()(float a, float b) const { return expression; } \
    };
HIPIFY_COMPARISON(eq, a == b)
HIPIFY_COMPARISON(lt, a < b)
HIPIFY_COMPARISON(le, a <= b)
HIPIFY_COMPARISON(gt, a > b)
HIPIFY_COMPARISON(ge, a >= b)
HIPIFY_COMPARISON(ltu, !(a >= b))
HIPIFY_COMPARISON(leu, !(a > b))
HIPIFY_COMPARISON(gtu, !(a <= b))
HIPIFY_COMPARISON(geu, !(a < b))
#undef HIPIFY_COMPARISON

/// 0xffff for each half where the comparison holds.
template <typename Comparison>
__device__ inline unsigned set_f16x2(Comparison compare, unsigned a, unsigned b) {
    return (compare(f16_to_float(upper_half(a)), f16_to_float(upper_half(b))) ? 0xffff0000u : 0u) |
           (compare(f16_to_float(lower_half(a)), f16_to_float(lower_half(b))) ? 0xffffu : 0u);
}

}  // namespace hipify
#endif
