// Compare-and-swap with an order and a scope, as atom.cas has it.
// Also sums of packed half-precision numbers, by a compare-and-swap loop.
// needs: ptx_half
// Source: PTX ISA, atom and red.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// What stood at the address; `value` stands there now if that was `expected`.
template <int Order, int Scope, typename T>
__device__ inline T compare_exchange(T* address, T expected, T value) {
#if defined(__NVCC__)
    return atomicCAS(address, expected, value);
#else
    __hip_atomic_compare_exchange_strong(address, &expected, value, Order,
                                         Order == __ATOMIC_RELEASE ? __ATOMIC_RELAXED
                                         : Order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE : Order, Scope);
    return expected;
#endif
}

/// Adds to both halves of a word at once, and returns what stood there.
__device__ inline unsigned atomic_add_f16x2(unsigned* address, unsigned value) {
    unsigned old = *const_cast<volatile unsigned*>(address), seen;
    do {
        seen = old;
        old = atomicCAS(address, seen, add_f16x2(seen, value));
    } while (old != seen);
    return old;
}
__device__ inline unsigned atomic_add_bf16x2(unsigned* address, unsigned value) {
    unsigned old = *const_cast<volatile unsigned*>(address), seen;
    do {
        seen = old;
        old = atomicCAS(address, seen, add_bf16x2(seen, value));
    } while (old != seen);
    return old;
}

}  // namespace hipify
#endif
