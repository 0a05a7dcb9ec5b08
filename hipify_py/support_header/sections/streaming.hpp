// __ldcs, __ldlu and __stcs of any type: loads and stores of what is used once, which leave the caches to other data.
// Source: CUDA programming guide, load and store functions with cache hints; clang, __builtin_nontemporal_load.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

#if !defined(__NVCC__)
/// What one access moves; it may lie over an object of any type.
template <unsigned Bytes>
struct streamed_word;
template <>
struct streamed_word<1> {
    typedef unsigned char __attribute__((may_alias)) type;
};
template <>
struct streamed_word<2> {
    typedef unsigned short __attribute__((may_alias)) type;
};
template <>
struct streamed_word<4> {
    typedef unsigned __attribute__((may_alias)) type;
};
template <>
struct streamed_word<8> {
    typedef unsigned __attribute__((may_alias, ext_vector_type(2))) type;
};
template <>
struct streamed_word<16> {
    typedef unsigned __attribute__((may_alias, ext_vector_type(4))) type;
};

template <typename T>
struct streamed_words {
    static constexpr unsigned bytes = sizeof(T) % 16 == 0 && alignof(T) % 16 == 0 ? 16
                                      : sizeof(T) % 8 == 0 && alignof(T) % 8 == 0 ? 8
                                      : sizeof(T) % 4 == 0 && alignof(T) % 4 == 0 ? 4
                                      : sizeof(T) % 2 == 0 && alignof(T) % 2 == 0 ? 2
                                                                                  : 1;
    static constexpr unsigned count = sizeof(T) / bytes;
    using type = typename streamed_word<bytes>::type;
};
#endif

template <typename T>
__device__ inline T load_streaming(const T* from) {
#if defined(__NVCC__)
    return __ldcs(from);
#else
    using words = streamed_words<T>;
    typename words::type parts[words::count];
    for (unsigned at = 0; at < words::count; ++at)
        parts[at] = __builtin_nontemporal_load(reinterpret_cast<const typename words::type*>(from) + at);
    T value;
    __builtin_memcpy(&value, parts, sizeof(value));
    return value;
#endif
}

template <typename T, typename U>
__device__ inline void store_streaming(T* to, U value) {
#if defined(__NVCC__)
    __stcs(to, value);
#else
    using words = streamed_words<T>;
    const T converted = value;
    typename words::type parts[words::count];
    __builtin_memcpy(parts, &converted, sizeof(converted));
    for (unsigned at = 0; at < words::count; ++at)
        __builtin_nontemporal_store(parts[at], reinterpret_cast<typename words::type*>(to) + at);
#endif
}

}  // namespace hipify
#endif
