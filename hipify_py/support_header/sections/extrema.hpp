// CUDA's global min and max where HIP computes in another type: for the host it has those of int only, and on the device
// it takes integers of two types for double.
// Source: CUDA header crt/math_functions.h; clang headers __clang_hip_math.h and __clang_hip_cmath.h.
#if defined(HIPIFY_HAS_DEVICE_CODE) && !defined(__NVCC__)
#define HIPIFY_INTEGERS(side, A, B, R) \
    side inline R(min)(A a, B b) { return R(a) < R(b) ? R(a) : R(b); } \
    side inline R(max)(A a, B b) { return R(a) > R(b) ? R(a) : R(b); }
#define HIPIFY_REALS(A, B, R) \
    __host__ inline R(min)(A a, B b) { return a < b || b != b ? R(a) : R(b); } \
    __host__ inline R(max)(A a, B b) { return a > b || b != b ? R(a) : R(b); }
#define HIPIFY_MIXED(side, A, B, R) HIPIFY_INTEGERS(side, A, B, R) HIPIFY_INTEGERS(side, B, A, R)
#define HIPIFY_MIXED_SIGNS(side) \
    HIPIFY_MIXED(side, int, hipify_uint, hipify_uint) \
    HIPIFY_MIXED(side, long, hipify_ulong, hipify_ulong) \
    HIPIFY_MIXED(side, hipify_llong, hipify_ullong, hipify_ullong)
#define HIPIFY_PROMOTED(A) HIPIFY_MIXED(__device__, A, int, int) HIPIFY_MIXED(__device__, A, hipify_uint, hipify_uint)
#define HIPIFY_SMALL(A, B) HIPIFY_MIXED(__device__, A, B, int)

using hipify_schar = signed char;
using hipify_uchar = unsigned char;
using hipify_ushort = unsigned short;
using hipify_uint = unsigned int;
using hipify_ulong = unsigned long;
using hipify_llong = long long;
using hipify_ullong = unsigned long long;

HIPIFY_MIXED_SIGNS(__device__)
HIPIFY_PROMOTED(bool)
HIPIFY_PROMOTED(char)
HIPIFY_PROMOTED(hipify_schar)
HIPIFY_PROMOTED(hipify_uchar)
HIPIFY_PROMOTED(short)
HIPIFY_PROMOTED(hipify_ushort)
HIPIFY_SMALL(char, hipify_schar)
HIPIFY_SMALL(char, hipify_uchar)
HIPIFY_SMALL(char, short)
HIPIFY_SMALL(char, hipify_ushort)
HIPIFY_SMALL(hipify_schar, hipify_uchar)
HIPIFY_SMALL(hipify_schar, short)
HIPIFY_SMALL(hipify_schar, hipify_ushort)
HIPIFY_SMALL(hipify_uchar, short)
HIPIFY_SMALL(hipify_uchar, hipify_ushort)
HIPIFY_SMALL(short, hipify_ushort)

#if !defined(__HIP_DEFINE_MIXED_HOST_MIN_MAX__) || !__HIP_DEFINE_MIXED_HOST_MIN_MAX__
HIPIFY_MIXED_SIGNS(__host__)
#endif
#if !defined(__HIP_DEFINE_EXTENDED_HOST_MIN_MAX__) || !__HIP_DEFINE_EXTENDED_HOST_MIN_MAX__
HIPIFY_INTEGERS(__host__, hipify_uint, hipify_uint, hipify_uint)
HIPIFY_INTEGERS(__host__, long, long, long)
HIPIFY_INTEGERS(__host__, hipify_ulong, hipify_ulong, hipify_ulong)
HIPIFY_INTEGERS(__host__, hipify_llong, hipify_llong, hipify_llong)
HIPIFY_INTEGERS(__host__, hipify_ullong, hipify_ullong, hipify_ullong)
HIPIFY_REALS(float, float, float)
HIPIFY_REALS(double, double, double)
HIPIFY_REALS(float, double, double)
HIPIFY_REALS(double, float, double)
#endif

#undef HIPIFY_INTEGERS
#undef HIPIFY_REALS
#undef HIPIFY_MIXED
#undef HIPIFY_MIXED_SIGNS
#undef HIPIFY_PROMOTED
#undef HIPIFY_SMALL
#endif
