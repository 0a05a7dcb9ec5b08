// Votes, matches and reductions of 32 lanes, for programs that count their warps in 32: where a wavefront has 64
// lanes it runs two such warps, and each hears of its own lanes only. Masks and results have 32 bits, as in CUDA.
// Source: CUDA C++ Programming Guide, warp vote, match and reduce functions; HIP header amd_warp_functions.h.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {
namespace warp32 {

#if defined(__NVCC__)
__device__ inline unsigned activemask() { return __activemask(); }
__device__ inline unsigned ballot(int predicate) { return __ballot_sync(__activemask(), predicate); }
__device__ inline int any(int predicate) { return __any_sync(__activemask(), predicate); }
__device__ inline int all(int predicate) { return __all_sync(__activemask(), predicate); }
__device__ inline unsigned ballot_sync(unsigned mask, int predicate) { return __ballot_sync(mask, predicate); }
__device__ inline int any_sync(unsigned mask, int predicate) { return __any_sync(mask, predicate); }
__device__ inline int all_sync(unsigned mask, int predicate) { return __all_sync(mask, predicate); }
template <typename T> __device__ inline unsigned match_any_sync(unsigned mask, T value) {
    return __match_any_sync(mask, value);
}
template <typename T> __device__ inline unsigned match_all_sync(unsigned mask, T value, int *predicate) {
    return __match_all_sync(mask, value, predicate);
}
template <typename T> __device__ inline T reduce_add_sync(unsigned mask, T value) {
    return __reduce_add_sync(mask, value);
}
template <typename T> __device__ inline T reduce_min_sync(unsigned mask, T value) {
    return __reduce_min_sync(mask, value);
}
template <typename T> __device__ inline T reduce_max_sync(unsigned mask, T value) {
    return __reduce_max_sync(mask, value);
}
template <typename T> __device__ inline T reduce_and_sync(unsigned mask, T value) {
    return __reduce_and_sync(mask, value);
}
template <typename T> __device__ inline T reduce_or_sync(unsigned mask, T value) {
    return __reduce_or_sync(mask, value);
}
template <typename T> __device__ inline T reduce_xor_sync(unsigned mask, T value) {
    return __reduce_xor_sync(mask, value);
}
#else

/// The votes of the 32 lanes that the calling lane is one of.
__device__ inline unsigned ballot(int predicate) {
    return static_cast<unsigned>(__ballot(predicate) >> (__lane_id() & 32u));
}

/// The lanes that are here.
__device__ inline unsigned activemask() { return ballot(1); }

__device__ inline int any(int predicate) { return ballot(predicate) != 0; }
__device__ inline int all(int predicate) { return ballot(!predicate) == 0; }

// A mask counts lanes from the first of the 32; one that was widened to 64 bits says the same in its lower half.

__device__ inline unsigned ballot_sync(unsigned long long mask, int predicate) {
    return ballot(predicate) & static_cast<unsigned>(mask);
}
__device__ inline int any_sync(unsigned long long mask, int predicate) { return ballot_sync(mask, predicate) != 0; }
__device__ inline int all_sync(unsigned long long mask, int predicate) { return ballot_sync(mask, !predicate) == 0; }

/// The value of the first lane of a set that is not empty.
template <typename T> __device__ inline T from_first(unsigned lanes, T value) {
    return __shfl(value, __ffs(static_cast<int>(lanes)) - 1, 32);
}

/// The bits of two values of four or eight bytes are the same: matches compare bits, so that a NaN matches itself.
template <typename T> __device__ inline bool same_bits(T a, T b) {
    unsigned left[sizeof(T) / 4], right[sizeof(T) / 4], differing = 0;
    __builtin_memcpy(left, &a, sizeof(T));
    __builtin_memcpy(right, &b, sizeof(T));
    for (unsigned i = 0; i < sizeof(T) / 4; ++i) differing |= left[i] ^ right[i];
    return differing == 0;
}

/// The lanes of the mask that hold the same bits as the calling lane.
template <typename T> __device__ inline unsigned match_any_sync(unsigned long long mask, T value) {
    unsigned left = activemask() & static_cast<unsigned>(mask), found = 0;
    while (left != 0) {
        const bool same = same_bits(from_first(left, value), value);
        const unsigned group = ballot_sync(left, same);
        if (same) found = group;
        left &= ~group;
    }
    return found;
}

/// The mask where all its lanes hold the same bits, else 0; `predicate` says which.
template <typename T> __device__ inline unsigned match_all_sync(unsigned long long mask, T value, int *predicate) {
    const unsigned lanes = activemask() & static_cast<unsigned>(mask);
    *predicate = match_any_sync(lanes, value) == lanes;
    return *predicate ? lanes : 0u;
}

template <typename T, typename Operation>
__device__ inline T reduce(unsigned long long mask, T value, Operation combine) {
    unsigned left = activemask() & static_cast<unsigned>(mask);
    T result = from_first(left, value);
    for (left &= left - 1; left != 0; left &= left - 1)
        result = combine(result, from_first(left, value));
    return result;
}
template <typename T> __device__ inline T reduce_add_sync(unsigned long long mask, T value) {
    return reduce(mask, value, [](T a, T b) { return a + b; });
}
template <typename T> __device__ inline T reduce_min_sync(unsigned long long mask, T value) {
    return reduce(mask, value, [](T a, T b) { return b < a ? b : a; });
}
template <typename T> __device__ inline T reduce_max_sync(unsigned long long mask, T value) {
    return reduce(mask, value, [](T a, T b) { return a < b ? b : a; });
}
template <typename T> __device__ inline T reduce_and_sync(unsigned long long mask, T value) {
    return reduce(mask, value, [](T a, T b) { return a & b; });
}
template <typename T> __device__ inline T reduce_or_sync(unsigned long long mask, T value) {
    return reduce(mask, value, [](T a, T b) { return a | b; });
}
template <typename T> __device__ inline T reduce_xor_sync(unsigned long long mask, T value) {
    return reduce(mask, value, [](T a, T b) { return a ^ b; });
}

#endif

}  // namespace warp32
}  // namespace hipify
#endif
