// Two integers packed into a word within a narrower type's range, and floats with ten bits of fraction.
// needs: ptx_convert
// Source: PTX ISA, cvt.pack and cvt with the type tf32.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// `upper` above `lower`, each as a `To` or the end of its range that is next.
template <typename To>
__device__ inline unsigned pack_saturated(int upper, int lower) {
    constexpr int width = 8 * sizeof(To);
    const unsigned above = static_cast<unsigned>(saturate<To>(upper)) << width;
    return (above | (static_cast<unsigned>(saturate<To>(lower)) & ((1u << width) - 1))) & (~0u >> (32 - 2 * width));
}

/// Rounded to nearest, away from zero between two; the lower 13 bits are 0, those of a NaN too.
__device__ inline unsigned float_to_tf32(float x) {
    const unsigned bits = __float_as_uint(x);
    const bool is_finite = (bits & 0x7f800000) != 0x7f800000;
    return (is_finite ? bits + 0x1000 : bits) & ~0x1fffu;
}

}  // namespace hipify
#endif
