// Single-precision sums and products rounded towards zero, down and up.
// HIP has functions of that kind, but without a special build of the device library they round to nearest.
// Source: PTX ISA, rounding modifiers.
// needs: uncontracted
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// The next float towards plus (`up`) or minus infinity.
__device__ inline float next_float(float x, bool up) {
    if (x != x || x == (up ? __int_as_float(0x7f800000) : -__int_as_float(0x7f800000))) return x;
    if (x == 0.0f) return __uint_as_float(up ? 1u : 0x80000001u);
    const unsigned pattern = __float_as_uint(x);
    return __uint_as_float((x > 0.0f) == up ? pattern + 1 : pattern - 1);
}

/// `high + low` as a float that is not above (below) it; `low` is less than half a unit in the last place of `high`.
__device__ inline float round_down(double high, double low) {
    const float near = static_cast<float>(high);
    const double excess = static_cast<double>(near) - high;
    return excess > low && high - high == 0.0 ? next_float(near, false) : near;
}
__device__ inline float round_up(double high, double low) {
    const float near = static_cast<float>(high);
    const double excess = static_cast<double>(near) - high;
    return excess < low && high - high == 0.0 ? next_float(near, true) : near;
}
__device__ inline float round_zero(double high, double low) {
    return high > 0.0 ? round_down(high, low) : high < 0.0 ? round_up(high, low) : static_cast<float>(high);
}

/// What `a + b` in double precision leaves out.
__device__ inline double sum_error(double a, double b, double sum) {
    const double part = dsub_rn(sum, a);
    return dadd_rn(dsub_rn(a, dsub_rn(sum, part)), dsub_rn(b, part));
}

__device__ inline float fma_rz(float a, float b, float c) {
    const double product = static_cast<double>(a) * b, sum = dadd_rn(product, c);
    return round_zero(sum, sum_error(product, c, sum));
}
__device__ inline float fma_rm(float a, float b, float c) {
    const double product = static_cast<double>(a) * b, sum = dadd_rn(product, c);
    if (sum == 0.0 && (product != 0.0 || signbit(product) != signbit(c))) return -0.0f;
    return round_down(sum, sum_error(product, c, sum));
}
__device__ inline float fma_rp(float a, float b, float c) {
    const double product = static_cast<double>(a) * b, sum = dadd_rn(product, c);
    return round_up(sum, sum_error(product, c, sum));
}
__device__ inline float add_rz(float a, float b) { return fma_rz(a, 1.0f, b); }
__device__ inline float add_rm(float a, float b) { return fma_rm(a, 1.0f, b); }
__device__ inline float add_rp(float a, float b) { return fma_rp(a, 1.0f, b); }
__device__ inline float sub_rz(float a, float b) { return fma_rz(a, 1.0f, -b); }
__device__ inline float sub_rm(float a, float b) { return fma_rm(a, 1.0f, -b); }
__device__ inline float sub_rp(float a, float b) { return fma_rp(a, 1.0f, -b); }
__device__ inline float mul_rz(float a, float b) { return round_zero(static_cast<double>(a) * b, 0.0); }
__device__ inline float mul_rm(float a, float b) { return round_down(static_cast<double>(a) * b, 0.0); }
__device__ inline float mul_rp(float a, float b) { return round_up(static_cast<double>(a) * b, 0.0); }

}  // namespace hipify
#endif
