// Reductions over lanes that run together, in one step for each doubling of their number.
// Source: AMD CDNA 3 and RDNA 3 instruction set architectures, data parallel primitives (DPP) and DS_SWIZZLE_B32.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// The lowest lane of a set that is not empty.
__device__ inline unsigned lowest_lane(unsigned lanes) {
    return static_cast<unsigned>(__ffs(static_cast<int>(lanes))) - 1;
}
__device__ inline unsigned lowest_lane(unsigned long long lanes) { return static_cast<unsigned>(__ffsll(lanes)) - 1; }

/// A number of four bytes of each of 32 lanes, all of which are here; `op` is associative and commutative.
template <class T, class Op>
__device__ inline T reduce_all_32(T value, Op op) {
#if defined(__NVCC__)
    for (int distance = 1; distance < 32; distance *= 2) {
        value = op(value, (__shfl_xor_sync)(~0u, value, distance));
    }
    return value;
#else
    // The lane beside it, the other pair of four, the other four of eight and the other eight of a row of sixteen. A row
    // that is read backwards serves as well as one read at a distance: by then all lanes of a part hold the same value.
    value = op(value, static_cast<T>(__builtin_amdgcn_mov_dpp(static_cast<int>(value), 0xb1, 0xf, 0xf, true)));
    value = op(value, static_cast<T>(__builtin_amdgcn_mov_dpp(static_cast<int>(value), 0x4e, 0xf, 0xf, true)));
    value = op(value, static_cast<T>(__builtin_amdgcn_mov_dpp(static_cast<int>(value), 0x141, 0xf, 0xf, true)));
    value = op(value, static_cast<T>(__builtin_amdgcn_mov_dpp(static_cast<int>(value), 0x140, 0xf, 0xf, true)));
    return op(value, static_cast<T>(__builtin_amdgcn_ds_swizzle(static_cast<int>(value), 0x401f)));  // lane ^ 16
#endif
}

/// The same for any set of lanes that has the calling one. All of them have to be here, with the same set; others may be
/// here with another. `own` is the calling lane's place in the set.
template <class Lanes, class T, class Op>
__device__ inline T reduce_lanes(Lanes lanes, unsigned own, T value, Op op) {
    constexpr unsigned width = 8 * sizeof(Lanes);
    for (unsigned distance = 1; distance < width; distance *= 2) {
        // All lanes of a part hold what the part has, so the lowest lane of the part beside it will do.
        const unsigned begin = (own ^ distance) & ~(distance - 1);
        const Lanes beside = lanes >> begin & ((static_cast<Lanes>(1) << distance) - 1);
        const unsigned from = beside != 0 ? begin + lowest_lane(beside) : own;
#if defined(__NVCC__)
        const T other = (__shfl_sync)(static_cast<unsigned>(lanes), value, static_cast<int>(from));
#else
        const T other = (__shfl)(value, static_cast<int>(from), static_cast<int>(width));
#endif
        value = beside != 0 ? op(value, other) : value;
    }
    return value;
}

}  // namespace hipify
#endif
