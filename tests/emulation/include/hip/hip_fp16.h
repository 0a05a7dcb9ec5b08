// __half and __half2, as far as warp programs use them: arithmetic in float, rounded after each operation.
#pragma once
#include <hip/hip_runtime.h>

struct __half {
    _Float16 v;
    __half() = default;
    __half(float value) : v(static_cast<_Float16>(value)) {}
    operator float() const { return static_cast<float>(v); }
};
struct alignas(4) __half2 {
    __half x, y;
};
using half = __half;
using half2 = __half2;

EMULATION_ATOMIC __half __float2half(float v) { return __half(v); }
EMULATION_ATOMIC __half __float2half_rn(float v) { return __half(v); }
EMULATION_ATOMIC float __half2float(__half v) { return v; }
EMULATION_ATOMIC __half __ushort_as_half(unsigned short v) { return emulation::same_bits<__half>(v); }
EMULATION_ATOMIC unsigned short __half_as_ushort(__half v) { return emulation::same_bits<unsigned short>(v); }
#define EMULATION_HALF(name, op)                                                                           \
    EMULATION_ATOMIC __half __h##name(__half a, __half b) { return float(a) op float(b); }                 \
    EMULATION_ATOMIC __half2 __h##name##2(__half2 a, __half2 b) {                                          \
        return {__h##name(a.x, b.x), __h##name(a.y, b.y)};                                                 \
    }
EMULATION_HALF(add, +)
EMULATION_HALF(sub, -)
EMULATION_HALF(mul, *)
#define EMULATION_HALF_COMPARE(name, op)                                                                   \
    EMULATION_ATOMIC bool __h##name(__half a, __half b) { return float(a) op float(b); }                   \
    EMULATION_ATOMIC __half2 __h##name##2(__half2 a, __half2 b) {                                          \
        return {__half(float(__h##name(a.x, b.x))), __half(float(__h##name(a.y, b.y)))};                   \
    }
EMULATION_HALF_COMPARE(lt, <)
EMULATION_HALF_COMPARE(gt, >)
EMULATION_HALF_COMPARE(le, <=)
EMULATION_HALF_COMPARE(ge, >=)
EMULATION_HALF_COMPARE(eq, ==)
EMULATION_ATOMIC __half __hfma(__half a, __half b, __half c) { return std::fma(float(a), float(b), float(c)); }
EMULATION_ATOMIC __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
EMULATION_ATOMIC __half2 __half2half2(__half v) { return {v, v}; }
EMULATION_ATOMIC __half2 __halves2half2(__half a, __half b) { return {a, b}; }
EMULATION_ATOMIC __half2 __float2half2_rn(float v) { return {__half(v), __half(v)}; }
EMULATION_ATOMIC __half2 __floats2half2_rn(float a, float b) { return {__half(a), __half(b)}; }
EMULATION_ATOMIC float2 __half22float2(__half2 v) { return {v.x, v.y}; }
EMULATION_ATOMIC __half __low2half(__half2 v) { return v.x; }
EMULATION_ATOMIC __half __high2half(__half2 v) { return v.y; }
EMULATION_ATOMIC __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }

namespace emulation {
template <typename T, typename Shuffle> EMULATION_ATOMIC T shuffle_half(T value, Shuffle shuffle) {
    unsigned bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = shuffle(bits);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
}  // namespace emulation
#define EMULATION_HALF_SHUFFLE(T, name, parameter)                                                                   \
    EMULATION_ATOMIC T name(T value, parameter argument, int width = warpSize) {                                     \
        return emulation::shuffle_half(                                                                              \
            value, [&](unsigned bits) EMULATION_COMBINE { return name(bits, argument, width); });                    \
    }
#define EMULATION_HALF_SHUFFLES(T)                \
    EMULATION_HALF_SHUFFLE(T, __shfl, int)        \
    EMULATION_HALF_SHUFFLE(T, __shfl_up, unsigned)   \
    EMULATION_HALF_SHUFFLE(T, __shfl_down, unsigned) \
    EMULATION_HALF_SHUFFLE(T, __shfl_xor, int)
EMULATION_HALF_SHUFFLES(__half)
EMULATION_HALF_SHUFFLES(__half2)
