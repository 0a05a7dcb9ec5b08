// The wavefront operations of HIP (ROCm 7), with the results that a wavefront of HIP_EMULATION_LANES lanes has.
#pragma once
#include <cstring>
#include <emulation/core.h>
#include <type_traits>

#define WARP_OPERATION EMULATION_ATOMIC

struct EmulatedWarpSize {
    operator int() const noexcept { return emulation::lanes; }
};
inline const EmulatedWarpSize warpSize{};

WARP_OPERATION unsigned __lane_id() { return emulation::lane(); }

// Votes.
WARP_OPERATION unsigned long long __ballot(int predicate) { return emulation::vote("__ballot", predicate != 0); }
WARP_OPERATION unsigned long long __ballot64(int predicate) { return __ballot(predicate); }
WARP_OPERATION unsigned long long __activemask() { return emulation::meet("__activemask"); }
WARP_OPERATION int __any(int predicate) { return emulation::vote("__any", predicate != 0) != 0; }
WARP_OPERATION int __all(int predicate) { return emulation::vote("__all", predicate == 0) == 0; }

// Shuffles: the types that HIP overloads them for. The lane to read is computed as HIP does.
namespace emulation {
template <typename T> WARP_OPERATION T read_value(const char* operation, T value, int source) {
    static_assert(sizeof(T) <= 8 && std::is_trivially_copyable_v<T>, "HIP shuffles numbers of at most eight bytes");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    bits = read_lane(operation, bits, static_cast<unsigned>(source));
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}
WARP_OPERATION int shuffle_source(int source, int width) {
    const int self = static_cast<int>(lane());
    return (source & (width - 1)) + (self & ~(width - 1));
}
WARP_OPERATION int shuffle_up_source(unsigned delta, int width) {
    const int self = static_cast<int>(lane()), source = self - static_cast<int>(delta);
    return source < (self & ~(width - 1)) ? self : source;
}
WARP_OPERATION int shuffle_down_source(unsigned delta, int width) {
    const int self = static_cast<int>(lane());
    return static_cast<int>((self & (width - 1)) + delta) >= width ? self : self + static_cast<int>(delta);
}
WARP_OPERATION int shuffle_xor_source(int mask, int width) {
    const int self = static_cast<int>(lane()), source = self ^ mask;
    return source >= ((self + width) & ~(width - 1)) ? self : source;
}
template <typename M> WARP_OPERATION std::uint64_t wide(M mask) {
    static_assert(std::is_integral_v<M> && sizeof(M) == 8, "The mask must be a 64-bit integer.");
    return static_cast<std::uint64_t>(mask);
}
}  // namespace emulation

#define EMULATION_SHUFFLES(T)                                                                                  \
    WARP_OPERATION T __shfl(T value, int source, int width = warpSize) {                                       \
        return emulation::read_value("__shfl", value, emulation::shuffle_source(source, width));               \
    }                                                                                                          \
    WARP_OPERATION T __shfl_up(T value, unsigned delta, int width = warpSize) {                                \
        return emulation::read_value("__shfl_up", value, emulation::shuffle_up_source(delta, width));          \
    }                                                                                                          \
    WARP_OPERATION T __shfl_down(T value, unsigned delta, int width = warpSize) {                              \
        return emulation::read_value("__shfl_down", value, emulation::shuffle_down_source(delta, width));      \
    }                                                                                                          \
    WARP_OPERATION T __shfl_xor(T value, int mask, int width = warpSize) {                                     \
        return emulation::read_value("__shfl_xor", value, emulation::shuffle_xor_source(mask, width));         \
    }
EMULATION_SHUFFLES(int)
EMULATION_SHUFFLES(unsigned)
EMULATION_SHUFFLES(long)
EMULATION_SHUFFLES(unsigned long)
EMULATION_SHUFFLES(long long)
EMULATION_SHUFFLES(unsigned long long)
EMULATION_SHUFFLES(float)
EMULATION_SHUFFLES(double)

// The forms with a mask: its check, and then the same for all lanes that are here.
#if !defined(HIP_DISABLE_WARP_SYNC_BUILTINS)
template <typename M> WARP_OPERATION unsigned long long __ballot_sync(M mask, int predicate) {
    emulation::meet("__ballot_sync", emulation::wide(mask));
    return __ballot(predicate) & emulation::wide(mask);
}
template <typename M> WARP_OPERATION int __any_sync(M mask, int predicate) {
    emulation::meet("__any_sync", emulation::wide(mask));
    return (__ballot(predicate) & emulation::wide(mask)) != 0;
}
template <typename M> WARP_OPERATION int __all_sync(M mask, int predicate) {
    emulation::meet("__all_sync", emulation::wide(mask));
    return (__ballot(predicate == 0) & emulation::wide(mask)) == 0;
}
#define EMULATION_SHUFFLE_SYNC(name, parameter)                                                           \
    template <typename M, typename T>                                                                     \
    WARP_OPERATION T name##_sync(M mask, T value, parameter argument, int width = warpSize) {             \
        emulation::meet(#name "_sync", emulation::wide(mask));                                            \
        return name(value, argument, width);                                                              \
    }
EMULATION_SHUFFLE_SYNC(__shfl, int)
EMULATION_SHUFFLE_SYNC(__shfl_up, unsigned)
EMULATION_SHUFFLE_SYNC(__shfl_down, unsigned)
EMULATION_SHUFFLE_SYNC(__shfl_xor, int)
#endif

WARP_OPERATION void __syncwarp() { emulation::meet("__syncwarp"); }
template <typename M> WARP_OPERATION void __syncwarp(M mask) { emulation::meet("__syncwarp", emulation::wide(mask)); }

// Matches and reductions, computed from what all lanes brought.
namespace emulation {
struct Gathered {
    std::uint64_t present, values[64];
    template <typename T> EMULATION_ATOMIC T as(unsigned lane) const {
        T value;
        std::memcpy(&value, &values[lane], sizeof(T));
        return value;
    }
};
template <typename T> WARP_OPERATION Gathered gathered(const char* operation, T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8, "T is a number of four or eight bytes");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    Gathered all;
    all.present = gather(operation, bits, all.values);
    return all;
}
template <typename T, typename Combine> WARP_OPERATION T reduce(const char* operation, std::uint64_t mask, T value,
                                                                Combine combine) {
    meet(operation, mask);
    const Gathered all = gathered(operation, value);
    bool first = true;
    T result = value;
    for (unsigned i = 0; i < lanes; ++i) {
        if (!(all.present & mask & std::uint64_t(1) << i)) continue;
        result = first ? all.as<T>(i) : static_cast<T>(combine(result, all.as<T>(i)));
        first = false;
    }
    return result;
}
}  // namespace emulation

template <typename T> WARP_OPERATION unsigned long long __match_any(T value) {
    const emulation::Gathered all = emulation::gathered("__match_any", value);
    unsigned long long same = 0;
    for (unsigned i = 0; i < emulation::lanes; ++i)
        if ((all.present >> i & 1) && all.as<T>(i) == value) same |= 1ull << i;
    return same;
}
template <typename T> WARP_OPERATION unsigned long long __match_all(T value, int* predicate) {
    const emulation::Gathered all = emulation::gathered("__match_all", value);
    const unsigned first = __builtin_ctzll(all.present);
    bool same = true;
    for (unsigned i = 0; i < emulation::lanes; ++i)
        same = same && (!(all.present >> i & 1) || all.as<T>(i) == all.as<T>(first));
    *predicate = same;
    return same ? all.present : 0;
}
template <typename M, typename T> WARP_OPERATION unsigned long long __match_any_sync(M mask, T value) {
    emulation::meet("__match_any_sync", emulation::wide(mask));
    return __match_any(value) & emulation::wide(mask);
}
template <typename M, typename T>
WARP_OPERATION unsigned long long __match_all_sync(M mask, T value, int* predicate) {
    // Lanes with another mask do this on their own.
    emulation::meet("__match_all_sync", emulation::wide(mask));
    const emulation::Gathered all = emulation::gathered("__match_all_sync", value);
    const unsigned long long here = all.present & emulation::wide(mask);
    bool same = true;
    for (unsigned i = 0; i < emulation::lanes; ++i)
        same = same && (!(here >> i & 1) || all.as<T>(i) == value);
    *predicate = same;
    return same ? here : 0;
}

#define EMULATION_REDUCTION(name, T, expression)                                                        \
    template <typename M> WARP_OPERATION T name(M mask, T value) {                                      \
        return emulation::reduce(#name, emulation::wide(mask), value,                                   \
                                 [](T a, T b) EMULATION_COMBINE { return expression; });                \
    }
#define EMULATION_COMBINE __attribute__((no_sanitize_coverage))
#define EMULATION_REDUCTIONS(T)                              \
    EMULATION_REDUCTION(__reduce_add_sync, T, a + b)         \
    EMULATION_REDUCTION(__reduce_min_sync, T, b < a ? b : a) \
    EMULATION_REDUCTION(__reduce_max_sync, T, a < b ? b : a)
EMULATION_REDUCTIONS(int)
EMULATION_REDUCTIONS(unsigned)
EMULATION_REDUCTION(__reduce_and_sync, unsigned, a & b)
EMULATION_REDUCTION(__reduce_or_sync, unsigned, a | b)
EMULATION_REDUCTION(__reduce_xor_sync, unsigned, a ^ b)

// The compiler's own.
WARP_OPERATION int __builtin_amdgcn_wavefrontsize() { return emulation::lanes; }
WARP_OPERATION unsigned __builtin_amdgcn_mbcnt_lo(unsigned mask, unsigned base) {
    const unsigned lane = emulation::lane();
    return base + __builtin_popcount(lane >= 32 ? mask : mask & ((1u << lane) - 1));
}
WARP_OPERATION unsigned __builtin_amdgcn_mbcnt_hi(unsigned mask, unsigned base) {
    const unsigned lane = emulation::lane();
    return base + (lane <= 32 ? 0 : __builtin_popcount(mask & ((1u << (lane - 32)) - 1)));
}
WARP_OPERATION unsigned long long __builtin_amdgcn_read_exec() { return __activemask(); }
WARP_OPERATION unsigned long long __builtin_amdgcn_ballot_w64(bool predicate) { return __ballot(predicate); }
WARP_OPERATION int __builtin_amdgcn_readfirstlane(int value) {
    const emulation::Gathered all = emulation::gathered("readfirstlane", value);
    return all.as<int>(__builtin_ctzll(all.present));
}
WARP_OPERATION int __builtin_amdgcn_readlane(int value, int source) {
    return emulation::read_value("readlane", value, source);
}
WARP_OPERATION int __builtin_amdgcn_ds_bpermute(int index, int value) {
    return emulation::read_value("ds_bpermute", value, index >> 2);
}
/// Four lanes in any order, or a row of sixteen or of eight read backwards; the row and bank masks name all.
WARP_OPERATION int __builtin_amdgcn_mov_dpp(int value, unsigned control, unsigned rows, unsigned banks, bool) {
    const unsigned lane = emulation::lane();
    unsigned source = (lane & ~3u) | (control >> 2 * (lane & 3) & 3);
    if (control == 0x140) source = lane ^ 15;
    else if (control == 0x141) source = lane ^ 7;
    else if (control > 0xff) emulation::fail("this control of DPP is not emulated");
    if (rows != 15 || banks != 15) emulation::fail("masks of DPP are not emulated");
    return emulation::read_value("mov_dpp", value, static_cast<int>(source));
}
/// The mode with three masks of five bits, among 32 lanes.
WARP_OPERATION int __builtin_amdgcn_ds_swizzle(int value, unsigned pattern) {
    const unsigned lane = emulation::lane();
    if (pattern >> 15) emulation::fail("this mode of ds_swizzle is not emulated");
    const unsigned source = (((lane & pattern) | pattern >> 5) ^ pattern >> 10) & 31;
    return emulation::read_value("ds_swizzle", value, static_cast<int>((lane & ~31u) | source));
}
WARP_OPERATION void __builtin_amdgcn_wave_barrier() { emulation::meet("wave_barrier"); }
#define __builtin_amdgcn_fence(...) ((void)0)
#define __builtin_amdgcn_s_sleep(...) ((void)0)
#define __builtin_amdgcn_endpgm() emulation::finish_thread()
