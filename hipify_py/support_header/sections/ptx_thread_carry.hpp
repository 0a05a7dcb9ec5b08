// PTX's carry flag, for carries that pass from one function or macro to another: a byte of shared memory a thread.
// Source: PTX ISA, extended-precision integer arithmetic (the condition code register); HIP C++ language extensions.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// The carry of this thread, 0 or 1.
__device__ inline unsigned char& thread_carry() {
    __shared__ unsigned char carries[1024];  // no block has more threads
    return carries[(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x];
}

}  // namespace hipify
#endif
