// Runs what the support header has beside CUDA's own, over random numbers, and tells where they differ.
// Prints a line a name: what was compared, how many values, and `equal` or `DIFFERENT`.
#include "hipify_support.hpp"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_fp8.h>

#include <cuda/atomic>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/bit>
#include <cuda/std/span>
#include <cuda/std/utility>
#include <cuda_pipeline.h>

#include <cstdio>
#include <random>
#include <type_traits>
#include <vector>

namespace cg = cooperative_groups;

constexpr int blocks = 96, threads = 128, words = 8;

struct Random {
    unsigned word[words];
};
struct Nearest {
    float distance;
    int index;
};
struct Closer {
    __device__ Nearest operator()(const Nearest& a, const Nearest& b) const {
        return b.distance < a.distance || (b.distance == a.distance && b.index < a.index) ? b : a;
    }
};

template <class Check>
__global__ void run(const Random* random, typename Check::value* ours, typename Check::value* theirs) {
    const int at = blockIdx.x * blockDim.x + threadIdx.x;
    memset(&ours[at], 0, sizeof(ours[at]));
    memset(&theirs[at], 0, sizeof(theirs[at]));
    Check::run(random[at], ours[at], theirs[at]);
}

static int different = 0;

static void line(const char* name, const char* how, size_t count, bool equal) {
    std::printf("%-24s %-44s %7zu values %s\n", name, how, count, equal ? "equal" : "DIFFERENT");
    different += !equal;
}

template <class Check>
static void compare(const char* name, const char* how) {
    using value = typename Check::value;
    std::mt19937 generator(12345);
    std::vector<Random> random(blocks * threads);
    for (Random& one : random) {
        for (unsigned& word : one.word) {
            word = generator();
        }
    }
    const unsigned edges[] = {0u, 1u, ~0u, 0x80000000u, 0x7fffffffu, 0x7f7f8080u, 0x00008000u, 0x80007fffu};
    for (int i = 0; i < 512; ++i) {
        for (int w = 0; w < words; ++w) {
            random[i].word[w] = edges[(i >> (3 * (w % 3))) % 8];
        }
    }
    Random* in = nullptr;
    value *ours = nullptr, *theirs = nullptr;
    const size_t bytes = sizeof(value) * random.size();
    cudaMalloc(&in, sizeof(Random) * random.size());
    cudaMalloc(&ours, bytes);
    cudaMalloc(&theirs, bytes);
    cudaMemcpy(in, random.data(), sizeof(Random) * random.size(), cudaMemcpyHostToDevice);
    run<Check><<<blocks, threads>>>(in, ours, theirs);
    std::vector<unsigned char> a(bytes), b(bytes);
    cudaMemcpy(a.data(), ours, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(b.data(), theirs, bytes, cudaMemcpyDeviceToHost);
    const cudaError_t error = cudaDeviceSynchronize();
    line(name, how, random.size(), error == cudaSuccess && a == b);
    if (error != cudaSuccess) {
        std::printf("# %s\n", cudaGetErrorString(error));
        cudaDeviceReset();  // so that the next comparison starts afresh
        return;
    }
    cudaFree(in);
    cudaFree(ours);
    cudaFree(theirs);
}

// A check compares two expressions; `in` is what is random, `tile` a tile of Size threads.
#define CHECK(NAME, TYPE, OURS, THEIRS)                                             \
    struct NAME {                                                                   \
        using value = TYPE;                                                         \
        __device__ static void run(const Random& in, value& ours, value& theirs) { \
            ours = OURS;                                                            \
            theirs = THEIRS;                                                        \
        }                                                                           \
    };

#define TILE_CHECK(NAME, TYPE, OURS, THEIRS)                                        \
    template <unsigned Size>                                                        \
    struct NAME {                                                                   \
        using value = TYPE;                                                         \
        __device__ static void run(const Random& in, value& ours, value& theirs) { \
            auto group = cg::tiled_partition<Size>(cg::this_thread_block());        \
            ours = OURS;                                                            \
            theirs = THEIRS;                                                        \
        }                                                                           \
    };                                                                              \
    struct NAME##Coalesced {                                                        \
        using value = TYPE;                                                         \
        __device__ static void run(const Random& in, value& ours, value& theirs) { \
            if (in.word[7] % 3 != 0) {                                              \
                auto group = cg::coalesced_threads();                               \
                ours = OURS;                                                        \
                theirs = THEIRS;                                                    \
            }                                                                       \
        }                                                                           \
    };

#define COMPARE_TILES(NAME, CHECK_NAME)                          \
    compare<CHECK_NAME<32>>(NAME, #CHECK_NAME " tile of 32");     \
    compare<CHECK_NAME<8>>(NAME, #CHECK_NAME " tile of 8");       \
    compare<CHECK_NAME<1>>(NAME, #CHECK_NAME " tile of 1");       \
    compare<CHECK_NAME##Coalesced>(NAME, #CHECK_NAME " coalesced group");

__device__ float number(unsigned word) { return static_cast<float>(static_cast<int>(word % 2001) - 1000); }
__device__ short2 shorts(unsigned word) { return make_short2(word, word >> 16); }
__device__ ushort2 ushorts(unsigned word) { return make_ushort2(word, word >> 16); }
__device__ char4 chars(unsigned word) { return make_char4(word, word >> 8, word >> 16, word >> 24); }
__device__ uchar4 uchars(unsigned word) { return make_uchar4(word, word >> 8, word >> 16, word >> 24); }
__device__ int as_int(unsigned word) { return static_cast<int>(word); }

CHECK(Dp2aLoInt, int, hipify::dp2a_lo(as_int(in.word[0]), as_int(in.word[1]), as_int(in.word[2])),
      __dp2a_lo(as_int(in.word[0]), as_int(in.word[1]), as_int(in.word[2])))
CHECK(Dp2aHiInt, int, hipify::dp2a_hi(as_int(in.word[0]), as_int(in.word[1]), as_int(in.word[2])),
      __dp2a_hi(as_int(in.word[0]), as_int(in.word[1]), as_int(in.word[2])))
CHECK(Dp2aLoUnsigned, unsigned, hipify::dp2a_lo(in.word[0], in.word[1], in.word[2]),
      __dp2a_lo(in.word[0], in.word[1], in.word[2]))
CHECK(Dp2aHiUnsigned, unsigned, hipify::dp2a_hi(in.word[0], in.word[1], in.word[2]),
      __dp2a_hi(in.word[0], in.word[1], in.word[2]))
CHECK(Dp2aLoShort, int, hipify::dp2a_lo(shorts(in.word[0]), chars(in.word[1]), as_int(in.word[2])),
      __dp2a_lo(shorts(in.word[0]), chars(in.word[1]), as_int(in.word[2])))
CHECK(Dp2aHiShort, int, hipify::dp2a_hi(shorts(in.word[0]), chars(in.word[1]), as_int(in.word[2])),
      __dp2a_hi(shorts(in.word[0]), chars(in.word[1]), as_int(in.word[2])))
CHECK(Dp2aLoUshort, unsigned, hipify::dp2a_lo(ushorts(in.word[0]), uchars(in.word[1]), in.word[2]),
      __dp2a_lo(ushorts(in.word[0]), uchars(in.word[1]), in.word[2]))
CHECK(Dp2aHiUshort, unsigned, hipify::dp2a_hi(ushorts(in.word[0]), uchars(in.word[1]), in.word[2]),
      __dp2a_hi(ushorts(in.word[0]), uchars(in.word[1]), in.word[2]))

// What takes words and gives one: a check for each name of a list.
#define OF_ONE_WORD(X) \
    X(vneg2) X(vnegss2) X(vabs2) X(vabsss2) X(vneg4) X(vnegss4) X(vabs4) X(vabsss4)
#define OF_TWO_WORDS(X) \
    X(vadd2) X(vadd4) X(vsub2) X(vsub4) X(vaddss2) X(vaddss4) X(vaddus2) X(vaddus4) X(vsubss2) \
    X(vsubss4) X(vsubus2) X(vsubus4) X(vabsdiffs2) X(vabsdiffs4) X(vabsdiffu2) X(vabsdiffu4) \
    X(vmaxs2) X(vmaxs4) X(vmaxu2) X(vmaxu4) X(vmins2) X(vmins4) X(vminu2) X(vminu4) X(vavgs2) \
    X(vavgs4) X(vavgu2) X(vavgu4) X(vhaddu2) X(vhaddu4) X(vsads2) X(vsads4) X(vsadu2) X(vsadu4) \
    X(vcmpeq2) X(vcmpeq4) X(vcmpne2) X(vcmpne4) X(vcmpges2) X(vcmpges4) X(vcmpgeu2) X(vcmpgeu4) \
    X(vcmpgts2) X(vcmpgts4) X(vcmpgtu2) X(vcmpgtu4) X(vcmples2) X(vcmples4) X(vcmpleu2) X(vcmpleu4) \
    X(vcmplts2) X(vcmplts4) X(vcmpltu2) X(vcmpltu4) X(vseteq2) X(vseteq4) X(vsetne2) X(vsetne4) \
    X(vsetges2) X(vsetges4) X(vsetgeu2) X(vsetgeu4) X(vsetgts2) X(vsetgts4) X(vsetgtu2) X(vsetgtu4) \
    X(vsetles2) X(vsetles4) X(vsetleu2) X(vsetleu4) X(vsetlts2) X(vsetlts4) X(vsetltu2) X(vsetltu4) \
    X(vimax_s16x2_relu) X(vimin_s16x2_relu)
#define OF_THREE_WORDS(X) \
    X(viaddmax_u32) X(vimax3_u32) X(viaddmax_s16x2) X(vimax3_s16x2) X(viaddmax_s16x2_relu) \
    X(vimax3_s16x2_relu) X(viaddmax_u16x2) X(vimax3_u16x2) X(viaddmin_u32) X(vimin3_u32) \
    X(viaddmin_s16x2) X(vimin3_s16x2) X(viaddmin_s16x2_relu) X(vimin3_s16x2_relu) X(viaddmin_u16x2) \
    X(vimin3_u16x2)
#define OF_TWO_INTS(X) \
    X(vimax_s32_relu) X(vimin_s32_relu)
#define OF_THREE_INTS(X) \
    X(viaddmax_s32) X(vimax3_s32) X(viaddmax_s32_relu) X(vimax3_s32_relu) X(viaddmin_s32) \
    X(vimin3_s32) X(viaddmin_s32_relu) X(vimin3_s32_relu)
#define OF_TWO_AND_A_PREDICATE(X) \
    X(vibmax_s32) X(vibmax_u32) X(vibmin_s32) X(vibmin_u32)
#define OF_TWO_AND_TWO_PREDICATES(X) \
    X(vibmax_s16x2) X(vibmax_u16x2) X(vibmin_s16x2) X(vibmin_u16x2)
#define CHECK_ONE_WORD(NAME) CHECK(Of_##NAME, unsigned, hipify::NAME(in.word[0]), __##NAME(in.word[0]))
#define CHECK_TWO_WORDS(NAME) \
    CHECK(Of_##NAME, unsigned, hipify::NAME(in.word[0], in.word[1]), __##NAME(in.word[0], in.word[1]))
#define CHECK_THREE_WORDS(NAME)                                                   \
    CHECK(Of_##NAME, unsigned, hipify::NAME(in.word[0], in.word[1], in.word[2]), \
          __##NAME(in.word[0], in.word[1], in.word[2]))
#define CHECK_TWO_INTS(NAME)                                                           \
    CHECK(Of_##NAME, int, hipify::NAME(as_int(in.word[0]), as_int(in.word[1])), \
          __##NAME(as_int(in.word[0]), as_int(in.word[1])))
#define CHECK_THREE_INTS(NAME)                                                                          \
    CHECK(Of_##NAME, int, hipify::NAME(as_int(in.word[0]), as_int(in.word[1]), as_int(in.word[2])), \
          __##NAME(as_int(in.word[0]), as_int(in.word[1]), as_int(in.word[2])))
struct Predicates {
    unsigned result;
    bool first, second, unused[2];
};
#define CHECK_TWO_AND_A_PREDICATE(NAME)                                                \
    CHECK(Of_##NAME, Predicates, ours;                                                 \
          ours.result = hipify::NAME(in.word[0], in.word[1], &ours.first), theirs; \
          theirs.result = __##NAME(in.word[0], in.word[1], &theirs.first))
#define CHECK_TWO_AND_TWO_PREDICATES(NAME)                                                           \
    CHECK(Of_##NAME, Predicates, ours;                                                               \
          ours.result = hipify::NAME(in.word[0], in.word[1], &ours.first, &ours.second), theirs; \
          theirs.result = __##NAME(in.word[0], in.word[1], &theirs.first, &theirs.second))
OF_ONE_WORD(CHECK_ONE_WORD)
OF_TWO_WORDS(CHECK_TWO_WORDS)
OF_THREE_WORDS(CHECK_THREE_WORDS)
OF_TWO_INTS(CHECK_TWO_INTS)
OF_THREE_INTS(CHECK_THREE_INTS)
OF_TWO_AND_A_PREDICATE(CHECK_TWO_AND_A_PREDICATE)
OF_TWO_AND_TWO_PREDICATES(CHECK_TWO_AND_TWO_PREDICATES)

CHECK(Dp4aInt, int, hipify::dp4a(as_int(in.word[0]), as_int(in.word[1]), as_int(in.word[2])),
      __dp4a(as_int(in.word[0]), as_int(in.word[1]), as_int(in.word[2])))
CHECK(Dp4aUnsigned, unsigned, hipify::dp4a(in.word[0], in.word[1], in.word[2]),
      __dp4a(in.word[0], in.word[1], in.word[2]))
CHECK(Dp4aChar, int, hipify::dp4a(chars(in.word[0]), chars(in.word[1]), as_int(in.word[2])),
      __dp4a(chars(in.word[0]), chars(in.word[1]), as_int(in.word[2])))
CHECK(Dp4aUchar, unsigned, hipify::dp4a(uchars(in.word[0]), uchars(in.word[1]), in.word[2]),
      __dp4a(uchars(in.word[0]), uchars(in.word[1]), in.word[2]))

TILE_CHECK(ReducePlus, int, hipify::reduce(group, as_int(in.word[0]), hipify::plus<int>()),
           cg::reduce(group, as_int(in.word[0]), cg::plus<int>()))
TILE_CHECK(ReducePlusFloat, float, hipify::reduce(group, number(in.word[0]), hipify::plus<float>()),
           cg::reduce(group, number(in.word[0]), cg::plus<float>()))
TILE_CHECK(ReduceLess, float, hipify::reduce(group, number(in.word[0]), hipify::less<float>()),
           cg::reduce(group, number(in.word[0]), cg::less<float>()))
TILE_CHECK(ReduceGreater, long long, hipify::reduce(group, (long long)as_int(in.word[0]) << 13, hipify::greater<long long>()),
           cg::reduce(group, (long long)as_int(in.word[0]) << 13, cg::greater<long long>()))
TILE_CHECK(ReduceAnd, unsigned, hipify::reduce(group, in.word[0] | in.word[1] | in.word[2], hipify::bit_and<unsigned>()),
           cg::reduce(group, in.word[0] | in.word[1] | in.word[2], cg::bit_and<unsigned>()))
TILE_CHECK(ReduceOr, unsigned, hipify::reduce(group, in.word[0] & in.word[1] & in.word[2], hipify::bit_or<unsigned>()),
           cg::reduce(group, in.word[0] & in.word[1] & in.word[2], cg::bit_or<unsigned>()))
TILE_CHECK(ReduceXor, unsigned, hipify::reduce(group, in.word[0], hipify::bit_xor<unsigned>()),
           cg::reduce(group, in.word[0], cg::bit_xor<unsigned>()))
TILE_CHECK(ReduceStruct, Nearest, hipify::reduce(group, Nearest{number(in.word[0]), as_int(in.word[1])}, Closer()),
           cg::reduce(group, Nearest{number(in.word[0]), as_int(in.word[1])}, Closer()))
TILE_CHECK(InclusiveScan, int, hipify::inclusive_scan(group, as_int(in.word[0])),
           cg::inclusive_scan(group, as_int(in.word[0])))
TILE_CHECK(InclusiveScanLess, float, hipify::inclusive_scan(group, number(in.word[0]), hipify::less<float>()),
           cg::inclusive_scan(group, number(in.word[0]), cg::less<float>()))
TILE_CHECK(ExclusiveScan, int, hipify::exclusive_scan(group, as_int(in.word[0])),
           cg::exclusive_scan(group, as_int(in.word[0])))
TILE_CHECK(ExclusiveScanGreater, float, hipify::exclusive_scan(group, number(in.word[0]), hipify::greater<float>()),
           cg::exclusive_scan(group, number(in.word[0]), cg::greater<float>()))
TILE_CHECK(GroupShfl, unsigned long long,
           hipify::group_shfl(group, (unsigned long long)in.word[0] << 32 | in.word[1], in.word[2] % group.size()),
           group.shfl((unsigned long long)in.word[0] << 32 | in.word[1], in.word[2] % group.size()))

struct Mixed {  // no whole number of words, and no padding, whose bytes need not be the same
    short halves[2];
    char bytes[2];
};
__device__ Mixed mixed(const Random& in) {
    return {{(short)in.word[0], (short)in.word[1]}, {(char)in.word[2], (char)in.word[4]}};
}
// The distance is the same in all threads of the group, as it is in programs.
TILE_CHECK(GroupShflUp, Mixed, hipify::group_shfl_up(group, mixed(in), group.shfl(in.word[3], 0) % group.size()),
           group.shfl_up(mixed(in), group.shfl(in.word[3], 0) % group.size()))
TILE_CHECK(GroupShflDown, Mixed, hipify::group_shfl_down(group, mixed(in), group.shfl(in.word[3], 0) % group.size()),
           group.shfl_down(mixed(in), group.shfl(in.word[3], 0) % group.size()))
template <unsigned Size>
struct GroupShflXor {
    using value = Mixed;
    __device__ static void run(const Random& in, value& ours, value& theirs) {
        auto group = cg::tiled_partition<Size>(cg::this_thread_block());
        const unsigned mask = group.shfl(in.word[3], 0) % Size;
        ours = hipify::group_shfl_xor(group, mixed(in), mask);
        theirs = group.shfl_xor(mixed(in), mask);
    }
};

struct Sizes {
    unsigned size, rank, part, parts;
};
__device__ Sizes sizes_of(const cg::coalesced_group& part) {
    return {(unsigned)part.size(), (unsigned)part.thread_rank(), (unsigned)part.meta_group_rank(), (unsigned)part.meta_group_size()};
}
TILE_CHECK(LabeledPartition, Sizes,
           ([&] { auto part = hipify::labeled_partition(group, in.word[0] % 5);
                  return sizes_of(part); }()),
           ([&] { auto part = cg::labeled_partition(group, in.word[0] % 5);
                  return sizes_of(part); }()))
TILE_CHECK(InvokeOne, unsigned,
           ([&] { unsigned mine = 0; hipify::invoke_one(group, [&] { mine = 1; });
                  return (unsigned)cg::reduce(group, mine, cg::plus<unsigned>()); }()),
           1u)
TILE_CHECK(InvokeOneBroadcast, unsigned, hipify::invoke_one_broadcast(group, [&] { return in.word[0]; }),
           group.shfl(in.word[0], 0))

// Masks of __reduce_*_sync: the whole warp, and a random part of it that its lanes agree on.
#define REDUCE_SYNC_CHECK(NAME, TYPE, FUNCTION)                                                      \
    struct NAME {                                                                                    \
        using value = TYPE;                                                                          \
        __device__ static void run(const Random& in, value& ours, value& theirs) {                  \
            const TYPE mine = static_cast<TYPE>(in.word[0]);                                         \
            ours = hipify::FUNCTION(0xffffffffu, mine);                                              \
            theirs = __##FUNCTION(0xffffffffu, mine);                                                \
            const unsigned part = __shfl_sync(0xffffffffu, in.word[1], 0) | 0x10u;                   \
            if (part >> threadIdx.x % 32 & 1) {                                                      \
                ours ^= hipify::FUNCTION(part, mine) << 1;                                           \
                theirs ^= __##FUNCTION(part, mine) << 1;                                             \
            }                                                                                        \
        }                                                                                            \
    };
REDUCE_SYNC_CHECK(AddSync, int, reduce_add_sync)
REDUCE_SYNC_CHECK(AddSyncUnsigned, unsigned, reduce_add_sync)
REDUCE_SYNC_CHECK(MinSync, int, reduce_min_sync)
REDUCE_SYNC_CHECK(MaxSync, unsigned, reduce_max_sync)
REDUCE_SYNC_CHECK(AndSync, unsigned, reduce_and_sync)
REDUCE_SYNC_CHECK(OrSync, unsigned, reduce_or_sync)
REDUCE_SYNC_CHECK(XorSync, unsigned, reduce_xor_sync)

// The first two of a tile's words in shared memory, an atomic each for ours and theirs.
template <class Function>
__device__ void with_atomics(unsigned tile, unsigned rank, unsigned first, Function function) {
    __shared__ unsigned storage[2][threads];
    if (rank == 0) {
        storage[0][tile] = storage[1][tile] = first;
    }
    __syncwarp();
    cuda::atomic_ref<unsigned, cuda::thread_scope_block> a(storage[0][tile]), b(storage[1][tile]);
    function(a, b, storage[0][tile], storage[1][tile]);
}

#define UPDATE_CHECK(NAME, OURS, THEIRS)                                                                  \
    struct NAME {                                                                                         \
        struct value {                                                                                    \
            unsigned result, held;                                                                        \
        };                                                                                                \
        __device__ static void run(const Random& in, value& ours, value& theirs) {                       \
            auto group = cg::tiled_partition<16>(cg::this_thread_block());                                \
            with_atomics(group.meta_group_rank(), group.thread_rank(), 7u,                                \
                         [&](auto& mine, auto& other, unsigned& my_word, unsigned& other_word) {          \
                             OURS;                                                                        \
                             THEIRS;                                                                      \
                             __syncwarp();                                                                \
                             ours.held = my_word;                                                         \
                             theirs.held = other_word;                                                    \
                         });                                                                              \
        }                                                                                                 \
    };
UPDATE_CHECK(InclusiveScanUpdate, ours.result = hipify::inclusive_scan_update(group, mine, in.word[0], hipify::plus<unsigned>()),
             theirs.result = cg::inclusive_scan_update(group, other, in.word[0], cg::plus<unsigned>()))
UPDATE_CHECK(ExclusiveScanUpdate, ours.result = hipify::exclusive_scan_update(group, mine, in.word[0]),
             theirs.result = cg::exclusive_scan_update(group, other, in.word[0]))
UPDATE_CHECK(ReduceUpdate, hipify::reduce_update_async(group, mine, in.word[0], hipify::greater<unsigned>()),
             cg::reduce_update_async(group, other, in.word[0], cg::greater<unsigned>()))
UPDATE_CHECK(ReduceStore, hipify::reduce_store_async(group, &my_word, in.word[0], hipify::plus<unsigned>()),
             cg::reduce_store_async(group, &other_word, in.word[0], cg::plus<unsigned>()))

struct GroupCopy {
    using value = uint4;
    __device__ static void run(const Random& in, value& ours, value& theirs) {
        __shared__ uint4 source[threads], to[2][threads];
        auto block = cg::this_thread_block();
        source[threadIdx.x] = make_uint4(in.word[0], in.word[1], in.word[2], in.word[3]);
        to[0][threadIdx.x] = to[1][threadIdx.x] = make_uint4(1, 2, 3, 4);
        block.sync();
        hipify::memcpy_async(block, to[0], source, sizeof(uint4) * 100);
        cg::memcpy_async(block, to[1], source, sizeof(uint4) * 100);
        hipify::wait_prior<0>(block);
        cg::wait(block);
        ours = to[0][threadIdx.x];
        theirs = to[1][threadIdx.x];
        block.sync();
        auto* bytes = reinterpret_cast<char*>(source);
        // (CUDA's reads misaligned shorts where both addresses are odd and differ in their second bit)
        hipify::memcpy_async(block, reinterpret_cast<char*>(to[0]) + 3, bytes + 6, 1001);
        cg::memcpy_async(block, reinterpret_cast<char*>(to[1]) + 3, bytes + 6, 1001);
        cg::wait(block);
        ours.x ^= to[0][threadIdx.x].x;
        theirs.x ^= to[1][threadIdx.x].x;
        block.sync();
        hipify::memcpy_async(block, to[0], 20, source, 30);
        cg::memcpy_async(block, to[1], 20, source, 30);
        cg::wait(block);
        ours.y ^= to[0][threadIdx.x].y;
        theirs.y ^= to[1][threadIdx.x].y;
    }
};
struct PipelineCopy {
    using value = uint4;
    __device__ static void run(const Random& in, value& ours, value& theirs) {
        __shared__ uint4 source[threads], to[2][threads];
        source[threadIdx.x] = make_uint4(in.word[0], in.word[1], in.word[2], in.word[3]);
        __syncthreads();
        hipify::pipeline_memcpy_async(&to[0][threadIdx.x], &source[threadIdx.x], 16, 4 * (threadIdx.x % 5));
        hipify::copy_share(&to[0][threadIdx.x], &source[threadIdx.x], 0, 0, 1);
        __pipeline_memcpy_async(&to[1][threadIdx.x], &in.word[0], 16, 4 * (threadIdx.x % 5));
        __pipeline_commit();
        __pipeline_wait_prior(0);
        ours = to[0][threadIdx.x];
        theirs = to[1][threadIdx.x];
    }
};

CHECK(NumBlocks, unsigned long long, hipify::num_blocks(cg::this_grid()), cg::this_grid().num_blocks())
CHECK(BlockRank, unsigned long long, hipify::block_rank(cg::this_grid()), cg::this_grid().block_rank())
CHECK(BlockIndex, unsigned, hipify::block_index(cg::this_grid()).x, cg::this_grid().block_index().x)
CHECK(DimBlocks, unsigned, hipify::dim_blocks(cg::this_grid()).x, cg::this_grid().dim_blocks().x)
CHECK(DimThreads, unsigned, hipify::dim_threads(cg::this_thread_block()).x, cg::this_thread_block().dim_threads().x)
CHECK(ThreadIndex, unsigned, hipify::thread_index(cg::this_thread_block()).x, cg::this_thread_block().thread_index().x)

CHECK(CeilDiv, unsigned, hipify::ceil_div(in.word[0], in.word[1] | 1), cuda::ceil_div(in.word[0], in.word[1] | 1))
CHECK(RoundUp, unsigned, hipify::round_up(in.word[0] >> 8, (in.word[1] >> 20) + 1),
      cuda::round_up(in.word[0] >> 8, (in.word[1] >> 20) + 1))
CHECK(RoundDown, unsigned, hipify::round_down(in.word[0], in.word[1] | 1),
      cuda::round_down(in.word[0], in.word[1] | 1))
CHECK(PowerOfTwo, unsigned, hipify::is_power_of_two((in.word[0] >> (in.word[1] & 31)) | 1),
      cuda::std::has_single_bit((in.word[0] >> (in.word[1] & 31)) | 1))
CHECK(Ilog2, int, hipify::ilog2(in.word[0] | 1), cuda::ilog2(in.word[0] | 1))
CHECK(Minimum, int, hipify::minimum<int>()(as_int(in.word[0]), as_int(in.word[1])),
      cuda::minimum<int>()(as_int(in.word[0]), as_int(in.word[1])))
CHECK(Maximum, float, hipify::maximum<>()(number(in.word[0]), number(in.word[1])),
      cuda::maximum<>()(number(in.word[0]), number(in.word[1])))
CHECK(BitCast, unsigned long long, hipify::bit_cast<unsigned long long>(make_uint2(in.word[0], in.word[1])),
      cuda::std::bit_cast<unsigned long long>(make_uint2(in.word[0], in.word[1])))
CHECK(Identity, unsigned, hipify::identity()(in.word[0]), in.word[0])
CHECK(Exchange, unsigned, ([&] { unsigned a = in.word[0]; return hipify::exchange(a, in.word[1]) ^ (a << 1); }()),
      ([&] { unsigned a = in.word[0]; return cuda::std::exchange(a, in.word[1]) ^ (a << 1); }()))
CHECK(Swap, unsigned, ([&] { unsigned a = in.word[0], b = in.word[1]; hipify::swap(a, b); return a ^ (b << 1); }()),
      ([&] { unsigned a = in.word[0], b = in.word[1]; cuda::std::swap(a, b); return a ^ (b << 1); }()))
CHECK(Span, unsigned, (hipify::span<const unsigned>(in.word).subspan(2, 4)[in.word[0] % 4]),
      (cuda::std::span<const unsigned>(in.word).subspan(2, 4)[in.word[0] % 4]))
CHECK(ReturnType, int, hipify::proclaim_return_type<int>([](int v) { return v + 1; })(as_int(in.word[0] >> 1)),
      cuda::proclaim_return_type<int>([](int v) { return v + 1; })(as_int(in.word[0] >> 1)))

// Sixteen-bit floats; every thread adds to a word of its own, and then all of them to one.
__device__ __half near_half(unsigned word) { return __float2half(number(word) / 8); }
__device__ __half2 two_halves(unsigned a, unsigned b) { return __halves2half2(near_half(a), near_half(b)); }
template <class T>
struct AtomicAdd {
    struct value {
        float old, sum;
    };
    __device__ static void run(const Random& in, value& ours, value& theirs) {
        __shared__ T cells[2][threads];
        cells[0][threadIdx.x] = cells[1][threadIdx.x] = static_cast<T>(number(in.word[0]));
        __syncthreads();
        const T more = static_cast<T>(number(in.word[1]));
        ours.old = hipify::atomic_add(&cells[0][threadIdx.x], more);
        theirs.old = atomicAdd(&cells[1][threadIdx.x], more);
        __syncthreads();
        hipify::atomic_add(&cells[0][threadIdx.x % 2], static_cast<T>(1.0f));
        atomicAdd(&cells[1][threadIdx.x % 2], static_cast<T>(1.0f));
        __syncthreads();
        ours.sum = threadIdx.x < 2 ? 0.0f : static_cast<float>(cells[0][threadIdx.x]);
        theirs.sum = threadIdx.x < 2 ? 0.0f : static_cast<float>(cells[1][threadIdx.x]);
    }
};
CHECK(Hmax2Nan, __half2, hipify::hmax2_nan(two_halves(in.word[0], in.word[1]), two_halves(in.word[2], in.word[3])),
      __hmax2_nan(two_halves(in.word[0], in.word[1]), two_halves(in.word[2], in.word[3])))
CHECK(Hmin2Nan, __half2, hipify::hmin2_nan(two_halves(in.word[0], in.word[1]), two_halves(in.word[2], in.word[3])),
      __hmin2_nan(two_halves(in.word[0], in.word[1]), two_halves(in.word[2], in.word[3])))
CHECK(HfmaRelu, __half, hipify::hfma_relu(near_half(in.word[0]), near_half(in.word[1]), near_half(in.word[2])),
      __hfma_relu(near_half(in.word[0]), near_half(in.word[1]), near_half(in.word[2])))
CHECK(Hfma2Relu, __half2,
      hipify::hfma2_relu(two_halves(in.word[0], in.word[1]), two_halves(in.word[2], in.word[3]), two_halves(in.word[4], in.word[5])),
      __hfma2_relu(two_halves(in.word[0], in.word[1]), two_halves(in.word[2], in.word[3]), two_halves(in.word[4], in.word[5])))

// Rounding: any bits, numbers of one magnitude, and quotients and squares that are exact or nearly so; NaN is NaN.
__device__ double any_double(const Random& in, int k) {
    return __longlong_as_double(static_cast<long long>(in.word[2 * k]) << 32 | in.word[2 * k + 1]);
}
__device__ double plain(double x) { return x != x ? 0.0 : x; }
__device__ double some_double(const Random& in, int k) {
    const double x = number(in.word[k]) + number(in.word[k + 3]) * 0x1p-40;
    switch (in.word[7] % 4) {
        case 0: return any_double(in, k);
        case 1: return x;
        case 2: return number(in.word[k]);
        default: return x * x * 0x1p-1060;
    }
}
__device__ float some_float(const Random& in, int k) {
    const float x = number(in.word[k]) + number(in.word[k + 3]) * 0x1p-12f;
    return in.word[7] % 3 == 0 ? __uint_as_float(in.word[k]) : in.word[7] % 3 == 1 ? x : x * 0x1p-140f;
}
#define ROUNDED_PAIRS(X) \
    X(dadd_rd) X(dadd_ru) X(dadd_rz) X(dsub_rd) X(dsub_ru) X(dsub_rz) X(dmul_rd) X(dmul_ru) X(dmul_rz) \
    X(ddiv_rd) X(ddiv_ru) X(ddiv_rz)
#define ROUNDED_TRIPLES(X) X(fma_rd) X(fma_ru) X(fma_rz)
#define ROUNDED_NUMBERS(X) X(drcp_rd) X(drcp_ru) X(drcp_rz) X(dsqrt_rd) X(dsqrt_ru) X(dsqrt_rz)
#define ROUNDED_FLOAT_PAIRS(X) X(fdiv_rd) X(fdiv_ru) X(fdiv_rz)
#define ROUNDED_FLOATS(X) X(frcp_rd) X(frcp_ru) X(frcp_rz) X(fsqrt_rd) X(fsqrt_ru) X(fsqrt_rz)
#define CHECK_ROUNDED_PAIR(NAME)                                                             \
    CHECK(Of_##NAME, double, plain(hipify::NAME(some_double(in, 0), some_double(in, 1))), \
          plain(__##NAME(some_double(in, 0), some_double(in, 1))))
#define CHECK_ROUNDED_TRIPLE(NAME)                                                                               \
    CHECK(Of_##NAME, double, plain(hipify::NAME(some_double(in, 0), some_double(in, 1), some_double(in, 2))), \
          plain(__##NAME(some_double(in, 0), some_double(in, 1), some_double(in, 2))))
#define CHECK_ROUNDED_NUMBER(NAME) \
    CHECK(Of_##NAME, double, plain(hipify::NAME(some_double(in, 0))), plain(__##NAME(some_double(in, 0))))
#define CHECK_ROUNDED_FLOAT_PAIR(NAME)                                                     \
    CHECK(Of_##NAME, double, plain(hipify::NAME(some_float(in, 0), some_float(in, 1))), \
          plain(__##NAME(some_float(in, 0), some_float(in, 1))))
#define CHECK_ROUNDED_FLOAT(NAME) \
    CHECK(Of_##NAME, double, plain(hipify::NAME(some_float(in, 0))), plain(__##NAME(some_float(in, 0))))
ROUNDED_PAIRS(CHECK_ROUNDED_PAIR)
ROUNDED_TRIPLES(CHECK_ROUNDED_TRIPLE)
ROUNDED_NUMBERS(CHECK_ROUNDED_NUMBER)
ROUNDED_FLOAT_PAIRS(CHECK_ROUNDED_FLOAT_PAIR)
ROUNDED_FLOATS(CHECK_ROUNDED_FLOAT)

// Pairs of 16-bit floats: any bits; few values for the comparisons, so that equal ones occur.
__device__ __half2 any_pair(unsigned word, __half2) {
    return __halves2half2(__ushort_as_half(word), __ushort_as_half(word >> 16));
}
__device__ __nv_bfloat162 any_pair(unsigned word, __nv_bfloat162) {
    return __halves2bfloat162(__ushort_as_bfloat16(word), __ushort_as_bfloat16(word >> 16));
}
__device__ unsigned few(unsigned word) { return word % 5 == 0 ? word : word & 0x80018001u; }
#define PAIR_MASKS(X) \
    X(heq2_mask) X(hne2_mask) X(hle2_mask) X(hge2_mask) X(hlt2_mask) X(hgt2_mask) X(hequ2_mask) X(hneu2_mask) \
    X(hleu2_mask) X(hgeu2_mask) X(hltu2_mask) X(hgtu2_mask)
#define CHECK_PAIR_MASK(NAME)                                                                              \
    template <class Pair>                                                                                  \
    CHECK(Of_##NAME, unsigned,                                                                             \
          hipify::NAME(any_pair(few(in.word[0]), Pair()), any_pair(few(in.word[1]), Pair())), \
          __##NAME(any_pair(few(in.word[0]), Pair()), any_pair(few(in.word[1]), Pair())))
PAIR_MASKS(CHECK_PAIR_MASK)
// Small numbers, of which no sum is NaN
__device__ __nv_bfloat16 near_bfloat16(unsigned word) { return __float2bfloat16(number(word) / 512); }
__device__ __nv_bfloat162 two_bfloat16s(unsigned a, unsigned b) {
    return __halves2bfloat162(near_bfloat16(a), near_bfloat16(b));
}
#define SATURATED_PAIRS(X) X(hadd_sat) X(hsub_sat) X(hmul_sat)
#define SATURATED_PAIRS_OF_TWO(X) X(hadd2_sat) X(hsub2_sat) X(hmul2_sat)
#define CHECK_SATURATED(NAME)                                                                              \
    CHECK(Of_##NAME, __nv_bfloat16, hipify::NAME(near_bfloat16(in.word[0]), near_bfloat16(in.word[1])), \
          __##NAME(near_bfloat16(in.word[0]), near_bfloat16(in.word[1])))
#define CHECK_SATURATED_TWO(NAME)                                                 \
    CHECK(Of_##NAME, __nv_bfloat162,                                              \
          hipify::NAME(two_bfloat16s(in.word[0], in.word[1]), two_bfloat16s(in.word[2], in.word[3])), \
          __##NAME(two_bfloat16s(in.word[0], in.word[1]), two_bfloat16s(in.word[2], in.word[3])))
SATURATED_PAIRS(CHECK_SATURATED)
SATURATED_PAIRS_OF_TWO(CHECK_SATURATED_TWO)
CHECK(HfmaSat, __nv_bfloat16,
      hipify::hfma_sat(near_bfloat16(in.word[0]), near_bfloat16(in.word[1]), near_bfloat16(in.word[2])),
      __hfma_sat(near_bfloat16(in.word[0]), near_bfloat16(in.word[1]), near_bfloat16(in.word[2])))
CHECK(Hfma2Sat, __nv_bfloat162,
      hipify::hfma2_sat(two_bfloat16s(in.word[0], in.word[1]), two_bfloat16s(in.word[2], in.word[3]),
                        two_bfloat16s(in.word[4], in.word[5])),
      __hfma2_sat(two_bfloat16s(in.word[0], in.word[1]), two_bfloat16s(in.word[2], in.word[3]),
                  two_bfloat16s(in.word[4], in.word[5])))
CHECK(HcmaddHalf2, __half2,
      hipify::hcmadd(two_halves(in.word[0], in.word[1]), two_halves(in.word[2], in.word[3]),
                     two_halves(in.word[4], in.word[5])),
      __hcmadd(two_halves(in.word[0], in.word[1]), two_halves(in.word[2], in.word[3]),
               two_halves(in.word[4], in.word[5])))
CHECK(HcmaddBfloat162, __nv_bfloat162,
      hipify::hcmadd(two_bfloat16s(in.word[0], in.word[1]), two_bfloat16s(in.word[2], in.word[3]),
                     two_bfloat16s(in.word[4], in.word[5])),
      __hcmadd(two_bfloat16s(in.word[0], in.word[1]), two_bfloat16s(in.word[2], in.word[3]),
               two_bfloat16s(in.word[4], in.word[5])))

// Eight-bit floats: 32 random bits as a float, the upper half as a half and a bfloat16, 64 of them as a double.
__device__ float any_float(const Random& in) { return __uint_as_float(in.word[0]); }
__device__ float near_float(const Random& in) { return ldexpf(1 + (in.word[1] & 0xfff) / 4096.f, (int)(in.word[0] % 40) - 20); }
__device__ double any_double(const Random& in) { return __hiloint2double(in.word[0], in.word[1]); }
__device__ __half_raw any_half(unsigned word) { __half_raw raw; raw.x = word; return raw; }
__device__ __nv_bfloat16_raw any_bfloat16(unsigned word) { __nv_bfloat16_raw raw; raw.x = word; return raw; }
__device__ unsigned as_bits(float x) { return __float_as_uint(x); }

struct Codes {
    unsigned short code[8];
};
#define FP8_CHECK(NAME, FUNCTION, ARGUMENT)                                                             \
    struct NAME {                                                                                       \
        using value = Codes;                                                                            \
        __device__ static void run(const Random& in, value& ours, value& theirs) {                     \
            ours.code[0] = hipify::cvt_##FUNCTION(ARGUMENT, __NV_SATFINITE, __NV_E4M3);                 \
            ours.code[1] = hipify::cvt_##FUNCTION(ARGUMENT, __NV_NOSAT, __NV_E4M3);                     \
            ours.code[2] = hipify::cvt_##FUNCTION(ARGUMENT, __NV_SATFINITE, __NV_E5M2);                 \
            ours.code[3] = hipify::cvt_##FUNCTION(ARGUMENT, __NV_NOSAT, __NV_E5M2);                     \
            theirs.code[0] = __nv_cvt_##FUNCTION(ARGUMENT, __NV_SATFINITE, __NV_E4M3);                  \
            theirs.code[1] = __nv_cvt_##FUNCTION(ARGUMENT, __NV_NOSAT, __NV_E4M3);                      \
            theirs.code[2] = __nv_cvt_##FUNCTION(ARGUMENT, __NV_SATFINITE, __NV_E5M2);                  \
            theirs.code[3] = __nv_cvt_##FUNCTION(ARGUMENT, __NV_NOSAT, __NV_E5M2);                      \
        }                                                                                               \
    };
FP8_CHECK(AnyFloat, float_to_fp8, any_float(in))
FP8_CHECK(NearFloat, float_to_fp8, near_float(in))
FP8_CHECK(AnyDouble, double_to_fp8, any_double(in))
FP8_CHECK(NearDouble, double_to_fp8, nextafter(static_cast<double>(near_float(in)), in.word[2] & 1 ? 0. : 1e9))
FP8_CHECK(AnyHalf, halfraw_to_fp8, any_half(in.word[0]))
FP8_CHECK(AnyBfloat16, bfloat16raw_to_fp8, any_bfloat16(in.word[0]))
FP8_CHECK(AnyFloat2, float2_to_fp8x2, make_float2(near_float(in), any_float(in)))
FP8_CHECK(AnyDouble2, double2_to_fp8x2, make_double2(near_float(in), any_double(in)))
FP8_CHECK(AnyHalf2, halfraw2_to_fp8x2, __half2_raw(__half2(__half(any_half(in.word[0])), __half(any_half(in.word[1])))))
FP8_CHECK(AnyBfloat162, bfloat16raw2_to_fp8x2,
          __nv_bfloat162_raw(__nv_bfloat162(__nv_bfloat16(any_bfloat16(in.word[0])), __nv_bfloat16(any_bfloat16(in.word[1])))))

struct Halves {
    unsigned short e4m3[2], e5m2[2];
};
struct Decoded {
    using value = Halves;
    __device__ static void run(const Random& in, value& ours, value& theirs) {
        const unsigned char code = threadIdx.x + (blockIdx.x % 2) * 128;
        ours.e4m3[0] = hipify::cvt_fp8_to_halfraw(code, __NV_E4M3).x;
        ours.e5m2[0] = hipify::cvt_fp8_to_halfraw(code, __NV_E5M2).x;
        theirs.e4m3[0] = __nv_cvt_fp8_to_halfraw(code, __NV_E4M3).x;
        theirs.e5m2[0] = __nv_cvt_fp8_to_halfraw(code, __NV_E5M2).x;
    }
};
struct DecodedPair {
    using value = Halves;
    __device__ static void run(const Random& in, value& ours, value& theirs) {
        const __half2_raw a = hipify::cvt_fp8x2_to_halfraw2(in.word[0], __NV_E4M3);
        const __half2_raw b = hipify::cvt_fp8x2_to_halfraw2(in.word[0], __NV_E5M2);
        const __half2_raw c = __nv_cvt_fp8x2_to_halfraw2(in.word[0], __NV_E4M3);
        const __half2_raw d = __nv_cvt_fp8x2_to_halfraw2(in.word[0], __NV_E5M2);
        ours = Halves{{a.x, a.y}, {b.x, b.y}};
        theirs = Halves{{c.x, c.y}, {d.x, d.y}};
    }
};

struct Four {
    unsigned bits[8];
};
template <class Ours, class Theirs>
struct TypeOne {
    using value = Four;
    template <class Type>
    __device__ static void fill(const Random& in, value& out) {
        out.bits[0] = Type(any_float(in)).__x;
        out.bits[1] = Type(any_double(in)).__x;
        out.bits[2] = Type(as_int(in.word[2])).__x | Type(in.word[3] % 500).__x << 8;
        out.bits[3] = Type(__half(any_half(in.word[4]))).__x | Type(__nv_bfloat16(any_bfloat16(in.word[5]))).__x << 8;
        out.bits[4] = as_bits(static_cast<float>(Type(near_float(in))));
        out.bits[5] = static_cast<bool>(Type(near_float(in)));
        out.bits[6] = static_cast<int>(Type(near_float(in)));
    }
    __device__ static void run(const Random& in, value& ours, value& theirs) {
        fill<Ours>(in, ours);
        fill<Theirs>(in, theirs);
    }
};
template <class Ours, class Theirs>
struct TypeTwo {
    using value = Four;
    template <class Type>
    __device__ static void fill(const Random& in, value& out) {
        out.bits[0] = Type(make_float2(near_float(in), any_float(in))).__x;
        out.bits[1] = Type(__floats2half2_rn(near_float(in), 3)).__x;
        out.bits[2] = as_bits(static_cast<float2>(Type(make_float2(near_float(in), -near_float(in)))).y);
    }
    __device__ static void run(const Random& in, value& ours, value& theirs) {
        fill<Ours>(in, ours);
        fill<Theirs>(in, theirs);
    }
};
template <class Ours, class Theirs>
struct TypeFour {
    using value = Four;
    template <class Type>
    __device__ static void fill(const Random& in, value& out) {
        const Type all(make_float4(near_float(in), 1, 2, any_float(in)));
        out.bits[0] = all.__x;
        out.bits[1] = as_bits(static_cast<float4>(all).x);
        out.bits[2] = as_bits(static_cast<float4>(all).z);
        out.bits[3] = Type(__floats2half2_rn(near_float(in), 3), __floats2half2_rn(5, near_float(in))).__x;
    }
    __device__ static void run(const Random& in, value& ours, value& theirs) {
        fill<Ours>(in, ours);
        fill<Theirs>(in, theirs);
    }
};

int main() {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    cudaDeviceProp properties{};
    cudaGetDeviceProperties(&properties, 0);
    std::printf("# %s, CUDA %d.%d\n", properties.name, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
    compare<Dp2aLoInt>("dp2a_lo", "int");
    compare<Dp2aLoUnsigned>("dp2a_lo", "unsigned");
    compare<Dp2aLoShort>("dp2a_lo", "short2, char4");
    compare<Dp2aLoUshort>("dp2a_lo", "ushort2, uchar4");
    compare<Dp2aHiInt>("dp2a_hi", "int");
    compare<Dp2aHiUnsigned>("dp2a_hi", "unsigned");
    compare<Dp2aHiShort>("dp2a_hi", "short2, char4");
    compare<Dp2aHiUshort>("dp2a_hi", "ushort2, uchar4");
    compare<Dp4aInt>("dp4a", "int");
    compare<Dp4aUnsigned>("dp4a", "unsigned");
    compare<Dp4aChar>("dp4a", "char4");
    compare<Dp4aUchar>("dp4a", "uchar4");
#define COMPARE_WORDS(NAME) compare<Of_##NAME>(#NAME, "any words");
    OF_ONE_WORD(COMPARE_WORDS)
    OF_TWO_WORDS(COMPARE_WORDS)
    OF_THREE_WORDS(COMPARE_WORDS)
    OF_TWO_INTS(COMPARE_WORDS)
    OF_THREE_INTS(COMPARE_WORDS)
    OF_TWO_AND_A_PREDICATE(COMPARE_WORDS)
    OF_TWO_AND_TWO_PREDICATES(COMPARE_WORDS)
    COMPARE_TILES("group_shfl", GroupShfl)
    COMPARE_TILES("group_shfl_up", GroupShflUp)
    COMPARE_TILES("group_shfl_down", GroupShflDown)
    compare<GroupShflXor<32>>("group_shfl_xor", "tile of 32");
    compare<GroupShflXor<8>>("group_shfl_xor", "tile of 8");
    COMPARE_TILES("labeled_partition", LabeledPartition)
    COMPARE_TILES("invoke_one", InvokeOne)
    COMPARE_TILES("invoke_one_broadcast", InvokeOneBroadcast)
    COMPARE_TILES("reduce", ReduceStruct)
    COMPARE_TILES("plus", ReducePlus)
    COMPARE_TILES("plus", ReducePlusFloat)
    COMPARE_TILES("less", ReduceLess)
    COMPARE_TILES("greater", ReduceGreater)
    COMPARE_TILES("bit_and", ReduceAnd)
    COMPARE_TILES("bit_or", ReduceOr)
    COMPARE_TILES("bit_xor", ReduceXor)
    COMPARE_TILES("inclusive_scan", InclusiveScan)
    COMPARE_TILES("inclusive_scan", InclusiveScanLess)
    COMPARE_TILES("exclusive_scan", ExclusiveScan)
    COMPARE_TILES("exclusive_scan", ExclusiveScanGreater)
    compare<AddSync>("reduce_add_sync", "int");
    compare<AddSyncUnsigned>("reduce_add_sync", "unsigned");
    compare<MinSync>("reduce_min_sync", "int");
    compare<MaxSync>("reduce_max_sync", "unsigned");
    compare<AndSync>("reduce_and_sync", "unsigned");
    compare<OrSync>("reduce_or_sync", "unsigned");
    compare<XorSync>("reduce_xor_sync", "unsigned");
    compare<InclusiveScanUpdate>("inclusive_scan_update", "tile of 16");
    compare<ExclusiveScanUpdate>("exclusive_scan_update", "tile of 16");
    compare<ReduceUpdate>("reduce_update_async", "tile of 16");
    compare<ReduceStore>("reduce_store_async", "tile of 16");
    compare<GroupCopy>("memcpy_async", "block: 16-byte pieces, bytes, elements");
    compare<GroupCopy>("wait_prior", "block");
    compare<PipelineCopy>("pipeline_memcpy_async", "16 bytes, some of them zeros");
    compare<NumBlocks>("num_blocks", "grid");
    compare<BlockRank>("block_rank", "grid");
    compare<BlockIndex>("block_index", "grid");
    compare<DimBlocks>("dim_blocks", "grid");
    compare<DimThreads>("dim_threads", "block");
    compare<ThreadIndex>("thread_index", "block");
    compare<CeilDiv>("ceil_div", "unsigned");
    compare<RoundUp>("round_up", "unsigned");
    compare<RoundDown>("round_down", "unsigned");
    compare<PowerOfTwo>("is_power_of_two", "unsigned");
    compare<Ilog2>("ilog2", "unsigned");
    compare<Minimum>("minimum", "int");
    compare<Maximum>("maximum", "float");
    compare<BitCast>("bit_cast", "uint2 to 64 bits");
    compare<Identity>("identity", "unsigned");
    compare<Exchange>("exchange", "unsigned");
    compare<Swap>("swap", "unsigned");
    compare<Span>("span", "subspan");
    compare<ReturnType>("proclaim_return_type", "lambda");
    compare<AtomicAdd<__half>>("atomic_add", "half");
    compare<AtomicAdd<__nv_bfloat16>>("atomic_add", "bfloat16");
    compare<Hmax2Nan>("hmax2_nan", "half2");
    compare<Hmin2Nan>("hmin2_nan", "half2");
#define COMPARE_ROUNDED(NAME) compare<Of_##NAME>(#NAME, "numbers of all sizes");
    ROUNDED_PAIRS(COMPARE_ROUNDED)
    ROUNDED_TRIPLES(COMPARE_ROUNDED)
    ROUNDED_NUMBERS(COMPARE_ROUNDED)
    ROUNDED_FLOAT_PAIRS(COMPARE_ROUNDED)
    ROUNDED_FLOATS(COMPARE_ROUNDED)
#define COMPARE_PAIR_MASK(NAME)               \
    compare<Of_##NAME<__half2>>(#NAME, "half2"); \
    compare<Of_##NAME<__nv_bfloat162>>(#NAME, "bfloat162");
    PAIR_MASKS(COMPARE_PAIR_MASK)
#define COMPARE_SATURATED(NAME) compare<Of_##NAME>(#NAME, "bfloat16");
    SATURATED_PAIRS(COMPARE_SATURATED)
    SATURATED_PAIRS_OF_TWO(COMPARE_SATURATED)
    compare<HfmaSat>("hfma_sat", "bfloat16");
    compare<Hfma2Sat>("hfma2_sat", "bfloat162");
    compare<HcmaddHalf2>("hcmadd", "half2");
    compare<HcmaddBfloat162>("hcmadd", "bfloat162");
    compare<HfmaRelu>("hfma_relu", "half");
    compare<Hfma2Relu>("hfma2_relu", "half2");
    compare<AnyFloat>("cvt_float_to_fp8", "any float");
    compare<NearFloat>("cvt_float_to_fp8", "floats of the format's range");
    compare<AnyDouble>("cvt_double_to_fp8", "any double");
    compare<NearDouble>("cvt_double_to_fp8", "doubles beside the ties");
    compare<AnyHalf>("cvt_halfraw_to_fp8", "any half");
    compare<AnyBfloat16>("cvt_bfloat16raw_to_fp8", "any bfloat16");
    compare<AnyFloat2>("cvt_float2_to_fp8x2", "any two floats");
    compare<AnyDouble2>("cvt_double2_to_fp8x2", "any two doubles");
    compare<AnyHalf2>("cvt_halfraw2_to_fp8x2", "any two halves");
    compare<AnyBfloat162>("cvt_bfloat16raw2_to_fp8x2", "any two bfloat16s");
    compare<Decoded>("cvt_fp8_to_halfraw", "all codes");
    compare<DecodedPair>("cvt_fp8x2_to_halfraw2", "any two codes");
    compare<TypeOne<hipify::fp8_e4m3, __nv_fp8_e4m3>>("fp8_e4m3", "constructors and conversions");
    compare<TypeOne<hipify::fp8_e5m2, __nv_fp8_e5m2>>("fp8_e5m2", "constructors and conversions");
    compare<TypeTwo<hipify::fp8x2_e4m3, __nv_fp8x2_e4m3>>("fp8x2_e4m3", "constructors and conversions");
    compare<TypeTwo<hipify::fp8x2_e5m2, __nv_fp8x2_e5m2>>("fp8x2_e5m2", "constructors and conversions");
    compare<TypeFour<hipify::fp8x4_e4m3, __nv_fp8x4_e4m3>>("fp8x4_e4m3", "constructors and conversions");
    compare<TypeFour<hipify::fp8x4_e5m2, __nv_fp8x4_e5m2>>("fp8x4_e5m2", "constructors and conversions");
    line("remove_cvref", "type", 1, std::is_same<hipify::remove_cvref_t<const int&>, int>::value);
    line("lane_mask", "size", 1, sizeof(hipify::lane_mask) == sizeof(unsigned));
    line("all_lanes", "value", 1, hipify::all_lanes == 0xffffffffu);
    line("warp_size", "value", 1, hipify::warp_size == properties.warpSize);
    line("aligned_size_t", "value", 1, hipify::aligned_size_t<16>(48) == 48);
    std::printf("%d different\n", different);
    return different != 0;
}
