// CUDA's SIMD intrinsics: arithmetic on the four bytes or two 16-bit numbers of a word, __vadd4 and the like.
// Source: CUDA math API, SIMD intrinsics.
// needs: ptx_simd
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

struct packed_equal {
    __device__ int operator()(int a, int b) const { return a == b; }
};
struct packed_unequal {
    __device__ int operator()(int a, int b) const { return a != b; }
};
struct packed_at_least {
    __device__ int operator()(int a, int b) const { return a >= b; }
};
struct packed_greater {
    __device__ int operator()(int a, int b) const { return a > b; }
};
struct packed_at_most {
    __device__ int operator()(int a, int b) const { return a <= b; }
};
struct packed_less {
    __device__ int operator()(int a, int b) const { return a < b; }
};
struct packed_half_sum {
    __device__ int operator()(int a, int b) const { return (a + b) >> 1; }
};
template <typename Comparison>
struct packed_mask {
    __device__ int operator()(int a, int b) const { return -Comparison()(a, b); }
};

/// The operation on pairs of parts that are all signed or all unsigned.
template <int Count, typename T, typename Operation>
__device__ inline unsigned packed_parts(Operation operation, unsigned a, unsigned b) {
    return packed<Count, T, T, T>(operation, a, b);
}
template <int Count, typename T, typename Operation>
__device__ inline unsigned packed_parts_saturated(Operation operation, unsigned a, unsigned b) {
    return packed_saturated<Count, T, T, T>(operation, a, b);
}

/// Sums and differences: of the low bits, and kept within what a signed or unsigned part holds.
__device__ inline unsigned vadd2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_add(), a, b);
}
__device__ inline unsigned vadd4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_add(), a, b);
}
__device__ inline unsigned vsub2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_sub(), a, b);
}
__device__ inline unsigned vsub4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_sub(), a, b);
}
__device__ inline unsigned vaddss2(unsigned a, unsigned b) {
    return packed_parts_saturated<2, int>(packed_add(), a, b);
}
__device__ inline unsigned vaddss4(unsigned a, unsigned b) {
    return packed_parts_saturated<4, int>(packed_add(), a, b);
}
__device__ inline unsigned vaddus2(unsigned a, unsigned b) {
    return packed_parts_saturated<2, unsigned>(packed_add(), a, b);
}
__device__ inline unsigned vaddus4(unsigned a, unsigned b) {
    return packed_parts_saturated<4, unsigned>(packed_add(), a, b);
}
__device__ inline unsigned vsubss2(unsigned a, unsigned b) {
    return packed_parts_saturated<2, int>(packed_sub(), a, b);
}
__device__ inline unsigned vsubss4(unsigned a, unsigned b) {
    return packed_parts_saturated<4, int>(packed_sub(), a, b);
}
__device__ inline unsigned vsubus2(unsigned a, unsigned b) {
    return packed_parts_saturated<2, unsigned>(packed_sub(), a, b);
}
__device__ inline unsigned vsubus4(unsigned a, unsigned b) {
    return packed_parts_saturated<4, unsigned>(packed_sub(), a, b);
}

/// The distance of two parts; the greater and the smaller one.
__device__ inline unsigned vabsdiffs2(unsigned a, unsigned b) {
    return packed_parts<2, int>(packed_absdiff(), a, b);
}
__device__ inline unsigned vabsdiffs4(unsigned a, unsigned b) {
    return packed_parts<4, int>(packed_absdiff(), a, b);
}
__device__ inline unsigned vabsdiffu2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_absdiff(), a, b);
}
__device__ inline unsigned vabsdiffu4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_absdiff(), a, b);
}
__device__ inline unsigned vmaxs2(unsigned a, unsigned b) {
    return packed_parts<2, int>(packed_max(), a, b);
}
__device__ inline unsigned vmaxs4(unsigned a, unsigned b) {
    return packed_parts<4, int>(packed_max(), a, b);
}
__device__ inline unsigned vmaxu2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_max(), a, b);
}
__device__ inline unsigned vmaxu4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_max(), a, b);
}
__device__ inline unsigned vmins2(unsigned a, unsigned b) {
    return packed_parts<2, int>(packed_min(), a, b);
}
__device__ inline unsigned vmins4(unsigned a, unsigned b) {
    return packed_parts<4, int>(packed_min(), a, b);
}
__device__ inline unsigned vminu2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_min(), a, b);
}
__device__ inline unsigned vminu4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_min(), a, b);
}

/// Averages: rounded away from zero, and downwards.
__device__ inline unsigned vavgs2(unsigned a, unsigned b) {
    return packed_parts<2, int>(packed_avrg(), a, b);
}
__device__ inline unsigned vavgs4(unsigned a, unsigned b) {
    return packed_parts<4, int>(packed_avrg(), a, b);
}
__device__ inline unsigned vavgu2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_avrg(), a, b);
}
__device__ inline unsigned vavgu4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_avrg(), a, b);
}
__device__ inline unsigned vhaddu2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_half_sum(), a, b);
}
__device__ inline unsigned vhaddu4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_half_sum(), a, b);
}

/// Negative and absolute values; the plain ones leave the least number of a part as it is.
__device__ inline unsigned vneg2(unsigned a) { return vsub2(0, a); }
__device__ inline unsigned vnegss2(unsigned a) { return vsubss2(0, a); }
__device__ inline unsigned vabs2(unsigned a) {
    return packed_parts<2, int>(packed_absdiff(), a, 0);
}
__device__ inline unsigned vabsss2(unsigned a) {
    return packed_parts_saturated<2, int>(packed_absdiff(), a, 0);
}
__device__ inline unsigned vneg4(unsigned a) { return vsub4(0, a); }
__device__ inline unsigned vnegss4(unsigned a) { return vsubss4(0, a); }
__device__ inline unsigned vabs4(unsigned a) {
    return packed_parts<4, int>(packed_absdiff(), a, 0);
}
__device__ inline unsigned vabsss4(unsigned a) {
    return packed_parts_saturated<4, int>(packed_absdiff(), a, 0);
}

/// The sum of the distances of all parts.
__device__ inline unsigned vsads2(unsigned a, unsigned b) {
    return packed_sum<2, int, int>(packed_absdiff(), a, b, 0);
}
__device__ inline unsigned vsads4(unsigned a, unsigned b) {
    return packed_sum<4, int, int>(packed_absdiff(), a, b, 0);
}
__device__ inline unsigned vsadu2(unsigned a, unsigned b) {
    return packed_sum<2, unsigned, unsigned>(packed_absdiff(), a, b, 0);
}
__device__ inline unsigned vsadu4(unsigned a, unsigned b) {
    return packed_sum<4, unsigned, unsigned>(packed_absdiff(), a, b, 0);
}

/// Comparisons: all bits of a part are set where it holds.
__device__ inline unsigned vcmpeq2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_mask<packed_equal>(), a, b);
}
__device__ inline unsigned vcmpeq4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_mask<packed_equal>(), a, b);
}
__device__ inline unsigned vcmpne2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_mask<packed_unequal>(), a, b);
}
__device__ inline unsigned vcmpne4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_mask<packed_unequal>(), a, b);
}
__device__ inline unsigned vcmpges2(unsigned a, unsigned b) {
    return packed_parts<2, int>(packed_mask<packed_at_least>(), a, b);
}
__device__ inline unsigned vcmpges4(unsigned a, unsigned b) {
    return packed_parts<4, int>(packed_mask<packed_at_least>(), a, b);
}
__device__ inline unsigned vcmpgeu2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_mask<packed_at_least>(), a, b);
}
__device__ inline unsigned vcmpgeu4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_mask<packed_at_least>(), a, b);
}
__device__ inline unsigned vcmpgts2(unsigned a, unsigned b) {
    return packed_parts<2, int>(packed_mask<packed_greater>(), a, b);
}
__device__ inline unsigned vcmpgts4(unsigned a, unsigned b) {
    return packed_parts<4, int>(packed_mask<packed_greater>(), a, b);
}
__device__ inline unsigned vcmpgtu2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_mask<packed_greater>(), a, b);
}
__device__ inline unsigned vcmpgtu4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_mask<packed_greater>(), a, b);
}
__device__ inline unsigned vcmples2(unsigned a, unsigned b) {
    return packed_parts<2, int>(packed_mask<packed_at_most>(), a, b);
}
__device__ inline unsigned vcmples4(unsigned a, unsigned b) {
    return packed_parts<4, int>(packed_mask<packed_at_most>(), a, b);
}
__device__ inline unsigned vcmpleu2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_mask<packed_at_most>(), a, b);
}
__device__ inline unsigned vcmpleu4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_mask<packed_at_most>(), a, b);
}
__device__ inline unsigned vcmplts2(unsigned a, unsigned b) {
    return packed_parts<2, int>(packed_mask<packed_less>(), a, b);
}
__device__ inline unsigned vcmplts4(unsigned a, unsigned b) {
    return packed_parts<4, int>(packed_mask<packed_less>(), a, b);
}
__device__ inline unsigned vcmpltu2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_mask<packed_less>(), a, b);
}
__device__ inline unsigned vcmpltu4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_mask<packed_less>(), a, b);
}

/// Comparisons: a part is 1 where it holds, else 0.
__device__ inline unsigned vseteq2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_equal(), a, b);
}
__device__ inline unsigned vseteq4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_equal(), a, b);
}
__device__ inline unsigned vsetne2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_unequal(), a, b);
}
__device__ inline unsigned vsetne4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_unequal(), a, b);
}
__device__ inline unsigned vsetges2(unsigned a, unsigned b) {
    return packed_parts<2, int>(packed_at_least(), a, b);
}
__device__ inline unsigned vsetges4(unsigned a, unsigned b) {
    return packed_parts<4, int>(packed_at_least(), a, b);
}
__device__ inline unsigned vsetgeu2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_at_least(), a, b);
}
__device__ inline unsigned vsetgeu4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_at_least(), a, b);
}
__device__ inline unsigned vsetgts2(unsigned a, unsigned b) {
    return packed_parts<2, int>(packed_greater(), a, b);
}
__device__ inline unsigned vsetgts4(unsigned a, unsigned b) {
    return packed_parts<4, int>(packed_greater(), a, b);
}
__device__ inline unsigned vsetgtu2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_greater(), a, b);
}
__device__ inline unsigned vsetgtu4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_greater(), a, b);
}
__device__ inline unsigned vsetles2(unsigned a, unsigned b) {
    return packed_parts<2, int>(packed_at_most(), a, b);
}
__device__ inline unsigned vsetles4(unsigned a, unsigned b) {
    return packed_parts<4, int>(packed_at_most(), a, b);
}
__device__ inline unsigned vsetleu2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_at_most(), a, b);
}
__device__ inline unsigned vsetleu4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_at_most(), a, b);
}
__device__ inline unsigned vsetlts2(unsigned a, unsigned b) {
    return packed_parts<2, int>(packed_less(), a, b);
}
__device__ inline unsigned vsetlts4(unsigned a, unsigned b) {
    return packed_parts<4, int>(packed_less(), a, b);
}
__device__ inline unsigned vsetltu2(unsigned a, unsigned b) {
    return packed_parts<2, unsigned>(packed_less(), a, b);
}
__device__ inline unsigned vsetltu4(unsigned a, unsigned b) {
    return packed_parts<4, unsigned>(packed_less(), a, b);
}

}  // namespace hipify
#endif
