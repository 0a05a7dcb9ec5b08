// What device code is translated to where HIP has no name of its own for it.
#if defined(__CUDACC__)
// defines: unsafeAtomicAdd
#define unsafeAtomicAdd atomicAdd
#define amd_mixed_dot(a, b, c, clamp) __dp4a(a, b, c)
#define __builtin_amdgcn_s_sleep(time) __nanosleep(64 * (time))
#define __builtin_amdgcn_wave_barrier() __syncwarp()
#define __builtin_nontemporal_load(address) __ldcs(address)
#define __builtin_nontemporal_store(value, address) __stcs(address, value)
#define __builtin_amdgcn_fence(...) __threadfence_system()
#define __builtin_amdgcn_is_shared(address) __isShared(address)
#define __builtin_amdgcn_is_private(address) __isLocal(address)
#define __builtin_debugtrap() __brkpt()
static inline __host__ __device__ void hipify_trap() {
#if defined(__CUDA_ARCH__)
    __trap();
#else
    __builtin_trap();
#endif
}
#define __builtin_trap() hipify_trap()
static inline __host__ __device__ void hipify_prefetch(const void *address, int = 0, int = 0) {
#if defined(__CUDA_ARCH__)
    asm volatile("prefetch.L1 [%0];" ::"l"(address));
#else
    __builtin_prefetch(address);
#endif
}
#define __builtin_prefetch hipify_prefetch

// Clang's built-ins for carries and for sums that stop at the ends of the type.
#define HIPIFY_CARRY(suffix, type)                                                                          \
    static inline __host__ __device__ type hipify_addc##suffix(type a, type b, type carry, type *out) {     \
        const type sum = a + b, all = sum + carry;                                                          \
        *out = (sum < a) + (all < sum);                                                                     \
        return all;                                                                                         \
    }                                                                                                       \
    static inline __host__ __device__ type hipify_subc##suffix(type a, type b, type borrow, type *out) {    \
        const type difference = a - b;                                                                      \
        *out = (a < b) + (difference < borrow);                                                             \
        return difference - borrow;                                                                         \
    }
HIPIFY_CARRY(, unsigned int)
HIPIFY_CARRY(l, unsigned long)
HIPIFY_CARRY(ll, unsigned long long)
#undef HIPIFY_CARRY
#define __builtin_addc hipify_addc
#define __builtin_addcl hipify_addcl
#define __builtin_addcll hipify_addcll
#define __builtin_subc hipify_subc
#define __builtin_subcl hipify_subcl
#define __builtin_subcll hipify_subcll
static inline __host__ __device__ long long hipify_within(long long value, long long least, long long most) {
    return value < least ? least : value > most ? most : value;
}
static inline __host__ __device__ int hipify_add_sat(int a, int b) {
    return static_cast<int>(hipify_within(0ll + a + b, -0x80000000ll, 0x7fffffffll));
}
static inline __host__ __device__ unsigned int hipify_add_sat(unsigned int a, unsigned int b) {
    return static_cast<unsigned int>(hipify_within(0ll + a + b, 0, 0xffffffffll));
}
static inline __host__ __device__ int hipify_sub_sat(int a, int b) {
    return static_cast<int>(hipify_within(0ll + a - b, -0x80000000ll, 0x7fffffffll));
}
static inline __host__ __device__ unsigned int hipify_sub_sat(unsigned int a, unsigned int b) {
    return static_cast<unsigned int>(hipify_within(0ll + a - b, 0, 0xffffffffll));
}
#define __builtin_elementwise_add_sat hipify_add_sat
#define __builtin_elementwise_sub_sat hipify_sub_sat
template <typename T> static inline __host__ __device__ T hipify_larger(T a, T b) { return a < b ? b : a; }
template <typename T> static inline __host__ __device__ T hipify_smaller(T a, T b) { return b < a ? b : a; }
#define __builtin_elementwise_max hipify_larger
#define __builtin_elementwise_min hipify_smaller
static inline __device__ unsigned int __builtin_amdgcn_sad_u8(unsigned int a, unsigned int b, unsigned int sum) {
    return __vsadu4(a, b) + sum;
}

// What counts up to a bound and down from it. For AMD GPUs a string names the scope, and "" is the whole system.
static inline __device__ unsigned int hipify_atomic_inc(unsigned int *place, unsigned int most) {
    return atomicInc_system(place, most);
}
static inline __device__ unsigned int hipify_atomic_dec(unsigned int *place, unsigned int most) {
    return atomicDec_system(place, most);
}
#define __builtin_amdgcn_atomic_inc32(place, most, ...) hipify_atomic_inc(place, most)
#define __builtin_amdgcn_atomic_dec32(place, most, ...) hipify_atomic_dec(place, most)

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

// The forms without a mask, which CUDA no longer has: of the lanes that are active. (It still declares the votes,
// so those become functions of our own; libcu++ has an __any that must be renamed in all places alike.)
#define HIPIFY_SHUFFLE(name, lane_type)                                                \
    template <typename T>                                                              \
    static inline __device__ T name(T value, lane_type lane, int width = 32) {         \
        return name##_sync(__activemask(), value, lane, width);                        \
    }
#define HIPIFY_VOTE(result, name)                                                      \
    static inline __device__ result hipify##name(int predicate) {                      \
        return name##_sync(__activemask(), predicate);                                 \
    }
HIPIFY_SHUFFLE(__shfl, int)
HIPIFY_SHUFFLE(__shfl_up, unsigned int)
HIPIFY_SHUFFLE(__shfl_down, unsigned int)
HIPIFY_SHUFFLE(__shfl_xor, int)
HIPIFY_VOTE(unsigned int, __ballot)
HIPIFY_VOTE(int, __any)
HIPIFY_VOTE(int, __all)
#undef HIPIFY_SHUFFLE
#undef HIPIFY_VOTE
#define __ballot(predicate) hipify__ballot(predicate)
#define __any hipify__any
#define __all(predicate) hipify__all(predicate)

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
static inline __device__ long long int wall_clock64() {  // ticks of AMD's clock of 100 MHz
    long long int now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now / 10;
}
#if CUDART_VERSION >= 12080
#define __HIP_MEMORY_SCOPE_SINGLETHREAD __NV_THREAD_SCOPE_THREAD
#define __HIP_MEMORY_SCOPE_WAVEFRONT __NV_THREAD_SCOPE_BLOCK
#define __HIP_MEMORY_SCOPE_WORKGROUP __NV_THREAD_SCOPE_BLOCK
#define __HIP_MEMORY_SCOPE_AGENT __NV_THREAD_SCOPE_DEVICE
#define __HIP_MEMORY_SCOPE_SYSTEM __NV_THREAD_SCOPE_SYSTEM
// CUDA's are for integers or take everything by its address.
template <int order, int scope, typename T> static inline __device__ T hipify_atomic_load(const volatile T *place) {
    T value;
    __nv_atomic_load(const_cast<T *>(place), &value, order, scope);
    return value;
}
template <int order, int scope, typename T, typename Value>
static inline __device__ void hipify_atomic_store(volatile T *place, Value value) {
    T stored = value;
    __nv_atomic_store(const_cast<T *>(place), &stored, order, scope);
}
template <int order, int scope, typename T, typename Value>
static inline __device__ T hipify_atomic_exchange(volatile T *place, Value value) {
    T stored = value, old;
    __nv_atomic_exchange(const_cast<T *>(place), &stored, &old, order, scope);
    return old;
}
template <int order, int failed, int scope, typename T, typename Value>
static inline __device__ bool hipify_atomic_compare_exchange(volatile T *place, T *expected, Value value) {
    T stored = value;
    return __nv_atomic_compare_exchange(const_cast<T *>(place), expected, &stored, false, order, failed, scope);
}
#define __hip_atomic_load(place, ...) hipify_atomic_load<__VA_ARGS__>(place)
#define __hip_atomic_store(place, value, ...) hipify_atomic_store<__VA_ARGS__>(place, value)
#define __hip_atomic_exchange(place, value, ...) hipify_atomic_exchange<__VA_ARGS__>(place, value)
#define __hip_atomic_compare_exchange_strong(place, expected, value, ...) \
    hipify_atomic_compare_exchange<__VA_ARGS__>(place, expected, value)
#define __hip_atomic_compare_exchange_weak __hip_atomic_compare_exchange_strong
#define __hip_atomic_fetch_add __nv_atomic_fetch_add
#define __hip_atomic_fetch_and __nv_atomic_fetch_and
#define __hip_atomic_fetch_or __nv_atomic_fetch_or
#define __hip_atomic_fetch_xor __nv_atomic_fetch_xor
#define __hip_atomic_fetch_max __nv_atomic_fetch_max
#define __hip_atomic_fetch_min __nv_atomic_fetch_min
#endif
#endif
