// Every function of hipify::warp32, and the reductions over a wavefront, beside what CUDA's description says that they
// give, worked out on the host. The block's last warp has 16 lanes, and one that ends early where a situation says so.
// It prints a line for each function. With nvcc it asks the same of CUDA's own functions on an NVIDIA GPU.
#include "hipify_support.hpp"

#include <cstdio>
#include <cstring>
#include <type_traits>
#if defined(__NVCC__)
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define hipMalloc cudaMalloc
#define hipMemcpy cudaMemcpy
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipSuccess cudaSuccess
#define hipDeviceAttributeWarpSize cudaDevAttrWarpSize
#define hipDeviceAttributeMaxThreadsPerBlock cudaDevAttrMaxThreadsPerBlock
#define LANES 32
using bfloat16 = __nv_bfloat16;
#else
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#define LANES HIP_EMULATION_LANES
using bfloat16 = __hip_bfloat16;
#endif
namespace warp = hipify::warp32;
namespace cg = cooperative_groups;
using word = unsigned long long;

constexpr int THREADS = 80, SITUATIONS = 8;
constexpr word UNKNOWN = 0x6e6f7468696e6721;  // for what CUDA leaves open

__host__ __device__ inline word value_of(int situation, int thread) {
    word x = (static_cast<word>(situation) << 32 | static_cast<unsigned>(thread)) + 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/// Lanes with the same key share a mask; those without one (-1) are elsewhere, and those with -2 have ended.
__host__ __device__ inline int key_of(int situation, int thread) {
    const int hash = static_cast<int>(value_of(77, thread) >> 20 & 1023);
    switch (situation) {
        case 1: return thread & 1;
        case 2: return thread % 3 == 0;
        case 3: return thread / 32 == 1 ? 0 : -1;
        case 4: return hash % 3 == 0 ? 0 : -1;
        case 5: return hash % 4;
        case 6: return hash % 3 == 0 ? -2 : 0;
        case 7: return thread / 32 % 2 == 0 ? 0 : hash % 2;
        default: return 0;
    }
}

/// The threads of the own `width` whose key is the same, or which are on the same side of the branch.
__host__ __device__ inline word with_same_key(int situation, int thread, int width, bool any_key) {
    const int first = thread / width * width, own = key_of(situation, thread);
    word lanes = 0;
    for (int lane = 0; lane < width && first + lane < THREADS; ++lane) {
        const int other = key_of(situation, first + lane);
        lanes |= static_cast<word>(any_key ? other >= 0 : other == own) << lane;
    }
    return lanes;
}

/// What the host knows of a thread's warp.
struct Warp {
    int situation, lane, width, number;
    word mask, here, values[64];
    bool in(int other) const { return other >= 0 && other < width && (mask >> other & 1); }
    word own() const { return values[lane]; }
};

template <class T> __host__ __device__ inline word bits(T value) {
    static_assert(sizeof(T) <= 8, "a word at most");
    word result = 0;
    memcpy(&result, &value, sizeof(T));
    return result;
}
template <class T> __host__ __device__ inline T from_word(word value) {
    return static_cast<T>(static_cast<long long>(value));
}
template <> __host__ __device__ inline bool from_word(word value) { return value & 1; }
template <> __host__ __device__ inline __half from_word(word value) {
    const unsigned short half = value & 0x3fff;
    __half result;
    memcpy(static_cast<void*>(&result), &half, sizeof half);
    return result;
}
template <> __host__ __device__ inline bfloat16 from_word(word value) {
    const unsigned short half = value & 0x3fff;
    bfloat16 result;
    memcpy(static_cast<void*>(&result), &half, sizeof half);
    return result;
}
template <> __host__ __device__ inline __half2 from_word(word value) {
    const unsigned two = value & 0x3fff3fff;
    __half2 result;
    memcpy(static_cast<void*>(&result), &two, sizeof two);
    return result;
}

// Votes.
struct Of32 {
    static constexpr int width = 32;
};
template <class Predicate> word votes(const Warp& w, word lanes, Predicate predicate) {
    word result = 0;
    for (int lane = 0; lane < w.width; ++lane)
        if (lanes >> lane & 1) result |= static_cast<word>(predicate(w.values[lane])) << lane;
    return result;
}
bool odd(word v) { return v & 1; }
bool eighth(word v) { return v % 8 == 0; }
bool rare(word v) { return v % 64 == 0; }
template <class A, class B> struct Same { static_assert(std::is_same<A, B>::value, "the type that CUDA gives"); };
#define GIVES(type, expression) (void)Same<type, decltype(expression)>()

struct Activemask : Of32 {
    __device__ static word run(word, word, int) {
        GIVES(unsigned, warp::activemask());
        return warp::activemask();
    }
    static word want(const Warp& w) {
        return w.here;
    }
};
struct Ballot : Of32 {
    __device__ static word run(word, word v, int) {
        GIVES(unsigned, warp::ballot(1));
        return warp::ballot(v & 1);
    }
    static word want(const Warp& w) {
        return votes(w, w.here, odd);
    }
};
struct BallotSync : Of32 {
    __device__ static word run(word mask, word v, int) {
        GIVES(unsigned, warp::ballot_sync(mask, 1));
        return warp::ballot_sync(mask, v & 1);
    }
    static word want(const Warp& w) {
        return votes(w, w.mask, odd);
    }
};
struct AnyLane : Of32 {
    __device__ static word run(word, word v, int) {
        GIVES(int, warp::any(1));
        return warp::any(v % 8 == 0) != 0 | (warp::any(v % 64 == 0) != 0) << 1;
    }
    static word want(const Warp& w) {
        return (votes(w, w.here, eighth) != 0) | (votes(w, w.here, rare) != 0) << 1;
    }
};
struct AnyLaneSync : Of32 {
    __device__ static word run(word mask, word v, int) {
        return warp::any_sync(mask, v % 8 == 0) != 0 | (warp::any_sync(mask, v % 64 == 0) != 0) << 1;
    }
    static word want(const Warp& w) {
        return (votes(w, w.mask, eighth) != 0) | (votes(w, w.mask, rare) != 0) << 1;
    }
};
struct AllLanes : Of32 {
    __device__ static word run(word, word v, int) {
        GIVES(int, warp::all(1));
        return warp::all(v % 8 != 0) != 0 | (warp::all(v % 64 != 0) != 0) << 1;
    }
    static word want(const Warp& w) {
        return (votes(w, w.here, eighth) == 0) | (votes(w, w.here, rare) == 0) << 1;
    }
};
struct AllLanesSync : Of32 {
    __device__ static word run(word mask, word v, int) {
        return warp::all_sync(mask, v % 8 != 0) != 0 | (warp::all_sync(mask, v % 64 != 0) != 0) << 1;
    }
    static word want(const Warp& w) {
        return (votes(w, w.mask, eighth) == 0) | (votes(w, w.mask, rare) == 0) << 1;
    }
};

// The lane, the warp, and what the lanes tell each other through memory.
__device__ inline int thread_of_block() {
    return static_cast<int>((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
}
struct LaneId : Of32 {
    __device__ static word run(word, word, int) {
        GIVES(unsigned, warp::lane_id());
        return warp::lane_id();
    }
    static word want(const Warp& w) {
        return w.lane;
    }
};
struct LaneMasks : Of32 {
    __device__ static word run(word, word, int) {
        GIVES(unsigned, warp::lanemask_lt());
        const word equal = warp::lanemask_eq(), less = warp::lanemask_lt(), at_most = warp::lanemask_le();
        const word greater = warp::lanemask_gt(), at_least = warp::lanemask_ge();
        return equal ^ less << 8 ^ at_most << 16 ^ greater << 24 ^ at_least << 32;
    }
    static word want(const Warp& w) {
        const word equal = 1ull << w.lane, less = equal - 1, all = 0xffffffff;
        return equal ^ less << 8 ^ (less | equal) << 16 ^ (all & ~less & ~equal) << 24 ^ (all & ~less) << 32;
    }
};
struct WarpId : Of32 {
    __device__ static word run(word, word, int) {
        return warp::warp_id() * 100 + static_cast<word>(thread_of_block() / 32);
    }
    static word want(const Warp& w) {
        return static_cast<word>(w.number) * 101;
    }
};
__host__ __device__ inline int next_of(word mask, int lane) {
    do lane = (lane + 1) % 32;
    while (!(mask >> lane & 1));
    return lane;
}
struct Syncwarp : Of32 {
    __device__ static word run(word mask, word v, int situation) {
        __shared__ word told[THREADS];
        const int thread = thread_of_block(), lane = thread % 32;
        if (situation == 6) return UNKNOWN;
        told[thread] = v;
        warp::syncwarp(mask);
        const word heard = told[thread - lane + next_of(mask, lane)];
        warp::syncwarp(mask);
        return heard;
    }
    static word want(const Warp& w) {
        return w.situation == 6 ? UNKNOWN : w.values[next_of(w.mask, w.lane)];
    }
};

// Matches.
template <class T> __host__ __device__ inline T one_of(word v) { return from_word<T>(v & 3); }
template <> __host__ __device__ inline bool one_of(word v) { return v & 1; }
template <> __host__ __device__ inline long long one_of(word v) {  // some differ in their upper half only
    return from_word<long long>((v & 1) << 40 | (v >> 1 & 1));
}
template <> __host__ __device__ inline float one_of(word v) {  // zeros of both signs, and NaNs
    const unsigned of[] = {0u, 0x80000000u, 0x7fc00000u, 0x7fc00001u};
    float result;
    memcpy(&result, &of[v & 3], sizeof result);
    return result;
}
template <> __host__ __device__ inline double one_of(word v) {
    const word of[] = {0u, 0x8000000000000000, 0x7ff8000000000000, 0x7ff8000100000000};
    double result;
    memcpy(&result, &of[v & 3], sizeof result);
    return result;
}
template <class T> struct MatchAny : Of32 {
    __device__ static word run(word mask, word v, int) {
        GIVES(unsigned, warp::match_any_sync(mask, one_of<T>(v)));
        return warp::match_any_sync(mask, one_of<T>(v));
    }
    static word want(const Warp& w) {
        return votes(w, w.mask, [&](word v) { return bits(one_of<T>(v)) == bits(one_of<T>(w.own())); });
    }
};
template <class T> struct MatchAnyOfMany : Of32 {
    __device__ static word run(word mask, word v, int) { return warp::match_any_sync(mask, from_word<T>(v)); }
    static word want(const Warp& w) {
        return votes(w, w.mask, [&](word v) { return bits(from_word<T>(v)) == bits(from_word<T>(w.own())); });
    }
};
template <class T> struct MatchAll : Of32 {
    __host__ __device__ static T value(word mask, word v) { return one_of<T>(mask >> 7 & 1 ? 2 : v); }
    __device__ static word run(word mask, word v, int) {
        int same = 7;
        const word found = warp::match_all_sync(mask, value(mask, v), &same);
        return found | static_cast<word>(same != 0) << 32;
    }
    static word want(const Warp& w) {
        const word asked = w.situation == 6 ? 0xffffffff : w.mask;
        const bool same = votes(w, w.mask, [&](word v) {
            return bits(value(asked, v)) != bits(value(asked, w.own()));
        }) == 0;
        return same ? w.mask | 1ull << 32 : 0;
    }
};

// Reductions: T comes, P is what CUDA makes of it and gives back.
template <class P, class Combine> word folded(const Warp& w, Combine combine) {
    bool first = true;
    P result = P();
    for (int lane = 0; lane < w.width; ++lane) {
        if (!w.in(lane)) continue;
        result = first ? static_cast<P>(w.values[lane]) : combine(result, static_cast<P>(w.values[lane]));
        first = false;
    }
    return bits(result);
}
template <class T> Warp converted(const Warp& w) {
    Warp result = w;
    for (word& v : result.values) v = static_cast<word>(static_cast<long long>(from_word<T>(v)));
    return result;
}
#define REDUCTION(NAME, CALL, WIDTH, EXPRESSION)                                                           \
    template <class T, class P> struct NAME {                                                              \
        static constexpr int width = WIDTH;                                                                \
        __device__ static word run(word mask, word v, int) {                                               \
            GIVES(P, CALL(mask, from_word<T>(v)));                                                         \
            return bits(CALL(mask, from_word<T>(v)));                                                      \
        }                                                                                                  \
        static word want(const Warp& w) {                                                                  \
            return folded<P>(converted<T>(w), [](P a, P b) { return static_cast<P>(EXPRESSION); });        \
        }                                                                                                  \
    };
REDUCTION(Add, warp::reduce_add_sync, 32, static_cast<unsigned>(a) + static_cast<unsigned>(b))
REDUCTION(Min, warp::reduce_min_sync, 32, a < b ? a : b)
REDUCTION(Max, warp::reduce_max_sync, 32, a > b ? a : b)
REDUCTION(And, warp::reduce_and_sync, 32, a & b)
REDUCTION(Or, warp::reduce_or_sync, 32, a | b)
REDUCTION(Xor, warp::reduce_xor_sync, 32, a ^ b)
REDUCTION(WideAdd, hipify::reduce_add_sync, LANES, static_cast<unsigned>(a) + static_cast<unsigned>(b))
REDUCTION(WideMin, hipify::reduce_min_sync, LANES, a < b ? a : b)
REDUCTION(WideMax, hipify::reduce_max_sync, LANES, a > b ? a : b)
REDUCTION(WideAnd, hipify::reduce_and_sync, LANES, a & b)
REDUCTION(WideOr, hipify::reduce_or_sync, LANES, a | b)
REDUCTION(WideXor, hipify::reduce_xor_sync, LANES, a ^ b)

// Shuffles, with lanes and distances that reach beyond the warp and the part of it.
enum Kind { from_lane, up, down, across };
template <Kind K, class T> __device__ auto shuffled(word mask, T value, int by, int part) {
    if constexpr (K == from_lane) return warp::shfl_sync(mask, value, by, part);
    else if constexpr (K == up) return warp::shfl_up_sync(mask, value, by, part);
    else if constexpr (K == down) return warp::shfl_down_sync(mask, value, by, part);
    else return warp::shfl_xor_sync(mask, value, by, part);
}
template <Kind K, class T> __device__ auto shuffled_plainly(T value, int by, int part) {
    if constexpr (K == from_lane) return warp::shfl(value, by, part);
    else if constexpr (K == up) return warp::shfl_up(value, by, part);
    else if constexpr (K == down) return warp::shfl_down(value, by, part);
    else return warp::shfl_xor(value, by, part);
}
template <Kind K> int source(int lane, int by, int part) {
    const int first = lane & ~(part - 1), last = first + part - 1, distance = by & 31;
    if (K == from_lane) return first + (by & (part - 1));
    const int from = K == up ? lane - distance : K == down ? lane + distance : lane ^ distance;
    return K == up ? (from >= first ? from : lane) : (from <= last ? from : lane);
}
__host__ __device__ inline int by_of(word v) { return static_cast<int>(v >> 33 & 127) - 32; }
template <Kind K, class T, class P, int Part, bool Plain> struct Shuffle : Of32 {
    __device__ static word run(word mask, word v, int) {
        const T value = from_word<T>(v);
        GIVES(P, shuffled<K>(mask, value, by_of(v), Part));
        GIVES(P, shuffled_plainly<K>(value, by_of(v), Part));
        if (Plain) return bits(shuffled_plainly<K>(value, by_of(v), Part));
        return bits(shuffled<K>(mask, value, by_of(v), Part));
    }
    static word want(const Warp& w) {
        const int from = source<K>(w.lane, by_of(w.own()), Part);
        return w.in(from) ? bits(static_cast<P>(from_word<T>(w.values[from]))) : UNKNOWN;
    }
};
struct WidthOf32 : Of32 {
    __device__ static word run(word mask, word v, int) {
        const word first = static_cast<word>(warp::shfl(static_cast<int>(v), 0));
        return first ^ warp::shfl_up(v, 1) ^ warp::shfl_down_sync(mask, v, 1) ^ warp::shfl_xor_sync(mask, v, 16);
    }
    static word want(const Warp& w) {
        const int below = w.lane ? w.lane - 1 : 0, above = w.lane < 31 ? w.lane + 1 : 31, across = w.lane ^ 16;
        if (!w.in(0) || !w.in(below) || !w.in(above) || !w.in(across)) return UNKNOWN;
        const word first = static_cast<word>(static_cast<int>(w.values[0]));
        return first ^ w.values[below] ^ w.values[above] ^ w.values[across];
    }
};
#if !defined(__NVCC__)  // CUDA has no shuffles of structures
struct Triple {
    word a;
    unsigned char b, c, d;
};
struct ShuffleOfStructure : Of32 {
    __device__ static word run(word mask, word v, int) {
        const Triple mine = {v, static_cast<unsigned char>(v >> 8), 1, 2};
        const Triple got = warp::shfl_xor_sync(mask, mine, 4);
        return got.a ^ got.b;
    }
    static word want(const Warp& w) {
        return w.in(w.lane ^ 4) ? w.values[w.lane ^ 4] ^ (w.values[w.lane ^ 4] >> 8 & 255) : UNKNOWN;
    }
};
#endif

// Groups: of the lanes that are here, and parts of them.
word packed(word lanes, word votes) {
    word result = 0;
    for (int lane = 0, place = 0; lane < 64; ++lane)
        if (lanes >> lane & 1) result |= (votes >> lane & 1) << place++;
    return result;
}
int counted(word lanes) { return __builtin_popcountll(lanes); }
int lane_at(word lanes, int rank) {
    for (int lane = 0; lane < 32; ++lane)
        if ((lanes >> lane & 1) && rank-- == 0) return lane;
    return -1;
}
int rank_of(const Warp& w, word lanes) { return counted(lanes & ((1ull << w.lane) - 1)); }
template <class Group> __device__ word shape(const Group& group) {
    return group.size() | group.num_threads() << 6 | group.thread_rank() << 12 |
           static_cast<word>(group.meta_group_rank()) << 32 | static_cast<word>(group.meta_group_size()) << 40;
}
word shape_of(const Warp& w, word lanes, int part, int parts) {
    return counted(lanes) | counted(lanes) << 6 | rank_of(w, lanes) << 12 | static_cast<word>(part) << 32 |
           static_cast<word>(parts) << 40;
}
struct Group : Of32 {
    __device__ static word run(word, word, int) {
        GIVES(unsigned, warp::coalesced_threads().ballot(1));
        return shape(warp::coalesced_threads());
    }
    static word want(const Warp& w) {
        return shape_of(w, w.here, 0, 1);
    }
};
struct GroupVotes : Of32 {
    __device__ static word run(word, word v, int) {
        const auto g = warp::coalesced_threads();
        const word some = g.any(v % 8 == 0) != 0, none = g.all(v % 8 != 0) != 0;
        return g.ballot(v & 1) | some << 32 | none << 33;
    }
    static word want(const Warp& w) {
        const word some = votes(w, w.here, eighth) != 0;
        return packed(w.here, votes(w, w.here, odd)) | some << 32 | (1 - some) << 33;
    }
};
struct GroupMatches : Of32 {
    __device__ static word run(word, word v, int) {
        const auto g = warp::coalesced_threads();
        int same = 7;
        int never = 7;
        GIVES(unsigned, g.match_any(v));
        GIVES(unsigned, g.match_all(v, same));
        const word all = g.match_all(5, same);
        const word none = g.match_all(static_cast<int>(v), never);
        const word flags = static_cast<word>(same) << 60 | static_cast<word>(never) << 61;
        return (g.match_any(static_cast<int>(v & 3)) ^ all << 20 ^ none) | flags;
    }
    static word want(const Warp& w) {
        const bool alone = counted(w.here) == 1;
        const word all = packed(w.here, w.here);
        const word some = votes(w, w.here, [&](word v) { return (v & 3) == (w.own() & 3); });
        return (packed(w.here, some) ^ all << 20 ^ (alone ? all : 0)) | 1ull << 60 | static_cast<word>(alone) << 61;
    }
};
struct GroupShfl : Of32 {
    __device__ static word run(word, word v, int) {
        const auto g = warp::coalesced_threads();
        return g.shfl(v, static_cast<int>((v >> 9) % g.size()));
    }
    static word want(const Warp& w) {
        return w.values[lane_at(w.here, static_cast<int>((w.own() >> 9) % counted(w.here)))];
    }
};
struct GroupShflUp : Of32 {
    __device__ static word run(word, word v, int) {
        return warp::coalesced_threads().shfl_up(v, 3);
    }
    static word want(const Warp& w) {
        const int rank = rank_of(w, w.here);
        return rank < 3 ? w.own() : w.values[lane_at(w.here, rank - 3)];
    }
};
struct GroupShflDown : Of32 {
    __device__ static word run(word, word v, int) {
        return warp::coalesced_threads().shfl_down(v, 3);
    }
    static word want(const Warp& w) {
        const int rank = rank_of(w, w.here);
        return rank + 3 >= counted(w.here) ? w.own() : w.values[lane_at(w.here, rank + 3)];
    }
};
struct GroupSync : Of32 {
    __device__ static word run(word, word v, int) {
        __shared__ word told[THREADS];
        const auto g = warp::coalesced_threads();
        const int thread = thread_of_block();
        const unsigned lane = g.shfl(static_cast<unsigned>(thread), static_cast<int>((g.thread_rank() + 1) % g.size()));
        told[thread] = v;
        g.sync();
        const word heard = told[lane];
        g.sync();
        return heard;
    }
    static word want(const Warp& w) {
        return w.values[lane_at(w.here, (rank_of(w, w.here) + 1) % counted(w.here))];
    }
};
struct GroupOfHip : Of32 {
    __device__ static word run(word, word v, int) {
        const auto g = warp::coalesced_threads();
        const cg::coalesced_group h = g;
        const warp::coalesced_group back = h;
        const word place = h.size() * 64 + h.thread_rank(), first = h.shfl(static_cast<unsigned>(v), 0);
        return shape(back) ^ place << 44 ^ first << 12;
    }
    static word want(const Warp& w) {
        const word place = counted(w.here) * 64 + rank_of(w, w.here), first = w.values[lane_at(w.here, 0)] & 0xffffffff;
        return shape_of(w, w.here, 0, 1) ^ place << 44 ^ first << 12;
    }
};
struct TiledGroup : Of32 {
    __device__ static word run(word, word v, int) {
        const cg::coalesced_group whole = warp::coalesced_threads();
        const warp::coalesced_group g = warp::tiled_partition(whole, 4);
        return shape(g) ^ static_cast<word>(g.ballot(v & 1)) << 50;
    }
    static word want(const Warp& w) {
        const int size = counted(w.here), part = rank_of(w, w.here) / 4;
        word lanes = 0;
        if (size <= 4) return shape_of(w, w.here, 0, 1) ^ packed(w.here, votes(w, w.here, odd)) << 50;
        for (int i = part * 4; i < part * 4 + 4 && i < size; ++i) lanes |= 1ull << lane_at(w.here, i);
        return shape_of(w, lanes, part, (size + 3) / 4) ^ packed(lanes, votes(w, lanes, odd)) << 50;
    }
};
word two_parts(const Warp& w, word of) {
    const word set = votes(w, of, odd);
    if (set == 0 || set == of) return shape_of(w, of, 0, 1);
    return shape_of(w, odd(w.own()) ? set : of & ~set, odd(w.own()), 2);
}
word labeled_parts(const Warp& w, word of) {
    word first[4];
    int parts = 0, before = 0;
    for (word label = 0; label < 4; ++label) {
        first[label] = votes(w, of, [&](word v) { return (v & 3) == label; });
        parts += first[label] != 0;
    }
    const word own = first[w.own() & 3];
    for (word lanes : first) before += lanes != 0 && __builtin_ctzll(lanes) < __builtin_ctzll(own);
    return shape_of(w, own, before, parts);
}
struct BinaryPartition : Of32 {
    __device__ static word run(word, word v, int) {
        return shape(warp::binary_partition(warp::coalesced_threads(), v & 1));
    }
    static word want(const Warp& w) {
        return two_parts(w, w.here);
    }
};
struct Labels : Of32 {
    __device__ static word run(word, word v, int) {
        return shape(warp::labeled_partition(warp::coalesced_threads(), static_cast<int>(v & 3)));
    }
    static word want(const Warp& w) {
        return labeled_parts(w, w.here);
    }
};
struct LabelsOf8Bits : Of32 {
    __device__ static word run(word, word v, int) {
        return shape(warp::labeled_partition(warp::coalesced_threads(), static_cast<unsigned char>(v & 3)));
    }
    static word want(const Warp& w) {
        return labeled_parts(w, w.here);
    }
};
struct LabelsOfTruth : Of32 {
    __device__ static word run(word, word v, int) {
        return shape(warp::labeled_partition(warp::coalesced_threads(), (v & 1) != 0));
    }
    static word want(const Warp& w) {
        return two_parts(w, w.here);
    }
};
struct LabelsOfAnyGroup : Of32 {
    __device__ static word run(word, word v, int) {
        const warp::coalesced_group g = hipify::labeled_partition(warp::coalesced_threads(), static_cast<int>(v & 3));
        return shape(g);
    }
    static word want(const Warp& w) {
        return labeled_parts(w, w.here);
    }
};
struct TruthOfAnyGroup : Of32 {
    __device__ static word run(word, word v, int) {
        const warp::coalesced_group g = hipify::labeled_partition(warp::coalesced_threads(), (v & 1) != 0);
        return shape(g);
    }
    static word want(const Warp& w) {
        return two_parts(w, w.here);
    }
};
struct LabelsOfTile : Of32 {
    __device__ static word run(word, word v, int situation) {
        if (situation != 0) return UNKNOWN;
        const auto tile = warp::tiled_partition<16>(cg::this_thread_block());
        return shape(warp::labeled_partition(tile, static_cast<int>(v & 3)));
    }
    static word want(const Warp& w) {
        return w.situation ? UNKNOWN : labeled_parts(w, w.here & (w.lane < 16 ? 0xffff : 0xffff0000));
    }
};
struct GroupReduce : Of32 {
    __device__ static word run(word, word v, int) {
        const auto g = warp::coalesced_threads();
        return static_cast<word>(hipify::reduce(g, v, hipify::plus<word>()));
    }
    static word want(const Warp& w) {
        word sum = 0;
        for (int lane = 0; lane < 32; ++lane) sum += w.here >> lane & 1 ? w.values[lane] : 0;
        return sum;
    }
};
struct GroupScans : Of32 {
    __device__ static word run(word, word v, int) {
        const auto g = warp::coalesced_threads();
        const word upto = hipify::inclusive_scan(g, v, hipify::plus<word>());
        return upto ^ hipify::exclusive_scan(g, v, hipify::plus<word>()) << 1;
    }
    static word want(const Warp& w) {
        word sum = 0;
        for (int lane = 0; lane < w.lane; ++lane) sum += w.here >> lane & 1 ? w.values[lane] : 0;
        return (sum + w.own()) ^ sum << 1;
    }
};
struct GroupInvokes : Of32 {
    __device__ static word run(word, word v, int) {
        const auto g = warp::coalesced_threads();
        return hipify::invoke_one_broadcast(g, [&] { return v; });
    }
    static word want(const Warp& w) {
        return w.values[lane_at(w.here, 0)];
    }
};

template <class Case> __device__ word asked(int situation, int thread) {
    constexpr int width = Case::width;
    const word mask = situation == 6 ? ~0ull >> (64 - width) : with_same_key(situation, thread, width, false);
    return Case::run(mask, value_of(situation, thread), situation);
}

template <class Case> __global__ void ask(int situation, word* results) {
    const int thread = thread_of_block(), key = key_of(situation, thread);
    if (key == -2) return;
    if (situation == 2) {
        if (key) results[thread] = asked<Case>(situation, thread);
        else results[thread] = asked<Case>(situation, thread);
    } else if (key >= 0) {
        results[thread] = asked<Case>(situation, thread);
    }
}

template <class Case> bool compared(const char* name) {
    constexpr int width = Case::width;
    int checks = 0, wrong = 0;
    word *device, results[THREADS];
    if (hipMalloc(&device, sizeof results) != hipSuccess) return false;
    for (int situation = 0; situation < SITUATIONS; ++situation) {
        ask<Case><<<1, dim3(8, 5, 2)>>>(situation, device);
        if (hipMemcpy(results, device, sizeof results, hipMemcpyDeviceToHost) != hipSuccess) return false;
        for (int thread = 0; thread < THREADS; ++thread) {
            if (key_of(situation, thread) < 0) continue;
            Warp w = {situation, thread % width, width, thread / 32, with_same_key(situation, thread, width, false),
                      with_same_key(situation, thread, width, situation != 2), {}};
            for (int lane = 0; lane < width; ++lane)
                w.values[lane] = value_of(situation, thread / width * width + lane);
            const word want = Case::want(w);
            if (want == UNKNOWN) continue;
            ++checks;
            if (results[thread] == want) continue;
            if (wrong++ == 0)
                std::printf("%s: situation %d, thread %d: 0x%llx instead of 0x%llx\n", name, situation, thread,
                            results[thread], want);
        }
    }
    std::printf("%-40s %5d checked, %d wrong\n", name, checks, wrong);
    return checks != 0 && wrong == 0;
}

/// The host hears of 32 lanes on every device; all else is as the device says.
bool attributes() {
    int lanes = 0, threads = 0;
    const bool heard = warp::get_device_attribute(&lanes, hipDeviceAttributeWarpSize, 0) == hipSuccess &&
                       warp::get_device_attribute(&threads, hipDeviceAttributeMaxThreadsPerBlock, 0) == hipSuccess;
    const int wrong = !heard || lanes != 32 || threads != 1024;
    std::printf("%-40s %5d checked, %d wrong\n", "attributes", 2, wrong);
    return !wrong;
}

#define COMPARE(...) right &= compared<__VA_ARGS__>(#__VA_ARGS__);
#define COMPARE_SHUFFLES(T, P)                   \
    COMPARE(Shuffle<from_lane, T, P, 32, false>) \
    COMPARE(Shuffle<up, T, P, 32, false>)        \
    COMPARE(Shuffle<down, T, P, 32, false>)      \
    COMPARE(Shuffle<across, T, P, 32, false>)
int main() {
    bool right = attributes();
    COMPARE(Activemask) COMPARE(Ballot) COMPARE(BallotSync)
    COMPARE(AnyLane) COMPARE(AnyLaneSync) COMPARE(AllLanes) COMPARE(AllLanesSync)
    COMPARE(LaneId) COMPARE(LaneMasks) COMPARE(WarpId) COMPARE(Syncwarp)
    COMPARE(MatchAny<bool>) COMPARE(MatchAny<signed char>) COMPARE(MatchAny<unsigned char>) COMPARE(MatchAny<short>)
    COMPARE(MatchAny<unsigned short>) COMPARE(MatchAny<int>) COMPARE(MatchAny<unsigned>) COMPARE(MatchAny<long>)
    COMPARE(MatchAny<unsigned long>) COMPARE(MatchAny<long long>) COMPARE(MatchAny<unsigned long long>)
    COMPARE(MatchAny<float>) COMPARE(MatchAny<double>)
    COMPARE(MatchAnyOfMany<int>) COMPARE(MatchAnyOfMany<unsigned char>) COMPARE(MatchAnyOfMany<long long>)
    COMPARE(MatchAll<bool>) COMPARE(MatchAll<signed char>) COMPARE(MatchAll<unsigned short>) COMPARE(MatchAll<int>)
    COMPARE(MatchAll<unsigned>) COMPARE(MatchAll<long>) COMPARE(MatchAll<unsigned long long>)
    COMPARE(MatchAll<float>) COMPARE(MatchAll<double>)
    COMPARE(Add<bool, int>) COMPARE(Add<signed char, int>) COMPARE(Add<unsigned char, int>) COMPARE(Add<short, int>)
    COMPARE(Add<unsigned short, int>) COMPARE(Add<int, int>) COMPARE(Add<unsigned, unsigned>)
    COMPARE(Min<signed char, int>) COMPARE(Min<unsigned short, int>) COMPARE(Min<int, int>)
    COMPARE(Min<unsigned, unsigned>) COMPARE(Max<signed char, int>) COMPARE(Max<unsigned char, int>)
    COMPARE(Max<int, int>) COMPARE(Max<unsigned, unsigned>)
    COMPARE(And<unsigned, unsigned>) COMPARE(And<int, unsigned>) COMPARE(Or<unsigned, unsigned>)
    COMPARE(Or<unsigned char, unsigned>) COMPARE(Xor<unsigned, unsigned>) COMPARE(Xor<short, unsigned>)
    COMPARE(WideAdd<bool, int>) COMPARE(WideAdd<unsigned char, int>) COMPARE(WideAdd<int, int>)
    COMPARE(WideAdd<unsigned, unsigned>) COMPARE(WideMin<int, int>) COMPARE(WideMin<unsigned, unsigned>)
    COMPARE(WideMax<short, int>) COMPARE(WideMax<unsigned, unsigned>) COMPARE(WideAnd<unsigned, unsigned>)
    COMPARE(WideOr<int, unsigned>) COMPARE(WideXor<unsigned, unsigned>)
    COMPARE_SHUFFLES(int, int) COMPARE_SHUFFLES(unsigned, unsigned) COMPARE_SHUFFLES(long, long)
    COMPARE_SHUFFLES(unsigned long long, unsigned long long) COMPARE_SHUFFLES(float, float)
    COMPARE_SHUFFLES(double, double) COMPARE_SHUFFLES(bool, int) COMPARE_SHUFFLES(signed char, int)
    COMPARE_SHUFFLES(unsigned short, int) COMPARE_SHUFFLES(__half, __half) COMPARE_SHUFFLES(__half2, __half2)
    COMPARE_SHUFFLES(bfloat16, bfloat16)
    COMPARE(Shuffle<from_lane, int, int, 8, true>) COMPARE(Shuffle<up, int, int, 8, true>)
    COMPARE(Shuffle<down, int, int, 16, true>) COMPARE(Shuffle<across, int, int, 4, true>)
    COMPARE(Shuffle<from_lane, double, double, 16, false>) COMPARE(Shuffle<across, __half, __half, 16, true>)
    COMPARE(WidthOf32)
#if !defined(__NVCC__)
    COMPARE(ShuffleOfStructure)
#endif
    COMPARE(Group) COMPARE(GroupVotes) COMPARE(GroupMatches) COMPARE(GroupShfl) COMPARE(GroupShflUp)
    COMPARE(GroupShflDown) COMPARE(GroupSync) COMPARE(GroupOfHip) COMPARE(TiledGroup) COMPARE(BinaryPartition)
    COMPARE(Labels) COMPARE(LabelsOf8Bits) COMPARE(LabelsOfTruth) COMPARE(LabelsOfAnyGroup)
    COMPARE(TruthOfAnyGroup) COMPARE(LabelsOfTile) COMPARE(GroupReduce) COMPARE(GroupScans)
    COMPARE(GroupInvokes)
    return right ? 0 : 1;
}
