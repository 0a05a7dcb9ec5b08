// brings: FP16
// What HIP has not for 16-bit floats: atomic additions of single ones, and minima, maxima and products that keep NaN.
// Source: CUDA math API, half and bfloat16 arithmetic; CUDA programming guide, atomicAdd.
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

/// Adds two bytes by exchanging the four around them, until nobody came in between.
template <class T>
__device__ inline T add_two_bytes(T* address, T more) {
    const size_t place = reinterpret_cast<size_t>(address);
    unsigned* word = reinterpret_cast<unsigned*>(place & ~size_t(3));
    const unsigned shift = (place & 2) * 8;
    unsigned old = *word;
    for (;;) {
        const unsigned short before = static_cast<unsigned short>(old >> shift);
        T number = more;
        memcpy(&number, &before, sizeof(T));
        const T sum = __hadd(number, more);
        unsigned short after = 0;
        memcpy(&after, &sum, sizeof(T));
        const unsigned wanted = (old & ~(0xffffu << shift)) | static_cast<unsigned>(after) << shift;
        const unsigned seen = atomicCAS(word, old, wanted);
        if (seen == old) {
            return number;
        }
        old = seen;
    }
}

#if defined(__NVCC__)
using bfloat16 = __nv_bfloat16;
#else
using bfloat16 = __hip_bfloat16;

/// One instruction where the GPU has it, which may lose additions to memory that is shared with the host.
template <class Value>
__device__ inline __half2 atomic_add(__half2* address, Value value) {
    return unsafeAtomicAdd(address, static_cast<__half2>(value));
}
template <class Value>
__device__ inline __hip_bfloat162 atomic_add(__hip_bfloat162* address, Value value) {
    return unsafeAtomicAdd(address, static_cast<__hip_bfloat162>(value));
}
#endif

/// atomicAdd of every type that CUDA's takes.
template <class Value>
__device__ inline __half atomic_add(__half* address, Value value) {
    return add_two_bytes(address, static_cast<__half>(value));
}
template <class Value>
__device__ inline bfloat16 atomic_add(bfloat16* address, Value value) {
    return add_two_bytes(address, static_cast<bfloat16>(value));
}
template <class T, class Value>
__device__ inline auto atomic_add(T* address, Value value) -> decltype(atomicAdd(address, value)) {
    return atomicAdd(address, value);
}

/// __hmax2_nan
__device__ inline __half2 hmax2_nan(__half2 a, __half2 b) {
    return __halves2half2(__hmax_nan(__low2half(a), __low2half(b)), __hmax_nan(__high2half(a), __high2half(b)));
}
/// __hmin2_nan
__device__ inline __half2 hmin2_nan(__half2 a, __half2 b) {
    return __halves2half2(__hmin_nan(__low2half(a), __low2half(b)), __hmin_nan(__high2half(a), __high2half(b)));
}
/// __hfma_relu: a * b + c, zero in place of what is negative; a NaN stays.
template <class T>
__device__ inline T hfma_relu(T a, T b, T c) {
    const T result = __hfma(a, b, c);
    const T zero = T();
    return __hlt(result, zero) ? zero : result;
}
/// __hfma2_relu
__device__ inline __half2 hfma2_relu(__half2 a, __half2 b, __half2 c) {
    return __halves2half2(hfma_relu(__low2half(a), __low2half(b), __low2half(c)),
                          hfma_relu(__high2half(a), __high2half(b), __high2half(c)));
}

}  // namespace hipify
#endif
