// Compare-and-swap with an order and a scope, as atom.cas has it.
// Source: PTX ISA, atom.
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

}  // namespace hipify
#endif
