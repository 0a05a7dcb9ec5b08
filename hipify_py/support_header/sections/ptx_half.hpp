// brings: FP16
// Arithmetic on half-precision numbers and pairs of them that are held by their bits, as inline PTX has them.
// Source: PTX ISA, half-precision instructions and cvt.
#if defined(HIPIFY_HAS_DEVICE_CODE)
#if defined(__NVCC__)
#include <cuda_fp16.h>
#elif !defined(__HIPCC_RTC__)  // hipRTC has it built in
#include <hip/hip_fp16.h>
#endif
namespace hipify {

__device__ inline float f16_to_float(unsigned short bits) { return __half2float(__ushort_as_half(bits)); }
__device__ inline unsigned short float_to_f16(float x) { return __half_as_ushort(__float2half_rn(x)); }
__device__ inline float bf16_to_float(unsigned short bits) { return __uint_as_float(static_cast<unsigned>(bits) << 16); }
__device__ inline unsigned short float_to_bf16(float x) {
    const unsigned pattern = __float_as_uint(x);
    if (x != x) return 0x7fff;
    return static_cast<unsigned short>((pattern + 0x7fff + (pattern >> 16 & 1)) >> 16);
}

/// The first operand becomes the upper half.
__device__ inline unsigned pack_f16x2(float upper, float lower) {
    return static_cast<unsigned>(float_to_f16(upper)) << 16 | float_to_f16(lower);
}
__device__ inline unsigned pack_bf16x2(float upper, float lower) {
    return static_cast<unsigned>(float_to_bf16(upper)) << 16 | float_to_bf16(lower);
}

__device__ inline unsigned short lower_half(unsigned pair) { return static_cast<unsigned short>(pair); }
__device__ inline unsigned short upper_half(unsigned pair) { return static_cast<unsigned short>(pair >> 16); }

__device__ inline unsigned short add_f16(unsigned short a, unsigned short b) {
    return __half_as_ushort(__hadd(__ushort_as_half(a), __ushort_as_half(b)));
}
__device__ inline unsigned short sub_f16(unsigned short a, unsigned short b) {
    return __half_as_ushort(__hsub(__ushort_as_half(a), __ushort_as_half(b)));
}
__device__ inline unsigned short mul_f16(unsigned short a, unsigned short b) {
    return __half_as_ushort(__hmul(__ushort_as_half(a), __ushort_as_half(b)));
}
__device__ inline unsigned short fma_f16(unsigned short a, unsigned short b, unsigned short c) {
    return __half_as_ushort(__hfma(__ushort_as_half(a), __ushort_as_half(b), __ushort_as_half(c)));
}
/// The number where one operand is none; -0 is less than 0.
__device__ inline unsigned short min_f16(unsigned short a, unsigned short b) {
    return float_to_f16(fminf(f16_to_float(a), f16_to_float(b)));
}
__device__ inline unsigned short max_f16(unsigned short a, unsigned short b) {
    return float_to_f16(fmaxf(f16_to_float(a), f16_to_float(b)));
}

__device__ inline unsigned short add_bf16(unsigned short a, unsigned short b) {
    return float_to_bf16(bf16_to_float(a) + bf16_to_float(b));
}
__device__ inline unsigned short sub_bf16(unsigned short a, unsigned short b) {
    return float_to_bf16(bf16_to_float(a) - bf16_to_float(b));
}
__device__ inline unsigned short mul_bf16(unsigned short a, unsigned short b) {
    return float_to_bf16(bf16_to_float(a) * bf16_to_float(b));
}
/// Rounded once: the sum is taken in double precision, and to odd where it is not exact.
__device__ inline unsigned short fma_bf16(unsigned short a, unsigned short b, unsigned short c) {
    const double product = static_cast<double>(bf16_to_float(a)) * bf16_to_float(b);
    const double sum = product + bf16_to_float(c);
    if (sum - sum != 0.0) return float_to_bf16(static_cast<float>(sum));
    const double part = sum - product, error = (product - (sum - part)) + (bf16_to_float(c) - part);
    float near = static_cast<float>(sum);
    const double rest = (sum - near) + error;
    if (rest != 0.0 && !(__float_as_uint(near) & 1) && near - near == 0.0f) {
        const unsigned pattern = __float_as_uint(near);
        const bool away = near == 0.0f || (rest > 0.0) == (near > 0.0f);
        near = near == 0.0f ? __uint_as_float(rest > 0.0 ? 1u : 0x80000001u)
                            : __uint_as_float(away ? pattern + 1 : pattern - 1);
    }
    return float_to_bf16(near);
}
__device__ inline unsigned short min_bf16(unsigned short a, unsigned short b) {
    return float_to_bf16(fminf(bf16_to_float(a), bf16_to_float(b)));
}
__device__ inline unsigned short max_bf16(unsigned short a, unsigned short b) {
    return float_to_bf16(fmaxf(bf16_to_float(a), bf16_to_float(b)));
}

__device__ inline unsigned short ex2_f16(unsigned short a) { return float_to_f16(exp2f(f16_to_float(a))); }
__device__ inline unsigned short tanh_f16(unsigned short a) { return float_to_f16(tanhf(f16_to_float(a))); }
__device__ inline unsigned short ex2_bf16(unsigned short a) { return float_to_bf16(exp2f(bf16_to_float(a))); }
__device__ inline unsigned short tanh_bf16(unsigned short a) { return float_to_bf16(tanhf(bf16_to_float(a))); }

/// 0 for what is less; a number that is none stays none.
__device__ inline unsigned short relu_f16(unsigned short a) {
    return (a & 0x7fff) > 0x7c00 ? 0x7fff : a & 0x8000 ? 0 : a;
}
__device__ inline unsigned short relu_bf16(unsigned short a) {
    return (a & 0x7fff) > 0x7f80 ? 0x7fff : a & 0x8000 ? 0 : a;
}
#define HIPIFY_PAIRS(name)                                                                             \
    __device__ inline unsigned name##x2(unsigned a) {                                                  \
        return static_cast<unsigned>(name(upper_half(a))) << 16 | name(lower_half(a));                 \
    }
HIPIFY_PAIRS(ex2_f16)
HIPIFY_PAIRS(ex2_bf16)
HIPIFY_PAIRS(tanh_f16)
HIPIFY_PAIRS(tanh_bf16)
HIPIFY_PAIRS(relu_f16)
HIPIFY_PAIRS(relu_bf16)
#undef HIPIFY_PAIRS

#define HIPIFY_PAIRS(name)                                                                             \
    __device__ inline unsigned name##x2(unsigned a, unsigned b) {                                      \
        return static_cast<unsigned>(name(upper_half(a), upper_half(b))) << 16 |                       \
               name(lower_half(a), lower_half(b));                                                     \
    }
HIPIFY_PAIRS(add_f16)
HIPIFY_PAIRS(sub_f16)
HIPIFY_PAIRS(mul_f16)
HIPIFY_PAIRS(min_f16)
HIPIFY_PAIRS(max_f16)
HIPIFY_PAIRS(add_bf16)
HIPIFY_PAIRS(sub_bf16)
HIPIFY_PAIRS(mul_bf16)
HIPIFY_PAIRS(min_bf16)
HIPIFY_PAIRS(max_bf16)
#undef HIPIFY_PAIRS
__device__ inline unsigned fma_f16x2(unsigned a, unsigned b, unsigned c) {
    return static_cast<unsigned>(fma_f16(upper_half(a), upper_half(b), upper_half(c))) << 16 |
           fma_f16(lower_half(a), lower_half(b), lower_half(c));
}
__device__ inline unsigned fma_bf16x2(unsigned a, unsigned b, unsigned c) {
    return static_cast<unsigned>(fma_bf16(upper_half(a), upper_half(b), upper_half(c))) << 16 |
           fma_bf16(lower_half(a), lower_half(b), lower_half(c));
}

}  // namespace hipify
#endif
