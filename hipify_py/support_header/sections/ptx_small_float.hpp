// Conversions of PTX to and from pairs of floats of 4, 6 and 8 bits, by their bits; the second operand is the lower.
// needs: fp8 ptx_half
// Source: PTX ISA, cvt; OCP 8-bit floating point and microscaling formats specifications.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// A format without infinity and NaN; `greatest` is the code of its greatest number.
template <int Exponent, int Fraction, int Bias>
struct small_float {
    static constexpr int fraction = Fraction, bias = Bias;
    static constexpr unsigned sign = 1u << (Exponent + Fraction), greatest = sign - 1;
};
using e2m1 = small_float<2, 1, 1>;
using e2m3 = small_float<2, 3, 1>;
using e3m2 = small_float<3, 2, 3>;

/// Rounded to nearest even and kept within the format's range; what is no number becomes the greatest.
template <typename Format>
__device__ inline unsigned small_encode(float x) {
    constexpr int cut = 23 - Format::fraction;
    const unsigned bits = __float_as_uint(x), magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return Format::greatest;
    unsigned code;
    if (magnitude >= static_cast<unsigned>(128 - Format::bias) << 23) {
        code = (magnitude + (1u << (cut - 1)) - 1 + (magnitude >> cut & 1)) >> cut;
        code -= static_cast<unsigned>(127 - Format::bias) << Format::fraction;
    } else {  // the distance of numbers is that of the least ones
        code = static_cast<unsigned>(rintf(ldexpf(fabsf(x), Format::bias - 1 + Format::fraction)));
    }
    return (code < Format::greatest ? code : Format::greatest) | (bits >> 31 ? Format::sign : 0);
}
template <typename Format>
__device__ inline float small_decode(unsigned code) {
    const unsigned magnitude = code & Format::greatest, exponent = magnitude >> Format::fraction;
    const unsigned part = magnitude & ((1u << Format::fraction) - 1);
    const float value = exponent ? ldexpf(static_cast<float>(part + (1u << Format::fraction)),
                                          static_cast<int>(exponent) - Format::bias - Format::fraction)
                                 : ldexpf(static_cast<float>(part), 1 - Format::bias - Format::fraction);
    return code & Format::sign ? -value : value;
}

/// 0 in place of what is negative; NaN stays.
__device__ inline float relu(float x) { return x > 0.0f || x != x ? x : 0.0f; }

#define HIPIFY_FP8(name)                                                                                \
    __device__ inline unsigned short pack_##name##x2(float upper, float lower) {                        \
        return cvt_float2_to_fp8x2(make_float2(lower, upper), saturated, name);                         \
    }                                                                                                   \
    __device__ inline unsigned short f16x2_to_##name##x2(unsigned pair) {                               \
        return pack_##name##x2(f16_to_float(upper_half(pair)), f16_to_float(lower_half(pair)));         \
    }                                                                                                   \
    __device__ inline unsigned name##x2_to_f16x2(unsigned short pair) {                                 \
        return static_cast<unsigned>(cvt_fp8_to_halfraw(static_cast<fp8_storage>(pair >> 8), name).x) << 16 | \
               cvt_fp8_to_halfraw(static_cast<fp8_storage>(pair & 0xff), name).x;                       \
    }
HIPIFY_FP8(e4m3)
HIPIFY_FP8(e5m2)
#undef HIPIFY_FP8

template <fp8_interpretation Format>
__device__ inline unsigned fp8x2_to_bf16x2(unsigned short pair) {
    return pack_bf16x2(f16_to_float(cvt_fp8_to_halfraw(static_cast<fp8_storage>(pair >> 8), Format).x),
                       f16_to_float(cvt_fp8_to_halfraw(static_cast<fp8_storage>(pair & 0xff), Format).x));
}

/// Four bits each in a byte.
__device__ inline unsigned char pack_e2m1x2(float upper, float lower) {
    return static_cast<unsigned char>(small_encode<e2m1>(upper) << 4 | small_encode<e2m1>(lower));
}
__device__ inline unsigned e2m1x2_to_f16x2(unsigned char pair) {
    return pack_f16x2(small_decode<e2m1>(pair >> 4), small_decode<e2m1>(pair & 15));
}
__device__ inline unsigned e2m1x2_to_bf16x2(unsigned char pair) {
    return pack_bf16x2(small_decode<e2m1>(pair >> 4), small_decode<e2m1>(pair & 15));
}
/// Six bits each in a byte of its own.
template <typename Format>
__device__ inline unsigned short pack_6_bits(float upper, float lower) {
    return static_cast<unsigned short>(small_encode<Format>(upper) << 8 | small_encode<Format>(lower));
}
template <typename Format>
__device__ inline unsigned six_bits_to_f16x2(unsigned short pair) {
    return pack_f16x2(small_decode<Format>(pair >> 8 & 63), small_decode<Format>(pair & 63));
}

/// The exponents alone of two magnitudes (UE8M0), rounded towards zero or up, and not beyond the greatest.
__device__ inline unsigned scale_encode_rz(float x) {
    const unsigned magnitude = __float_as_uint(x) & 0x7fffffff, exponent = magnitude >> 23;
    return magnitude > 0x7f800000 ? 0xff : exponent < 0xfe ? exponent : 0xfe;
}
__device__ inline unsigned scale_encode_rp(float x) {
    const unsigned magnitude = __float_as_uint(x) & 0x7fffffff;
    if (magnitude > 0x7f800000) return 0xff;
    const unsigned up = magnitude < 0x800000 ? magnitude > 0x400000 : (magnitude + 0x7fffff) >> 23;
    return up < 0xfe ? up : 0xfe;
}
__device__ inline unsigned short pack_ue8m0x2_rz(float upper, float lower) {
    return static_cast<unsigned short>(scale_encode_rz(upper) << 8 | scale_encode_rz(lower));
}
__device__ inline unsigned short pack_ue8m0x2_rp(float upper, float lower) {
    return static_cast<unsigned short>(scale_encode_rp(upper) << 8 | scale_encode_rp(lower));
}
__device__ inline unsigned scale_to_bf16(unsigned code) { return code == 0xff ? 0x7fff : code ? code << 7 : 0x40; }
__device__ inline unsigned ue8m0x2_to_bf16x2(unsigned short pair) {
    return scale_to_bf16(pair >> 8) << 16 | scale_to_bf16(pair & 0xff);
}

}  // namespace hipify
#endif
