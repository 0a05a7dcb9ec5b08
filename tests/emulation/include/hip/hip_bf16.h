// __hip_bfloat16 and __hip_bfloat162, as far as warp programs use them: arithmetic in float, rounded to nearest even.
#pragma once
#include <hip/hip_runtime.h>

struct __hip_bfloat16 {
    unsigned short bits;
    __hip_bfloat16() = default;
    __hip_bfloat16(float value) {
        const unsigned wide = emulation::same_bits<unsigned>(value);
        bits = static_cast<unsigned short>(value != value ? wide >> 16 | 64 : (wide + 0x7fff + (wide >> 16 & 1)) >> 16);
    }
    operator float() const { return emulation::same_bits<float>(static_cast<unsigned>(bits) << 16); }
};
struct alignas(4) __hip_bfloat162 {
    __hip_bfloat16 x, y;
};

EMULATION_ATOMIC __hip_bfloat16 __float2bfloat16(float v) { return v; }
EMULATION_ATOMIC float __bfloat162float(__hip_bfloat16 v) { return v; }
EMULATION_ATOMIC float2 __bfloat1622float2(__hip_bfloat162 v) { return {v.x, v.y}; }
EMULATION_ATOMIC __hip_bfloat162 __float22bfloat162_rn(float2 v) { return {v.x, v.y}; }
EMULATION_ATOMIC __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 a, __hip_bfloat16 b) { return {a, b}; }
EMULATION_ATOMIC __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 v) { return {v, v}; }
EMULATION_ATOMIC __hip_bfloat16 __hadd(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) + float(b); }
EMULATION_ATOMIC __hip_bfloat16 __hmul(__hip_bfloat16 a, __hip_bfloat16 b) { return float(a) * float(b); }
EMULATION_ATOMIC __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c) {
    return std::fma(float(a), float(b), float(c));
}
EMULATION_ATOMIC __hip_bfloat162 __hadd2(__hip_bfloat162 a, __hip_bfloat162 b) {
    return {__hadd(a.x, b.x), __hadd(a.y, b.y)};
}
EMULATION_ATOMIC __hip_bfloat162 __hmul2(__hip_bfloat162 a, __hip_bfloat162 b) {
    return {__hmul(a.x, b.x), __hmul(a.y, b.y)};
}
EMULATION_ATOMIC __hip_bfloat162 __hfma2(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c) {
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
