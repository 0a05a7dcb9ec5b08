// __ldcv and __stwt of any type: loads and stores that go past the caches to what all of the machine sees.
// Source: CUDA programming guide, load and store functions with cache hints; clang, __hip_atomic built-ins.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// The largest number that an object of a size and an alignment is made of.
template <unsigned Bytes>
struct word_of;
template <>
struct word_of<1> {
    using type = unsigned char;
};
template <>
struct word_of<2> {
    using type = unsigned short;
};
template <>
struct word_of<4> {
    using type = unsigned;
};
template <>
struct word_of<8> {
    using type = unsigned long long;
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

template <typename T>
__device__ inline T load_uncached(const T* from) {
#if defined(__NVCC__)
    return __ldcv(from);
#else
    using words = words_of<T>;
    typename words::type parts[words::count];
    for (unsigned at = 0; at < words::count; ++at)
        parts[at] = __hip_atomic_load(reinterpret_cast<const typename words::type*>(from) + at, __ATOMIC_RELAXED,
                                      __HIP_MEMORY_SCOPE_SYSTEM);
    T value;
    __builtin_memcpy(&value, parts, sizeof(value));
    return value;
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
