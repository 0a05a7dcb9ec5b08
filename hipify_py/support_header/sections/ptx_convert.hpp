// Conversions that stop at the ends of the narrower type's range.
// Source: PTX ISA, cvt.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// `value` as the integer type `To`, or the end of its range that is next.
template <typename To, typename From>
__device__ inline To saturate(From value) {
    constexpr bool is_signed = To(-1) < To(0);
    constexpr unsigned long long top = is_signed ? (1ull << (8 * sizeof(To) - 1)) - 1 : ~0ull >> (64 - 8 * sizeof(To));
    if (value < From(0)) {
        if (!is_signed) return 0;
        return static_cast<long long>(value) < -static_cast<long long>(top) - 1 ? static_cast<To>(~top)
                                                                                 : static_cast<To>(value);
    }
    return static_cast<unsigned long long>(value) > top ? static_cast<To>(top) : static_cast<To>(value);
}

/// To the nearest integer (rni), towards zero (rzi), down (rmi), up (rpi); 0 for what is no number.
__device__ inline int float2int_rni(float x) { return __float2int_rn(x); }
__device__ inline int float2int_rzi(float x) { return __float2int_rz(x); }
__device__ inline int float2int_rmi(float x) { return __float2int_rd(x); }
__device__ inline int float2int_rpi(float x) { return __float2int_ru(x); }

}  // namespace hipify
#endif
