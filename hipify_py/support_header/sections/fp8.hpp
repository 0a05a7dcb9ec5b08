// brings: FP16
// The 8-bit floats of cuda_fp8.h (OCP E4M3 and E5M2) in plain code, the same on every GPU: HIP's types of these
// formats have no device code on gfx942, whose own formats (FNUZ) have other values for the same bits.
// Source: CUDA header cuda_fp8.h; OCP 8-bit floating point specification.
#include <cmath>
#include <cstring>
#if defined(__NVCC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#elif defined(HIPIFY_HAS_DEVICE_CODE)
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>
#endif

#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

#if defined(__NVCC__)
using fp8_interpretation = __nv_fp8_interpretation_t;
using fp8_saturation = __nv_saturation_t;
using bfloat16 = __nv_bfloat16;
using bfloat162 = __nv_bfloat162;
constexpr fp8_interpretation e4m3 = __NV_E4M3, e5m2 = __NV_E5M2;
constexpr fp8_saturation saturated = __NV_SATFINITE;
#else
using fp8_interpretation = __hip_fp8_interpretation_t;
using fp8_saturation = __hip_saturation_t;
using bfloat16 = __hip_bfloat16;
using bfloat162 = __hip_bfloat162;
constexpr fp8_interpretation e4m3 = __HIP_E4M3, e5m2 = __HIP_E5M2;
constexpr fp8_saturation saturated = __HIP_SATFINITE;
#endif
using fp8_storage = unsigned char;
using fp8x2_storage = unsigned short;
using fp8x4_storage = unsigned int;

/// The bits of a magnitude below 2^(bias + 2), whose exponent is known, rounded to nearest even; overflow shows
/// as a number above the greatest one.
template <class T>
__host__ __device__ inline unsigned fp8_magnitude(T magnitude, int exponent, fp8_interpretation format) {
    const int digits = format == e4m3 ? 3 : 2, bias = format == e4m3 ? 7 : 15;
    const int scale = exponent < 1 - bias ? 1 - bias : exponent;  // below, the distance of numbers stays the same
    const unsigned steps = static_cast<unsigned>(rint(ldexp(magnitude, digits - scale)));
    return static_cast<unsigned>((scale + bias - 1) << digits) + steps;
}

/// The code of a number that is no NaN.
template <class T>
__host__ __device__ inline fp8_storage fp8_encode(
    T magnitude, int exponent, bool negative, fp8_saturation saturation, fp8_interpretation format) {
    const unsigned greatest = format == e4m3 ? 0x7eu : 0x7bu;
    const unsigned bits = exponent > 20 ? 0x80u : fp8_magnitude(magnitude, exponent, format);
    const unsigned code = bits <= greatest ? bits : saturation == saturated ? greatest : format == e4m3 ? 0x7fu : 0x7cu;
    return static_cast<fp8_storage>(code | (negative ? 0x80u : 0u));
}

/// __nv_cvt_float_to_fp8
__host__ __device__ inline fp8_storage cvt_float_to_fp8(float x, fp8_saturation saturation, fp8_interpretation format) {
    unsigned bits = 0;
    memcpy(&bits, &x, sizeof(x));
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        return 0x7f;
    }
    return fp8_encode(fabsf(x), static_cast<int>(bits >> 23 & 0xff) - 127, bits >> 31 != 0, saturation, format);
}

/// __nv_cvt_double_to_fp8: rounded once, not by way of float.
__host__ __device__ inline fp8_storage cvt_double_to_fp8(double x, fp8_saturation saturation, fp8_interpretation format) {
    unsigned long long bits = 0;
    memcpy(&bits, &x, sizeof(x));
    const fp8_storage sign = static_cast<fp8_storage>(bits >> 63 << 7);
    if ((bits & 0x7fffffffffffffffull) > 0x7ff0000000000000ull) {
        return static_cast<fp8_storage>(sign | (format == e4m3 ? 0x7f : 0x7e | (bits >> 50 & 3)));
    }
    return fp8_encode(fabs(x), static_cast<int>(bits >> 52 & 0x7ff) - 1023, sign != 0, saturation, format);
}

/// __nv_cvt_halfraw_to_fp8
__host__ __device__ inline fp8_storage cvt_halfraw_to_fp8(
    __half_raw x, fp8_saturation saturation, fp8_interpretation format) {
    return cvt_float_to_fp8(__half2float(__half(x)), saturation, format);
}

/// __nv_cvt_bfloat16raw_to_fp8
template <class Raw>
__host__ __device__ inline fp8_storage cvt_bfloat16raw_to_fp8(
    const Raw& x, fp8_saturation saturation, fp8_interpretation format) {
    const unsigned bits = static_cast<unsigned>(x.x) << 16;
    float value = 0;
    memcpy(&value, &bits, sizeof(value));
    return cvt_float_to_fp8(value, saturation, format);
}

/// __nv_cvt_fp8_to_halfraw: exact; a NaN becomes 0x7fff.
__host__ __device__ inline __half_raw cvt_fp8_to_halfraw(fp8_storage code, fp8_interpretation format) {
    const unsigned magnitude = code & 0x7fu;
    unsigned half = magnitude << 8;  // E5M2 is the upper half of a half
    if (magnitude > (format == e4m3 ? 0x7eu : 0x7cu)) {
        half = 0x7fff;
    } else if (format == e4m3 && magnitude >= 8) {
        half = (magnitude << 7) + (8u << 10);  // the bias is 15, not 7
    } else if (format == e4m3) {
        const __half small = __float2half(static_cast<float>(magnitude) / 512);
        unsigned short bits = 0;
        memcpy(&bits, &small, sizeof(bits));
        half = bits;
    }
    if (half != 0x7fff) {
        half |= (code & 0x80u) << 8;
    }
    __half_raw result;
    result.x = static_cast<unsigned short>(half);
    return result;
}

/// __nv_cvt_float2_to_fp8x2 and its kin: the first element is in the low byte.
__host__ __device__ inline fp8x2_storage cvt_float2_to_fp8x2(
    float2 x, fp8_saturation saturation, fp8_interpretation format) {
    return static_cast<fp8x2_storage>(
        cvt_float_to_fp8(x.x, saturation, format) | cvt_float_to_fp8(x.y, saturation, format) << 8);
}
__host__ __device__ inline fp8x2_storage cvt_double2_to_fp8x2(
    double2 x, fp8_saturation saturation, fp8_interpretation format) {
    return static_cast<fp8x2_storage>(
        cvt_double_to_fp8(x.x, saturation, format) | cvt_double_to_fp8(x.y, saturation, format) << 8);
}
__host__ __device__ inline fp8x2_storage cvt_halfraw2_to_fp8x2(
    __half2_raw x, fp8_saturation saturation, fp8_interpretation format) {
    __half_raw parts[2];
    memcpy(parts, &x, sizeof(parts));
    return static_cast<fp8x2_storage>(
        cvt_halfraw_to_fp8(parts[0], saturation, format) | cvt_halfraw_to_fp8(parts[1], saturation, format) << 8);
}
template <class Raw>
__host__ __device__ inline fp8x2_storage cvt_bfloat16raw2_to_fp8x2(
    const Raw& x, fp8_saturation saturation, fp8_interpretation format) {
    struct {
        unsigned short x;
    } parts[2];
    memcpy(parts, &x, sizeof(parts));
    return static_cast<fp8x2_storage>(
        cvt_bfloat16raw_to_fp8(parts[0], saturation, format) | cvt_bfloat16raw_to_fp8(parts[1], saturation, format) << 8);
}
/// __nv_cvt_fp8x2_to_halfraw2
__host__ __device__ inline __half2_raw cvt_fp8x2_to_halfraw2(fp8x2_storage codes, fp8_interpretation format) {
    const __half_raw parts[2] = {cvt_fp8_to_halfraw(static_cast<fp8_storage>(codes & 0xff), format),
                                 cvt_fp8_to_halfraw(static_cast<fp8_storage>(codes >> 8), format)};
    __half2_raw result;
    memcpy(&result, parts, sizeof(result));
    return result;
}

/// __nv_fp8_e4m3 and __nv_fp8_e5m2
template <fp8_interpretation Format>
struct fp8 {
    fp8_storage __x;

    fp8() = default;
    __host__ __device__ explicit fp8(float x) : __x(cvt_float_to_fp8(x, saturated, Format)) {}
    __host__ __device__ explicit fp8(double x) : __x(cvt_double_to_fp8(x, saturated, Format)) {}
    __host__ __device__ explicit fp8(__half x) : fp8(__half2float(x)) {}
    __host__ __device__ explicit fp8(bfloat16 x) : fp8(static_cast<float>(x)) {}
    __host__ __device__ explicit fp8(int x) : fp8(static_cast<double>(x)) {}
    __host__ __device__ explicit fp8(unsigned x) : fp8(static_cast<double>(x)) {}
    __host__ __device__ explicit fp8(short x) : fp8(static_cast<float>(x)) {}
    __host__ __device__ explicit fp8(unsigned short x) : fp8(static_cast<float>(x)) {}
    __host__ __device__ explicit fp8(long x) : fp8(static_cast<double>(x)) {}
    __host__ __device__ explicit fp8(unsigned long x) : fp8(static_cast<double>(x)) {}
    __host__ __device__ explicit fp8(long long x) : fp8(static_cast<double>(x)) {}
    __host__ __device__ explicit fp8(unsigned long long x) : fp8(static_cast<double>(x)) {}

    __host__ __device__ explicit operator __half() const { return __half(cvt_fp8_to_halfraw(__x, Format)); }
    __host__ __device__ explicit operator float() const { return __half2float(static_cast<__half>(*this)); }
    __host__ __device__ explicit operator double() const { return static_cast<float>(*this); }
    __host__ __device__ explicit operator bfloat16() const { return bfloat16(static_cast<float>(*this)); }
    __host__ __device__ explicit operator bool() const { return (__x & 0x7f) != 0; }
    __host__ __device__ explicit operator int() const { return static_cast<int>(static_cast<float>(*this)); }
    __host__ __device__ explicit operator unsigned() const { return static_cast<unsigned>(static_cast<float>(*this)); }
};
using fp8_e4m3 = fp8<e4m3>;
using fp8_e5m2 = fp8<e5m2>;

/// __nv_fp8x2_e4m3 and __nv_fp8x2_e5m2
template <fp8_interpretation Format>
struct alignas(2) fp8x2 {
    fp8x2_storage __x;

    fp8x2() = default;
    __host__ __device__ explicit fp8x2(float2 x) : __x(cvt_float2_to_fp8x2(x, saturated, Format)) {}
    __host__ __device__ explicit fp8x2(double2 x) : __x(cvt_double2_to_fp8x2(x, saturated, Format)) {}
    __host__ __device__ explicit fp8x2(__half2 x) : fp8x2(__half22float2(x)) {}
    __host__ __device__ explicit fp8x2(bfloat162 x) : __x(cvt_bfloat16raw2_to_fp8x2(x, saturated, Format)) {}

    __host__ __device__ explicit operator __half2() const { return __half2(cvt_fp8x2_to_halfraw2(__x, Format)); }
    __host__ __device__ explicit operator float2() const { return __half22float2(static_cast<__half2>(*this)); }
};
using fp8x2_e4m3 = fp8x2<e4m3>;
using fp8x2_e5m2 = fp8x2<e5m2>;

/// __nv_fp8x4_e4m3 and __nv_fp8x4_e5m2
template <fp8_interpretation Format>
struct alignas(4) fp8x4 {
    fp8x4_storage __x;

    fp8x4() = default;
    __host__ __device__ fp8x4(fp8x2<Format> low, fp8x2<Format> high)
        : __x(low.__x | static_cast<fp8x4_storage>(high.__x) << 16) {}
    __host__ __device__ explicit fp8x4(float4 x)
        : fp8x4(fp8x2<Format>(make_float2(x.x, x.y)), fp8x2<Format>(make_float2(x.z, x.w))) {}
    __host__ __device__ explicit fp8x4(__half2 low, __half2 high) : fp8x4(fp8x2<Format>(low), fp8x2<Format>(high)) {}
    __host__ __device__ explicit fp8x4(bfloat162 low, bfloat162 high)
        : fp8x4(fp8x2<Format>(low), fp8x2<Format>(high)) {}

    __host__ __device__ explicit operator float4() const {
        fp8x2<Format> low, high;
        low.__x = static_cast<fp8x2_storage>(__x & 0xffff);
        high.__x = static_cast<fp8x2_storage>(__x >> 16);
        const float2 first = static_cast<float2>(low), second = static_cast<float2>(high);
        return make_float4(first.x, first.y, second.x, second.y);
    }
};
using fp8x4_e4m3 = fp8x4<e4m3>;
using fp8x4_e5m2 = fp8x4<e5m2>;

}  // namespace hipify
#endif
