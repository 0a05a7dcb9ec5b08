// needs: lane_reduce words
// CUDA's warp functions for programs whose warps have 32 lanes: where a wavefront has 64 it runs two such warps, and each
// hears of its own lanes only. Masks and results have CUDA's types: masks 32 bits, small integers become an int.
// Source: CUDA C++ Programming Guide, warp functions; CUDA headers sm_30_intrinsics.h, sm_70_rt.h and sm_80_rt.h;
// PTX ISA, shfl.sync (the five bits of a distance that count); HIP header amd_warp_functions.h.
#if defined(HIPIFY_HAS_DEVICE_CODE)
#if defined(__has_attribute)
#if __has_attribute(maybe_undef)
#define HIPIFY_MAYBE_UNDEF __attribute__((maybe_undef))  // a lane may hand on a variable that only others have set
#endif
#endif
#if !defined(HIPIFY_MAYBE_UNDEF)
#define HIPIFY_MAYBE_UNDEF
#endif
namespace hipify {
namespace warp32 {

/// CUB's WarpId: which 32 threads of the block the calling one is among.
__device__ inline unsigned warp_id() {
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32;
}

// A mask counts lanes from the first of the 32; one that was widened to 64 bits says the same in its lower half.

#if defined(__NVCC__)
/// CUB's LaneId: 0 to 31.
__device__ inline unsigned lane_id() {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
__device__ inline void syncwarp(unsigned long long mask = 0xffffffffu) { (__syncwarp)(static_cast<unsigned>(mask)); }

__device__ inline unsigned activemask() { return (__activemask)(); }
__device__ inline unsigned ballot(int predicate) { return (__ballot_sync)((__activemask)(), predicate); }
__device__ inline int any(int predicate) { return (__any_sync)((__activemask)(), predicate); }
__device__ inline int all(int predicate) { return (__all_sync)((__activemask)(), predicate); }
__device__ inline unsigned ballot_sync(unsigned long long mask, int predicate) {
    return (__ballot_sync)(static_cast<unsigned>(mask), predicate);
}
__device__ inline int any_sync(unsigned long long mask, int predicate) {
    return (__any_sync)(static_cast<unsigned>(mask), predicate);
}
__device__ inline int all_sync(unsigned long long mask, int predicate) {
    return (__all_sync)(static_cast<unsigned>(mask), predicate);
}

#define HIPIFY_SHUFFLE(name, name_sync, parameter, bits)                                                 \
    template <class T>                                                                                   \
    __device__ inline auto name_sync(unsigned long long mask, T value, parameter lane, int width = 32)   \
        -> decltype((__##name_sync)(0u, value, lane, width)) {                                           \
        return (__##name_sync)(static_cast<unsigned>(mask), value, lane, width);                         \
    }                                                                                                    \
    template <class T>                                                                                   \
    __device__ inline auto name(T value, parameter lane, int width = 32)                                 \
        -> decltype((__##name_sync)(0u, value, lane, width)) {                                           \
        return (__##name_sync)((__activemask)(), value, lane, width);                                    \
    }

#define HIPIFY_MATCH(type)                                                                       \
    __device__ inline unsigned match_any_sync(unsigned long long mask, type value) {             \
        return (__match_any_sync)(static_cast<unsigned>(mask), value);                           \
    }                                                                                            \
    __device__ inline unsigned match_all_sync(unsigned long long mask, type value, int* same) {  \
        return (__match_all_sync)(static_cast<unsigned>(mask), value, same);                     \
    }

#define HIPIFY_REDUCTION(name, type, expression)                                                 \
    __device__ inline type name(unsigned long long mask, type value) {                           \
        return (__##name)(static_cast<unsigned>(mask), value);                                   \
    }
#else
/// The lane of the wavefront that is the first of the own 32: 0 or 32.
__device__ inline unsigned first_lane() { return warpSize == 32 ? 0 : __builtin_amdgcn_mbcnt_lo(~0u, 0u) & 32u; }

/// CUB's LaneId: 0 to 31.
__device__ inline unsigned lane_id() { return warpSize == 32 ? __lane_id() : __lane_id() & 31u; }

/// What the lanes wrote before it they can read behind it. Lanes that are elsewhere are not waited for.
__device__ inline void syncwarp(unsigned long long = 0xffffffffu) {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

__device__ inline unsigned ballot(int predicate) { return static_cast<unsigned>((__ballot)(predicate) >> first_lane()); }
__device__ inline unsigned activemask() { return ballot(1); }
__device__ inline int any(int predicate) { return ballot(predicate) != 0; }
__device__ inline int all(int predicate) { return ballot(!predicate) == 0; }
__device__ inline unsigned ballot_sync(unsigned long long mask, int predicate) {
    return ballot(predicate) & static_cast<unsigned>(mask);
}
__device__ inline int any_sync(unsigned long long mask, int predicate) { return ballot_sync(mask, predicate) != 0; }
__device__ inline int all_sync(unsigned long long mask, int predicate) { return ballot_sync(mask, !predicate) == 0; }

/// T where it is a structure (`__half`, `__hip_bfloat162`, `float2` and a program's own), and where it is none.
template <bool, class T>
struct only_if {};
template <class T>
struct only_if<true, T> {
    using type = T;
};
template <class T>
struct is_structure {  // g++ takes these traits only outside of a function's signature
    static constexpr bool value = __is_class(T) || __is_union(T);
};
template <class T>
using structure = typename only_if<is_structure<T>::value, T>::type;
template <class T>
using number = typename only_if<!is_structure<T>::value, T>::type;

/// Shuffles give what CUDA's overloads give: a `short` comes back as an int.
#define HIPIFY_SHUFFLE(name, name_sync, parameter, bits)                                                             \
    template <class T>                                                                                               \
    __device__ inline auto name(HIPIFY_MAYBE_UNDEF T value, parameter lane, int width = 32)                          \
        -> decltype((__##name)(static_cast<number<T>>(value), lane, width)) {                                        \
        return (__##name)(value, lane & bits, width);                                                                \
    }                                                                                                                \
    template <class T>                                                                                               \
    __device__ inline structure<T> name(HIPIFY_MAYBE_UNDEF T value, parameter lane, int width = 32) {                \
        return by_words(value, [=](unsigned word) { return (__##name)(word, lane & bits, width); });                 \
    }                                                                                                                \
    template <class T>                                                                                               \
    __device__ inline auto name_sync(unsigned long long, HIPIFY_MAYBE_UNDEF T value, parameter lane, int width = 32) \
        -> decltype(warp32::name(value, lane, width)) {                                                              \
        return warp32::name(value, lane, width);                                                                     \
    }

/// The bits of a number, as a word or two: matches compare bits, so that a NaN matches itself.
template <class T, bool IsWord = sizeof(T) == 4>
struct bits_of {
    using type = unsigned;
};
template <class T>
struct bits_of<T, false> {
    using type = unsigned long long;
};

/// What the first lane that is here has.
__device__ inline unsigned of_first(unsigned bits) {
    return static_cast<unsigned>(__builtin_amdgcn_readfirstlane(static_cast<int>(bits)));
}
__device__ inline unsigned long long of_first(unsigned long long bits) {
    return static_cast<unsigned long long>(of_first(static_cast<unsigned>(bits >> 32))) << 32 |
           of_first(static_cast<unsigned>(bits));
}

/// The own 32's lanes that hold the same bits as the calling one: a round for each value that there is.
template <class Bits>
__device__ inline unsigned alike(Bits bits) {
    unsigned found;
    bool same;
    do {
        same = bits == of_first(bits);
        found = ballot(same);
    } while (!same);
    return found;
}

/// Whether all lanes hold the same bits. `is_whole` says that no lane that is here is missing among them.
template <class Bits>
__device__ inline bool all_alike(unsigned lanes, Bits bits, bool is_whole) {
    const bool first_is_first_here = is_whole && warpSize == 32;
    return all_sync(lanes, bits == (first_is_first_here ? of_first(bits)
                                                        : (__shfl)(bits, static_cast<int>(lowest_lane(lanes)), 32)));
}

template <class T>
__device__ inline typename bits_of<T>::type as_bits(T value) {
    typename bits_of<T>::type bits;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}

#define HIPIFY_MATCH(type)                                                                       \
    __device__ inline unsigned match_any_sync(unsigned long long mask, type value) {             \
        return alike(as_bits(value)) & static_cast<unsigned>(mask);                              \
    }                                                                                            \
    __device__ inline unsigned match_all_sync(unsigned long long mask, type value, int* same) {  \
        const unsigned lanes = activemask() & static_cast<unsigned>(mask);                       \
        bool is_whole = false; /* a constant would be worked out here, where no mask is one */   \
        is_whole = __builtin_constant_p(mask) && static_cast<unsigned>(mask) == ~0u;             \
        *same = all_alike(lanes, as_bits(value), is_whole);                                      \
        return *same ? lanes : 0u;                                                               \
    }

template <class T, class Op>
__device__ inline T reduce(unsigned long long mask, T value, Op op) {
    const unsigned lanes = activemask() & static_cast<unsigned>(mask);
    return lanes == ~0u ? reduce_all_32(value, op) : reduce_lanes(lanes, lane_id(), value, op);
}

#define HIPIFY_REDUCTION(name, type, expression)                                                 \
    __device__ inline type name(unsigned long long mask, type value) {                           \
        return reduce(mask, value, [](type a, type b) -> type { return expression; });           \
    }
#endif

// CUB's LaneMaskLt and its kin: the lanes before and behind the calling one.
__device__ inline unsigned lanemask_eq() { return 1u << lane_id(); }
__device__ inline unsigned lanemask_lt() { return (1u << lane_id()) - 1; }
__device__ inline unsigned lanemask_le() { return (2u << lane_id()) - 1; }
__device__ inline unsigned lanemask_gt() { return ~1u << lane_id(); }
__device__ inline unsigned lanemask_ge() { return ~0u << lane_id(); }

HIPIFY_SHUFFLE(shfl, shfl_sync, int, ~0)
HIPIFY_SHUFFLE(shfl_up, shfl_up_sync, unsigned, 31u)
HIPIFY_SHUFFLE(shfl_down, shfl_down_sync, unsigned, 31u)
HIPIFY_SHUFFLE(shfl_xor, shfl_xor_sync, int, 31)

HIPIFY_MATCH(unsigned)
HIPIFY_MATCH(int)
HIPIFY_MATCH(unsigned long)
HIPIFY_MATCH(long)
HIPIFY_MATCH(unsigned long long)
HIPIFY_MATCH(long long)
HIPIFY_MATCH(float)
HIPIFY_MATCH(double)

/// PTX's match.all.sync, with and without its predicate.
template <class T>
__device__ inline unsigned match_all(unsigned long long mask, T value, bool* all_same = nullptr) {
    int same;
    const unsigned lanes = match_all_sync(mask, value, &same);
    if (all_same) *all_same = same != 0;
    return lanes;
}

HIPIFY_REDUCTION(reduce_add_sync, unsigned, a + b)
HIPIFY_REDUCTION(reduce_add_sync, int, static_cast<int>(static_cast<unsigned>(a) + static_cast<unsigned>(b)))
HIPIFY_REDUCTION(reduce_min_sync, unsigned, b < a ? b : a)
HIPIFY_REDUCTION(reduce_min_sync, int, b < a ? b : a)
HIPIFY_REDUCTION(reduce_max_sync, unsigned, a < b ? b : a)
HIPIFY_REDUCTION(reduce_max_sync, int, a < b ? b : a)
HIPIFY_REDUCTION(reduce_and_sync, unsigned, a & b)
HIPIFY_REDUCTION(reduce_or_sync, unsigned, a | b)
HIPIFY_REDUCTION(reduce_xor_sync, unsigned, a ^ b)
#undef HIPIFY_SHUFFLE
#undef HIPIFY_MATCH
#undef HIPIFY_REDUCTION
#undef HIPIFY_MAYBE_UNDEF

}  // namespace warp32
}  // namespace hipify
#endif
