// cp.async as a plain copy: it is over when the call returns, so groups need no waiting for.
// Source: PTX ISA, cp.async.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

template <int Bytes>
struct copied;
template <>
struct copied<4> {
    using type = unsigned;
};
template <>
struct copied<8> {
    using type = uint2;
};
template <>
struct copied<16> {
    using type = uint4;
};

/// Copies 4, 8 or 16 bytes; both places are aligned to as many.
template <int Bytes>
__device__ inline void copy_async(void* to, const void* from) {
    using word = typename copied<Bytes>::type;
    *static_cast<word*>(to) = *static_cast<const word*>(from);
}

/// Copies the first `size` of the bytes, and sets the others to zero.
template <int Bytes>
__device__ inline void copy_async(void* to, const void* from, unsigned size) {
    if (size >= Bytes) {
        copy_async<Bytes>(to, from);
        return;
    }
    for (unsigned at = 0; at < Bytes; ++at)
        static_cast<unsigned char*>(to)[at] = at < size ? static_cast<const unsigned char*>(from)[at] : 0;
}

}  // namespace hipify
#endif
