// Double-precision arithmetic rounded down, up and to zero, and quotients and roots of floats.
// HIP has functions of that kind, but without a special build of the device library they round to nearest. Here the
// nearest number is corrected by the sign of what it leaves out, which is computed exactly.
// Source: CUDA math API, double precision intrinsics; error-free transformations of sums and products.
// needs: uncontracted
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

enum class rounding { down, up, zero };

/// The next number towards plus (`up`) or minus infinity; from an infinity, the largest finite one.
__device__ inline double next_number(double x, bool up) {
    if (x == 0.0) return __longlong_as_double(up ? 1ll : static_cast<long long>(0x8000000000000001ull));
    const long long pattern = __double_as_longlong(x);
    return __longlong_as_double((x > 0.0) == up ? pattern + 1 : pattern - 1);
}
__device__ inline float next_number(float x, bool up) {
    if (x == 0.0f) return __int_as_float(up ? 1 : static_cast<int>(0x80000001u));
    const int pattern = __float_as_int(x);
    return __int_as_float((x > 0.0f) == up ? pattern + 1 : pattern - 1);
}

/// `near`, or its neighbour where that is the one asked for; `excess` has the sign of the exact result less `near`.
template <class Real>
__device__ inline Real corrected(Real near, double excess, rounding mode) {
    if (excess == 0.0 || near != near) return near;
    if (mode == rounding::zero) {
        const bool is_beyond = near > Real(0) ? excess < 0.0 : near < Real(0) && excess > 0.0;
        return is_beyond ? next_number(near, near < Real(0)) : near;
    }
    const bool up = mode == rounding::up;
    return (excess > 0.0) == up ? next_number(near, up) : near;
}

/// a + b is `sum` and what this returns
__device__ inline double sum_remainder(double a, double b, double sum) {
    const double part = dsub_rn(sum, a);
    return dadd_rn(dsub_rn(a, dsub_rn(sum, part)), dsub_rn(b, part));
}

/// The sign of a * b + c - near, exactly: the four numbers that it is the sum of are added without losing a bit.
__device__ inline double sign_of_rest(double a, double b, double c, double near) {
    double parts[4];
    const double product = dmul_rn(a, b);
    parts[0] = __fma_rn(a, b, -product);
    parts[1] = product;
    const double more[2] = {c, -near};
    for (int count = 2; count < 4; ++count) {
        double sum = more[count - 2];
        for (int k = 0; k < count; ++k) {
            const double before = sum;
            sum = dadd_rn(before, parts[k]);
            parts[k] = sum_remainder(before, parts[k], sum);
        }
        parts[count] = sum;
    }
    for (int k = 3; k > 0; --k) {
        if (parts[k] != 0.0) return parts[k];
    }
    return parts[0];
}

/// The sign of a * b + c - near for numbers of every size: mantissas first, so that nothing leaves the range of double.
__device__ inline double fma_excess(double a, double b, double c, double near) {
    if (a == 0.0 || b == 0.0 || !(fabs(a) < __int_as_float(0x7f800000) && fabs(b) < __int_as_float(0x7f800000) && fabs(c) < __int_as_float(0x7f800000))) return 0.0;
    if (fabs(near) == __int_as_float(0x7f800000)) return near > 0.0 ? -1.0 : 1.0;
    int exponent_a, exponent_b, exponent_c;
    a = frexp(a, &exponent_a);
    b = frexp(b, &exponent_b);
    c = frexp(c, &exponent_c);
    const int exponent = exponent_a + exponent_b;
    if (c != 0.0 && exponent_c - exponent > 200) return a * b;  // too small to be seen in `near`, which is c
    if (exponent_c - exponent < -200) exponent_c = exponent - 200;  // all that counts is its sign
    return sign_of_rest(a, b, ldexp(c, exponent_c - exponent), ldexp(near, -exponent));
}

__device__ inline double fma_rounded(double a, double b, double c, rounding mode) {
    const double near = __fma_rn(a, b, c);
    if (near == 0.0 && mode == rounding::down && fma_excess(a, b, c, near) == 0.0) {
        const bool product_is_negative = signbit(a) != signbit(b);
        return product_is_negative || signbit(c) ? -0.0 : 0.0;
    }
    return corrected(near, fma_excess(a, b, c, near), mode);
}
__device__ inline double product_rounded(double a, double b, rounding mode) {
    const double near = dmul_rn(a, b);
    return corrected(near, fma_excess(a, b, 0.0, near), mode);
}
__device__ inline double quotient_rounded(double a, double b, rounding mode) {
    const double near = __ddiv_rn(a, b);
    if (b == 0.0 || !(fabs(a) < __int_as_float(0x7f800000) && fabs(b) < __int_as_float(0x7f800000))) return near;
    if (fabs(near) == __int_as_float(0x7f800000)) return corrected(near, near > 0.0 ? -1.0 : 1.0, mode);
    int exponent_a, exponent_b;
    const double dividend = frexp(a, &exponent_a), divisor = frexp(b, &exponent_b);
    const double rest = __fma_rn(-ldexp(near, exponent_b - exponent_a), divisor, dividend);
    return corrected(near, b > 0.0 ? rest : -rest, mode);
}
__device__ inline double root_rounded(double x, rounding mode) {
    const double near = __dsqrt_rn(x);
    if (!(x > 0.0 && x < __int_as_float(0x7f800000))) return near;
    int exponent;
    double number = frexp(x, &exponent);
    if (exponent % 2 != 0) {
        number *= 2.0;
        --exponent;
    }
    const double root = ldexp(near, -exponent / 2);
    return corrected(near, __fma_rn(-root, root, number), mode);
}
__device__ inline float quotient_rounded(float a, float b, rounding mode) {
    const float near = __fdiv_rn(a, b);
    if (b == 0.0f || !(fabsf(a) < __int_as_float(0x7f800000) && fabsf(b) < __int_as_float(0x7f800000))) return near;
    if (fabsf(near) == __int_as_float(0x7f800000)) return corrected(near, near > 0.0f ? -1.0 : 1.0, mode);
    const double rest = __fma_rn(-static_cast<double>(near), b, a);
    return corrected(near, b > 0.0f ? rest : -rest, mode);
}
__device__ inline float root_rounded(float x, rounding mode) {
    const float near = __fsqrt_rn(x);
    if (!(x > 0.0f && x < __int_as_float(0x7f800000))) return near;
    return corrected(near, __fma_rn(-static_cast<double>(near), near, x), mode);
}

__device__ inline double dadd_rd(double a, double b) { return fma_rounded(a, 1.0, b, rounding::down); }
__device__ inline double dsub_rd(double a, double b) { return fma_rounded(a, 1.0, -b, rounding::down); }
__device__ inline double dmul_rd(double a, double b) { return product_rounded(a, b, rounding::down); }
__device__ inline double fma_rd(double a, double b, double c) { return fma_rounded(a, b, c, rounding::down); }
__device__ inline double ddiv_rd(double a, double b) { return quotient_rounded(a, b, rounding::down); }
__device__ inline double drcp_rd(double x) { return quotient_rounded(1.0, x, rounding::down); }
__device__ inline double dsqrt_rd(double x) { return root_rounded(x, rounding::down); }
__device__ inline float fdiv_rd(float a, float b) { return quotient_rounded(a, b, rounding::down); }
__device__ inline float frcp_rd(float x) { return quotient_rounded(1.0f, x, rounding::down); }
__device__ inline float fsqrt_rd(float x) { return root_rounded(x, rounding::down); }
__device__ inline double dadd_ru(double a, double b) { return fma_rounded(a, 1.0, b, rounding::up); }
__device__ inline double dsub_ru(double a, double b) { return fma_rounded(a, 1.0, -b, rounding::up); }
__device__ inline double dmul_ru(double a, double b) { return product_rounded(a, b, rounding::up); }
__device__ inline double fma_ru(double a, double b, double c) { return fma_rounded(a, b, c, rounding::up); }
__device__ inline double ddiv_ru(double a, double b) { return quotient_rounded(a, b, rounding::up); }
__device__ inline double drcp_ru(double x) { return quotient_rounded(1.0, x, rounding::up); }
__device__ inline double dsqrt_ru(double x) { return root_rounded(x, rounding::up); }
__device__ inline float fdiv_ru(float a, float b) { return quotient_rounded(a, b, rounding::up); }
__device__ inline float frcp_ru(float x) { return quotient_rounded(1.0f, x, rounding::up); }
__device__ inline float fsqrt_ru(float x) { return root_rounded(x, rounding::up); }
__device__ inline double dadd_rz(double a, double b) { return fma_rounded(a, 1.0, b, rounding::zero); }
__device__ inline double dsub_rz(double a, double b) { return fma_rounded(a, 1.0, -b, rounding::zero); }
__device__ inline double dmul_rz(double a, double b) { return product_rounded(a, b, rounding::zero); }
__device__ inline double fma_rz(double a, double b, double c) { return fma_rounded(a, b, c, rounding::zero); }
__device__ inline double ddiv_rz(double a, double b) { return quotient_rounded(a, b, rounding::zero); }
__device__ inline double drcp_rz(double x) { return quotient_rounded(1.0, x, rounding::zero); }
__device__ inline double dsqrt_rz(double x) { return root_rounded(x, rounding::zero); }
__device__ inline float fdiv_rz(float a, float b) { return quotient_rounded(a, b, rounding::zero); }
__device__ inline float frcp_rz(float x) { return quotient_rounded(1.0f, x, rounding::zero); }
__device__ inline float fsqrt_rz(float x) { return root_rounded(x, rounding::zero); }

}  // namespace hipify
#endif
