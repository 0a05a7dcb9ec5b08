// needs: half
// Comparisons of pairs of 16-bit floats that give a mask, complex products of them, and saturated bfloat16 arithmetic.
// Source: CUDA math API, half2 comparison functions and bfloat16 arithmetic.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

#if defined(__NVCC__)
using bfloat162 = __nv_bfloat162;
#else
using bfloat162 = __hip_bfloat162;
#endif

/// All bits of a half where `compare` holds for its numbers; exact, because float holds every 16-bit float.
template <class Pair, class Compare>
__device__ inline unsigned pair_mask(Pair a, Pair b, Compare compare) {
    return (compare(__low2float(a), __low2float(b)) ? 0x0000ffffu : 0u) |
           (compare(__high2float(a), __high2float(b)) ? 0xffff0000u : 0u);
}
/// __heq2_mask and its kin: false where one of the numbers is NaN.
template <class Pair>
__device__ inline unsigned heq2_mask(Pair a, Pair b) {
    return pair_mask(a, b, [](float x, float y) { return x == y; });
}
template <class Pair>
__device__ inline unsigned hne2_mask(Pair a, Pair b) {
    return pair_mask(a, b, [](float x, float y) { return x < y || x > y; });
}
template <class Pair>
__device__ inline unsigned hle2_mask(Pair a, Pair b) {
    return pair_mask(a, b, [](float x, float y) { return x <= y; });
}
template <class Pair>
__device__ inline unsigned hge2_mask(Pair a, Pair b) {
    return pair_mask(a, b, [](float x, float y) { return x >= y; });
}
template <class Pair>
__device__ inline unsigned hlt2_mask(Pair a, Pair b) {
    return pair_mask(a, b, [](float x, float y) { return x < y; });
}
template <class Pair>
__device__ inline unsigned hgt2_mask(Pair a, Pair b) {
    return pair_mask(a, b, [](float x, float y) { return x > y; });
}
/// __hequ2_mask and its kin: true where one of the numbers is NaN.
template <class Pair>
__device__ inline unsigned hequ2_mask(Pair a, Pair b) {
    return ~hne2_mask(a, b);
}
template <class Pair>
__device__ inline unsigned hneu2_mask(Pair a, Pair b) {
    return ~heq2_mask(a, b);
}
template <class Pair>
__device__ inline unsigned hleu2_mask(Pair a, Pair b) {
    return ~hgt2_mask(a, b);
}
template <class Pair>
__device__ inline unsigned hgeu2_mask(Pair a, Pair b) {
    return ~hlt2_mask(a, b);
}
template <class Pair>
__device__ inline unsigned hltu2_mask(Pair a, Pair b) {
    return ~hge2_mask(a, b);
}
template <class Pair>
__device__ inline unsigned hgtu2_mask(Pair a, Pair b) {
    return ~hle2_mask(a, b);
}

/// __hcmadd: a * b + c, where x is the real and y the imaginary part
__device__ inline __half2 hcmadd(__half2 a, __half2 b, __half2 c) {
    const __half ax = __low2half(a), ay = __high2half(a), bx = __low2half(b), by = __high2half(b);
    return __halves2half2(__hfma(__hneg(ay), by, __hfma(ax, bx, __low2half(c))),
                          __hfma(ay, bx, __hfma(ax, by, __high2half(c))));
}
__device__ inline bfloat162 hcmadd(bfloat162 a, bfloat162 b, bfloat162 c) {
    const bfloat16 ax = __low2bfloat16(a), ay = __high2bfloat16(a), bx = __low2bfloat16(b), by = __high2bfloat16(b);
    return __halves2bfloat162(__hfma(__hneg(ay), by, __hfma(ax, bx, __low2bfloat16(c))),
                              __hfma(ay, bx, __hfma(ax, by, __high2bfloat16(c))));
}

/// A number brought to [0, 1]; NaN becomes 0.
__device__ inline bfloat16 to_unit(bfloat16 number) {
    const float wide = __bfloat162float(number);
    return __float2bfloat16(wide > 0.0f ? (wide < 1.0f ? wide : 1.0f) : 0.0f);
}
__device__ inline bfloat162 to_unit(bfloat162 pair) {
    return __halves2bfloat162(to_unit(__low2bfloat16(pair)), to_unit(__high2bfloat16(pair)));
}
/// __hadd_sat and its kin, which HIP has for __half
__device__ inline bfloat16 hadd_sat(bfloat16 a, bfloat16 b) { return to_unit(__hadd(a, b)); }
__device__ inline bfloat16 hsub_sat(bfloat16 a, bfloat16 b) { return to_unit(__hsub(a, b)); }
__device__ inline bfloat16 hmul_sat(bfloat16 a, bfloat16 b) { return to_unit(__hmul(a, b)); }
__device__ inline bfloat16 hfma_sat(bfloat16 a, bfloat16 b, bfloat16 c) { return to_unit(__hfma(a, b, c)); }
__device__ inline bfloat162 hadd2_sat(bfloat162 a, bfloat162 b) { return to_unit(__hadd2(a, b)); }
__device__ inline bfloat162 hsub2_sat(bfloat162 a, bfloat162 b) { return to_unit(__hsub2(a, b)); }
__device__ inline bfloat162 hmul2_sat(bfloat162 a, bfloat162 b) { return to_unit(__hmul2(a, b)); }
__device__ inline bfloat162 hfma2_sat(bfloat162 a, bfloat162 b, bfloat162 c) { return to_unit(__hfma2(a, b, c)); }

}  // namespace hipify
#endif
