// Sums, differences and products that no compiler merges into a fused multiply-add.
// CUDA's __fmul_rn and its kin never are (CUDA math API, "Single Precision Intrinsics"). HIP's are plain operators, and
// hipcc contracts them by default: error-free transformations lose what they are for.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

#if defined(__NVCC__)
#define HIPIFY_UNCONTRACTED(type, name, sign) \
    __device__ inline type name(type a, type b) { return __##name(a, b); }
#else
#define HIPIFY_UNCONTRACTED(type, name, sign)     \
    __device__ inline type name(type a, type b) { \
        _Pragma("clang fp contract(off)") return a sign b; \
    }
#endif
HIPIFY_UNCONTRACTED(float, fadd_rn, +)
HIPIFY_UNCONTRACTED(float, fsub_rn, -)
HIPIFY_UNCONTRACTED(float, fmul_rn, *)
HIPIFY_UNCONTRACTED(double, dadd_rn, +)
HIPIFY_UNCONTRACTED(double, dsub_rn, -)
HIPIFY_UNCONTRACTED(double, dmul_rn, *)
#undef HIPIFY_UNCONTRACTED

}  // namespace hipify
#endif
