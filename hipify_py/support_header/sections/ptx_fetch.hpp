// Atomic additions to vectors and to single half-precision numbers, and atom.inc and atom.dec with an order.
// needs: ptx_atomic
// Source: PTX ISA, atom and red.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

#if defined(__NVCC__)
constexpr int system_scope = 5;
#else
constexpr int system_scope = __HIP_MEMORY_SCOPE_SYSTEM;
#endif

/// What stands in front of an operation with an order, and behind it.
template <int Order, int Scope>
__device__ inline void fence_of_order(bool is_before) {
    const bool wanted = is_before ? Order == __ATOMIC_RELEASE || Order == __ATOMIC_ACQ_REL
                                  : Order == __ATOMIC_ACQUIRE || Order == __ATOMIC_ACQ_REL;
    if (wanted && Scope == system_scope) __threadfence_system();
    else if (wanted) __threadfence();
}
/// One more, or 0 where `most` is reached; one less, or `most` at 0 and above it.
template <int Order, int Scope>
__device__ inline unsigned fetch_inc(unsigned* address, unsigned most) {
    fence_of_order<Order, Scope>(true);
    const unsigned old = atomicInc(address, most);
    fence_of_order<Order, Scope>(false);
    return old;
}
template <int Order, int Scope>
__device__ inline unsigned fetch_dec(unsigned* address, unsigned most) {
    fence_of_order<Order, Scope>(true);
    const unsigned old = atomicDec(address, most);
    fence_of_order<Order, Scope>(false);
    return old;
}

/// Each part by itself: PTX, too, promises no more.
__device__ inline void add_each(float2* address, float2 more) {
    atomicAdd(&address->x, more.x);
    atomicAdd(&address->y, more.y);
}
__device__ inline void add_each(float4* address, float4 more) {
    atomicAdd(&address->x, more.x);
    atomicAdd(&address->y, more.y);
    atomicAdd(&address->z, more.z);
    atomicAdd(&address->w, more.w);
}

/// Adds to one half of the word around it, and returns what stood there.
template <typename Add>
__device__ inline unsigned short add_to_half(unsigned short* address, unsigned short more, Add add) {
    const size_t place = reinterpret_cast<size_t>(address);
    unsigned* word = reinterpret_cast<unsigned*>(place & ~size_t(3));
    const unsigned shift = (place & 2) * 8;
    unsigned old = *const_cast<volatile unsigned*>(word), seen;
    do {
        seen = old;
        const unsigned sum = add(static_cast<unsigned short>(seen >> shift), more);
        old = atomicCAS(word, seen, (seen & ~(0xffffu << shift)) | sum << shift);
    } while (old != seen);
    return static_cast<unsigned short>(old >> shift);
}

#define HIPIFY_HALF(name)                                                                             \
    struct name##_sum {                                                                               \
        __device__ unsigned operator()(unsigned short a, unsigned short b) const { return add_##name(a, b); } \
    };                                                                                                \
    __device__ inline unsigned short fetch_add_##name(unsigned short* address, unsigned short more) { \
        return add_to_half(address, more, name##_sum());                                              \
    }                                                                                                 \
    __device__ inline void add_each_##name##x2(uint2* address, uint2 more) {                          \
        atomic_add_##name##x2(&address->x, more.x);                                                   \
        atomic_add_##name##x2(&address->y, more.y);                                                   \
    }                                                                                                 \
    __device__ inline void add_each_##name##x2(uint4* address, uint4 more) {                          \
        atomic_add_##name##x2(&address->x, more.x);                                                   \
        atomic_add_##name##x2(&address->y, more.y);                                                   \
        atomic_add_##name##x2(&address->z, more.z);                                                   \
        atomic_add_##name##x2(&address->w, more.w);                                                   \
    }
HIPIFY_HALF(f16)
HIPIFY_HALF(bf16)
#undef HIPIFY_HALF

}  // namespace hipify
#endif
