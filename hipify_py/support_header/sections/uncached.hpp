// __ldcg, __ldcv and __stwt of any type: accesses that go past L1, to what all blocks see, or to what all of the machine
// sees. Each is made where it stands, as another thread may have written meanwhile.
// Source: CUDA programming guide, load and store functions with cache hints; clang, __hip_atomic built-ins.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

#if !defined(__NVCC__)
/// The largest number that an object of a size and an alignment is made of; it may lie over an object of any type.
template <unsigned Bytes>
struct word_of;
template <>
struct word_of<1> {
    typedef unsigned char __attribute__((may_alias)) type;
};
template <>
struct word_of<2> {
    typedef unsigned short __attribute__((may_alias)) type;
};
template <>
struct word_of<4> {
    typedef unsigned __attribute__((may_alias)) type;
};
template <>
struct word_of<8> {
    typedef unsigned long long __attribute__((may_alias)) type;
};

template <typename T>
struct words_of {
    static constexpr unsigned bytes = sizeof(T) % 8 == 0 && alignof(T) % 8 == 0   ? 8
                                      : sizeof(T) % 4 == 0 && alignof(T) % 4 == 0 ? 4
                                      : sizeof(T) % 2 == 0 && alignof(T) % 2 == 0 ? 2
                                                                                  : 1;
    static constexpr unsigned count = sizeof(T) / bytes;
    using type = typename word_of<bytes>::type;
};

template <int Scope, typename T>
__device__ inline T load_seen_by(const T* from) {
    using words = words_of<T>;
    typename words::type parts[words::count];
    for (unsigned at = 0; at < words::count; ++at)
        parts[at] =
            __hip_atomic_load(reinterpret_cast<const typename words::type*>(from) + at, __ATOMIC_RELAXED, Scope);
    T value;
    __builtin_memcpy(&value, parts, sizeof(value));
    return value;
}
#endif

template <typename T>
__device__ inline T load_past_l1(const T* from) {
#if defined(__NVCC__)
    return __ldcg(from);
#else
    return load_seen_by<__HIP_MEMORY_SCOPE_AGENT>(from);
#endif
}

template <typename T>
__device__ inline T load_uncached(const T* from) {
#if defined(__NVCC__)
    return __ldcv(from);
#else
    return load_seen_by<__HIP_MEMORY_SCOPE_SYSTEM>(from);
#endif
}

template <typename T, typename U>
__device__ inline void store_through(T* to, U value) {
#if defined(__NVCC__)
    __stwt(to, value);
#else
    using words = words_of<T>;
    const T converted = value;
    typename words::type parts[words::count];
    __builtin_memcpy(parts, &converted, sizeof(converted));
    for (unsigned at = 0; at < words::count; ++at)
        __hip_atomic_store(reinterpret_cast<typename words::type*>(to) + at, parts[at], __ATOMIC_RELAXED,
                           __HIP_MEMORY_SCOPE_SYSTEM);
#endif
}

}  // namespace hipify
#endif
