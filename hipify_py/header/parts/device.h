// What device code is translated to where HIP has no name of its own for it.
#if defined(__CUDACC__)
// defines: unsafeAtomicAdd
#define unsafeAtomicAdd atomicAdd
#define amd_mixed_dot(a, b, c, clamp) __dp4a(a, b, c)
#define __builtin_amdgcn_s_sleep(time) __nanosleep(64 * (time))
#define __builtin_amdgcn_wave_barrier() __syncwarp()
#define __builtin_debugtrap() __brkpt()
static inline __host__ __device__ void hipify_trap() {
#if defined(__CUDA_ARCH__)
    __trap();
#else
    __builtin_trap();
#endif
}
#define __builtin_trap() hipify_trap()
#endif
