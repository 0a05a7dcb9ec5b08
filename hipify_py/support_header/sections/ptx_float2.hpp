// Arithmetic on pairs of floats in 64 bits, the first in the lower half.
// Source: PTX ISA, add, sub, mul and fma with the type f32x2.
// needs: uncontracted
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

__device__ inline float lower_float(unsigned long long pair) { return __uint_as_float(static_cast<unsigned>(pair)); }
__device__ inline float upper_float(unsigned long long pair) {
    return __uint_as_float(static_cast<unsigned>(pair >> 32));
}
__device__ inline unsigned long long pair_of_floats(float lower, float upper) {
    return static_cast<unsigned long long>(__float_as_uint(upper)) << 32 | __float_as_uint(lower);
}
__device__ inline unsigned long long add_f32x2(unsigned long long a, unsigned long long b) {
    return pair_of_floats(fadd_rn(lower_float(a), lower_float(b)), fadd_rn(upper_float(a), upper_float(b)));
}
__device__ inline unsigned long long sub_f32x2(unsigned long long a, unsigned long long b) {
    return pair_of_floats(fsub_rn(lower_float(a), lower_float(b)), fsub_rn(upper_float(a), upper_float(b)));
}
__device__ inline unsigned long long mul_f32x2(unsigned long long a, unsigned long long b) {
    return pair_of_floats(fmul_rn(lower_float(a), lower_float(b)), fmul_rn(upper_float(a), upper_float(b)));
}
__device__ inline unsigned long long fma_f32x2(unsigned long long a, unsigned long long b, unsigned long long c) {
    return pair_of_floats(fmaf(lower_float(a), lower_float(b), lower_float(c)),
                          fmaf(upper_float(a), upper_float(b), upper_float(c)));
}

}  // namespace hipify
#endif
