// Accesses to eight numbers of 32 bits at once.
// Source: PTX ISA, ld and st with .v8.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

template <typename T>
struct alignas(32) vector8 {
    T part[8];
};

/// The vector that a pointer points to, read now and not from an earlier access.
template <typename T>
__device__ inline vector8<T> load_vector8(const vector8<T>* from) {
    vector8<T> result;
    for (int at = 0; at < 8; ++at) result.part[at] = const_cast<const volatile T*>(from->part)[at];
    return result;
}
template <typename T>
__device__ inline void store_vector8(vector8<T>* to, vector8<T> value) {
    for (int at = 0; at < 8; ++at) const_cast<volatile T*>(to->part)[at] = value.part[at];
}

}  // namespace hipify
#endif
