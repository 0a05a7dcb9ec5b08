// Volatile accesses to vectors.
// Source: PTX ISA, ld.volatile and st.volatile.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

template <typename T>
struct vector_length;
#define HIPIFY_VECTORS(name)                     \
    template <>                                  \
    struct vector_length<name##2> {              \
        static constexpr int value = 2;          \
    };                                           \
    template <>                                  \
    struct vector_length<name##4> {              \
        static constexpr int value = 4;          \
    };
HIPIFY_VECTORS(uchar)
HIPIFY_VECTORS(char)
HIPIFY_VECTORS(ushort)
HIPIFY_VECTORS(short)
HIPIFY_VECTORS(uint)
HIPIFY_VECTORS(int)
HIPIFY_VECTORS(float)
#undef HIPIFY_VECTORS
template <>
struct vector_length<ulonglong2> {
    static constexpr int value = 2;
};
template <>
struct vector_length<longlong2> {
    static constexpr int value = 2;
};
template <>
struct vector_length<double2> {
    static constexpr int value = 2;
};

/// The vector that a pointer points to; neither left out nor merged with other accesses.
template <typename Vector>
__device__ inline Vector load_volatile(const Vector* from) {
    using member = decltype(Vector::x);
    Vector result;
#if defined(__clang__) && !defined(__NVCC__)
    typedef member native __attribute__((ext_vector_type(vector_length<Vector>::value)));
    const native loaded = *reinterpret_cast<const volatile native*>(from);  // one access for all members
    __builtin_memcpy(&result, &loaded, sizeof result);
#else
    for (int at = 0; at < vector_length<Vector>::value; ++at)
        reinterpret_cast<member*>(&result)[at] = reinterpret_cast<const volatile member*>(from)[at];
#endif
    return result;
}

template <typename Vector>
__device__ inline void store_volatile(Vector* to, Vector value) {
    using member = decltype(Vector::x);
    for (int at = 0; at < vector_length<Vector>::value; ++at)
        reinterpret_cast<volatile member*>(to)[at] = reinterpret_cast<const member*>(&value)[at];
}

}  // namespace hipify
#endif
