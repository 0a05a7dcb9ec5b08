// brings: FP16
// Conversions in templates that 16-bit floats of both kinds are given to.
// Source: CUDA math API, constructors of __half and __nv_bfloat16; HIP headers hip_fp16.h and hip_bf16.h, where a
// conversion between the two is ambiguous.
#if defined(__NVCC__)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#elif defined(HIPIFY_HAS_DEVICE_CODE)
#if !defined(__HIPCC_RTC__)  // hipRTC has it built in
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#endif
#endif

#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

template <class To, class From>
struct conversion {
    __host__ __device__ static To of(const From& value) { return static_cast<To>(value); }
};

#if !defined(__NVCC__)
// A float holds every number of either type, so that nothing is rounded twice.
template <>
struct conversion<__half, __hip_bfloat16> {
    __host__ __device__ static __half of(const __hip_bfloat16& value) {
        return static_cast<__half>(static_cast<float>(value));
    }
};

template <>
struct conversion<__hip_bfloat16, __half> {
    __host__ __device__ static __hip_bfloat16 of(const __half& value) {
        return static_cast<__hip_bfloat16>(static_cast<float>(value));
    }
};
#endif

/// static_cast<To>(value)
template <class To, class From>
__host__ __device__ inline To convert(const From& value) {
    return conversion<To, From>::of(value);
}

}  // namespace hipify
#endif
