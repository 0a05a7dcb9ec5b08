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

// HIP's lane masks have 64 bits. For these types alone, so that masks of 32 bits go where they went.
template <typename Mask, typename Result> struct hipify_wide_mask {};
template <typename Result> struct hipify_wide_mask<unsigned long long, Result> { typedef Result type; };
template <typename Result> struct hipify_wide_mask<unsigned long, Result> { typedef Result type; };
#define HIPIFY_SHUFFLE(name, lane_type)                                                                        \
    template <typename Mask, typename T>                                                                       \
    static inline __device__ typename hipify_wide_mask<Mask, T>::type name(Mask mask, T value, lane_type lane, \
                                                                           int width = 32) {                   \
        return name(static_cast<unsigned int>(mask), value, lane, width);                                      \
    }
#define HIPIFY_VOTE(result, name)                                                                                 \
    template <typename Mask>                                                                                      \
    static inline __device__ typename hipify_wide_mask<Mask, result>::type name(Mask mask, int predicate) {       \
        return name(static_cast<unsigned int>(mask), predicate);                                                  \
    }
HIPIFY_SHUFFLE(__shfl_sync, int)
HIPIFY_SHUFFLE(__shfl_up_sync, unsigned int)
HIPIFY_SHUFFLE(__shfl_down_sync, unsigned int)
HIPIFY_SHUFFLE(__shfl_xor_sync, int)
HIPIFY_VOTE(unsigned int, __ballot_sync)
HIPIFY_VOTE(int, __any_sync)
HIPIFY_VOTE(int, __all_sync)
#undef HIPIFY_SHUFFLE
#undef HIPIFY_VOTE
template <typename Mask>
static inline __device__ typename hipify_wide_mask<Mask, void>::type __syncwarp(Mask mask) {
    __syncwarp(static_cast<unsigned int>(mask));
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
template <typename Mask, typename T>
static inline __device__ typename hipify_wide_mask<Mask, unsigned int>::type __match_any_sync(Mask mask, T value) {
    return __match_any_sync(static_cast<unsigned int>(mask), value);
}
template <typename Mask, typename T>
static inline __device__ typename hipify_wide_mask<Mask, unsigned int>::type __match_all_sync(Mask mask, T value,
                                                                                              int *all) {
    return __match_all_sync(static_cast<unsigned int>(mask), value, all);
}
#endif

// HIP's own device functions.
static inline __device__ unsigned int __lane_id() {
    unsigned int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
static inline __device__ unsigned int __smid() {
    unsigned int unit;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
    return unit;
}
static inline __device__ long long int wall_clock64() {  // in nanoseconds
    long long int now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
#if CUDART_VERSION >= 12080
#define __HIP_MEMORY_SCOPE_SINGLETHREAD __NV_THREAD_SCOPE_THREAD
#define __HIP_MEMORY_SCOPE_WAVEFRONT __NV_THREAD_SCOPE_BLOCK
#define __HIP_MEMORY_SCOPE_WORKGROUP __NV_THREAD_SCOPE_BLOCK
#define __HIP_MEMORY_SCOPE_AGENT __NV_THREAD_SCOPE_DEVICE
#define __HIP_MEMORY_SCOPE_SYSTEM __NV_THREAD_SCOPE_SYSTEM
#define __hip_atomic_load __nv_atomic_load_n
#define __hip_atomic_store __nv_atomic_store_n
#define __hip_atomic_exchange __nv_atomic_exchange_n
#define __hip_atomic_fetch_add __nv_atomic_fetch_add
#define __hip_atomic_fetch_and __nv_atomic_fetch_and
#define __hip_atomic_fetch_or __nv_atomic_fetch_or
#define __hip_atomic_fetch_xor __nv_atomic_fetch_xor
#define __hip_atomic_fetch_max __nv_atomic_fetch_max
#define __hip_atomic_fetch_min __nv_atomic_fetch_min
#endif
#endif
