// CUDA's math functions that HIP has for device code only, as host code calls them, and the minima and maxima of one
// type, which HIP has nowhere. Global names as CUDA's are; templates, so that any function of the same name comes first.
// Source: CUDA math API, the functions that are for the host, too; CUDA header crt/math_functions.h.
#if defined(HIPIFY_HAS_DEVICE_CODE) && !defined(__NVCC__)
#include <cmath>
#include <type_traits>

namespace hipify {

/// The type that a call is computed in: `float` for `float`, else `double`.
template <class T>
using real = typename std::enable_if<std::is_arithmetic<T>::value,
                                     typename std::conditional<std::is_same<T, float>::value, float, double>::type>::type;

constexpr double pi = 3.14159265358979323846, root_of_pi = 1.77245385090551602730, root_of_2 = 1.41421356237309504880;

/// exp(x * x) * erfc(x), from its series of 1 / (2 * x * x) where erfc would vanish
inline double scaled_erfc(double x) {
    if (x < 10.0) return std::exp(x * x) * std::erfc(x);
    double term = 1.0, sum = 1.0;
    for (int k = 1; k < 20; k += 2) {
        term *= -k / (2.0 * x * x);
        sum += term;
    }
    return sum / (x * root_of_pi);
}

/// The t of erfc(t) == y for 0 < y <= 1: a start from the tail of erfc, then Halley's steps
inline double tail_of_erfc(double y) {
    const double length = -std::log(y * (2.0 - y));
    const double part = 4.33074675 + 0.5 * -length;  // 2 / (pi * 0.147), the constant of Winitzki's formula
    double t = std::sqrt(std::sqrt(part * part + length / 0.147) - part);
    for (int step = 0; step < 4 && t > 0.0; ++step) {
        const double error = (y - std::erfc(t)) * 0.5 * root_of_pi * std::exp(t * t);
        t -= error / (1.0 + t * error);
    }
    return t;
}
inline double inverse_erfc(double y) {
    if (!(y >= 0.0 && y <= 2.0)) return std::nan("");
    if (y == 0.0) return HUGE_VAL;
    if (y == 2.0) return -HUGE_VAL;
    return y <= 1.0 ? tail_of_erfc(y) : -tail_of_erfc(2.0 - y);
}
inline double inverse_erf(double x) {
    if (std::fabs(x) >= 0.5) return x > 0.0 ? inverse_erfc(1.0 - x) : -inverse_erfc(1.0 + x);
    double t = x * 0.5 * root_of_pi;
    for (int step = 0; step < 4; ++step) {
        const double error = (std::erf(t) - x) * 0.5 * root_of_pi * std::exp(t * t);
        t -= error / (1.0 + t * error);
    }
    return t;
}

/// Sine and cosine of pi * x, exact at the multiples of a half
inline double sine_of_pi(double x) {
    const double rest = std::remainder(x, 2.0);
    if (rest == std::trunc(rest)) return std::copysign(0.0, x);
    return std::fabs(rest) <= 0.5 ? std::sin(pi * rest) : std::sin(pi * (std::copysign(1.0, rest) - rest));
}
inline double cosine_of_pi(double x) {
    const double rest = std::fabs(std::remainder(x, 2.0));
    return rest <= 0.25 ? std::cos(pi * rest) : rest >= 0.75 ? -std::cos(pi * (1.0 - rest)) : std::sin(pi * (0.5 - rest));
}

}  // namespace hipify

#define HIPIFY_HOST_MATH(name, value) \
    template <class T> \
    __host__ inline hipify::real<T> name(T number) { \
        const double x = static_cast<double>(number); \
        return static_cast<hipify::real<T>>(value); \
    } \
    template <class T, class = hipify::real<T>> \
    __host__ inline float name##f(T number) { \
        const double x = static_cast<float>(number); \
        return static_cast<float>(value); \
    }
HIPIFY_HOST_MATH(rsqrt, 1.0 / std::sqrt(x))
HIPIFY_HOST_MATH(rcbrt, 1.0 / std::cbrt(x))
HIPIFY_HOST_MATH(sinpi, hipify::sine_of_pi(x))
HIPIFY_HOST_MATH(cospi, hipify::cosine_of_pi(x))
HIPIFY_HOST_MATH(erfinv, hipify::inverse_erf(x))
HIPIFY_HOST_MATH(erfcinv, hipify::inverse_erfc(x))
HIPIFY_HOST_MATH(erfcx, hipify::scaled_erfc(x))
HIPIFY_HOST_MATH(normcdf, 0.5 * std::erfc(-x / hipify::root_of_2))
HIPIFY_HOST_MATH(normcdfinv, -hipify::root_of_2 * hipify::inverse_erfc(2.0 * x))
#undef HIPIFY_HOST_MATH

template <class T, class Result>
__host__ inline void sincospi(T x, Result* sine, Result* cosine) {
    *sine = static_cast<Result>(hipify::sine_of_pi(x));
    *cosine = static_cast<Result>(hipify::cosine_of_pi(x));
}
template <class T>
__host__ inline void sincospif(T x, float* sine, float* cosine) {
    sincospi(static_cast<float>(x), sine, cosine);
}

#define HIPIFY_EXTREMUM(name, type, sign) \
    template <class A, class B> \
    __host__ __device__ inline type name(A a, B b) { \
        return static_cast<type>(a) sign static_cast<type>(b) ? static_cast<type>(a) : static_cast<type>(b); \
    }
HIPIFY_EXTREMUM(umin, unsigned int, <)
HIPIFY_EXTREMUM(umax, unsigned int, >)
HIPIFY_EXTREMUM(llmin, long long, <)
HIPIFY_EXTREMUM(llmax, long long, >)
HIPIFY_EXTREMUM(ullmin, unsigned long long, <)
HIPIFY_EXTREMUM(ullmax, unsigned long long, >)
#undef HIPIFY_EXTREMUM
#endif
