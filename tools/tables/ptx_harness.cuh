// What the programs of tools/ptx_equality.py share: cases, comparisons, and HIP's names on CUDA.
#pragma once
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

constexpr unsigned cases = 1u << 16, threads = 128;
constexpr unsigned TABLE = 0xd8;  // the truth table of the entry that takes a constant

struct Outcome {
    unsigned different, first;
    float worst;
};

__device__ inline unsigned case_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ inline uint64_t scramble(uint64_t x) {
    x += 0x9e3779b97f4a7c15ull;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

__device__ const uint32_t edges32[32] = {
    0,          1,          2,          3,          0xffffffff, 0xfffffffe, 0x7fffffff, 0x80000000,
    0x80000001, 31,         32,         33,         0x3f800000, 0xbf800000, 0x7f800000, 0xff800000,
    0x7fc00000, 0x00000010, 0x007fffff, 0x00800000, 0x7f7fffff, 0x33800000, 63,         255,
    0x0000ffff, 0xffff8000, 0x7fff8000, 0x01020384, 0x40490fdb, 0x4b000001, 0x3f000000, 0xcf000000};

__device__ const uint64_t edges64[32] = {
    0, 1, 2, 0xffffffffffffffffull, 0xfffffffffffffffeull, 0x7fffffffffffffffull, 0x8000000000000000ull,
    0x8000000000000001ull, 0x00000000ffffffffull, 0x0000000100000000ull, 0x80000000ull, 0x7fffffffull,
    0xffffffff80000000ull, 31, 32, 33, 63, 64, 65, 255, 0x3ff0000000000000ull, 0xbff0000000000000ull,
    0x7ff0000000000000ull, 0xfff0000000000000ull, 0x7ff8000000000000ull, 0x0000000000000010ull,
    0x000fffffffffffffull, 0x0010000000000000ull, 0x7fefffffffffffffull, 0x3ca0000000000000ull, 0x41dfffffffc00000ull,
    0xc1e0000000000000ull};

/// The bits of a case's operand: every pair of edges first, then random numbers.
__device__ inline uint64_t pattern(unsigned index, int operand, bool wide) {
    if (index < 32768) {
        const unsigned at = index >> (5 * (operand % 3)) & 31;
        return wide ? edges64[at] : edges32[at];
    }
    return scramble(index * 8ull + operand);
}

/// The value, out of memory: ptxas 13.0 takes the wrong half of a 64-bit register for an f16x2 operand of an atomic
/// operation on shared memory that is the lower word of one.
__device__ uint64_t memory[cases];
template <typename T>
__device__ T from_memory(T value) {
    volatile T* place = reinterpret_cast<volatile T*>(memory + case_index());
    *place = value;
    return *place;
}

template <typename T>
__device__ T input(unsigned index, int operand, bool flush) {
    const uint64_t bits = pattern(index, operand, sizeof(T) == 8);
    T value;
    memcpy(&value, &bits, sizeof(T));
    if constexpr (std::is_floating_point<T>::value) {
        if (index >= 32768 && index & 1) {  // half of the random ones lie where sums and products are ordinary
            const T scale = sizeof(T) == 8 ? T(1e-17) : T(1e-17);
            value = static_cast<T>(static_cast<int64_t>(bits)) * scale;
        }
        if (flush && fabs(value) < T(1.17549435e-38)) value = copysign(T(0), value);
    }
    return from_memory(value);
}

template <typename T>
__device__ T divisor(T value) {
    return value == T(0) || value == T(-1) ? T(3) : value;
}
__device__ inline float angle(float value) {
    const float small = fmodf(value, 3.14159f);
    return small == small ? small : 1.0f;
}

__shared__ alignas(16) unsigned char shared_bytes[2][threads][16];
__device__ alignas(16) unsigned char global_bytes[2][cases][16];

__device__ inline void fill(unsigned char* slot, unsigned index, int operand) {
    const uint64_t low = pattern(index, operand, index & 2), high = pattern(index + 1, operand + 1, index & 2);
    memcpy(slot, &low, 8);
    memcpy(slot + 8, &high, 8);
}
__device__ inline void* global_slot(int side) { return global_bytes[side][case_index()]; }
__device__ inline unsigned shared_slot(int side) {
    return static_cast<unsigned>(__cvta_generic_to_shared(shared_bytes[side][threadIdx.x]));
}
__device__ inline void prepare_global(unsigned index, int operand, int) {
    fill(global_bytes[0][index], index, operand);
    fill(global_bytes[1][index], index, operand);
}
__device__ inline void prepare_shared(unsigned index, int operand, int) {
    fill(shared_bytes[0][threadIdx.x], index, operand);
    fill(shared_bytes[1][threadIdx.x], index, operand);
}

__device__ inline void differ(Outcome* outcome, float worst, bool is_wrong) {
    atomicMax(reinterpret_cast<int*>(&outcome->worst), __float_as_int(worst));
    if (is_wrong) {
        atomicAdd(&outcome->different, 1u);
        atomicMin(&outcome->first, case_index());
    }
}

template <typename T>
__device__ void same(Outcome* outcome, T a, T b, double units, double absolute, bool flush) {
    if constexpr (std::is_floating_point<T>::value) {
        if (flush) {
            if (fabs(a) < T(1.17549435e-38)) a = copysign(T(0), a);
            if (fabs(b) < T(1.17549435e-38)) b = copysign(T(0), b);
        }
        using word = std::conditional_t<sizeof(T) == 8, int64_t, int32_t>;
        word x, y;
        memcpy(&x, &a, sizeof(T));
        memcpy(&y, &b, sizeof(T));
        if ((a != a && b != b) || x == y) return;
        if (units == 0 && absolute == 0) return differ(outcome, 1, true);
        const word least = sizeof(T) == 8 ? word(0x8000000000000000ull) : word(0x80000000);
        if (x < 0) x = least - x;
        if (y < 0) y = least - y;
        const double distance = fabs(static_cast<double>(x) - static_cast<double>(y));
        const bool is_near = distance <= units || fabs(static_cast<double>(a) - b) <= absolute;
        differ(outcome, static_cast<float>(distance), !is_near);
    } else {
        if (a != b) differ(outcome, 1, true);
    }
}
/// Half-precision numbers by their bits: `infinity` says which format, and whatever is beyond it is no number.
__device__ inline unsigned flushed_halves(unsigned value, unsigned infinity) {
    const unsigned least = infinity == 0x7f80 ? 0x80 : 0x400;
    if ((value & 0x7fff) < least) value &= ~0x7fffu;
    if ((value >> 16 & 0x7fff) < least) value &= ~0x7fff0000u;
    return value;
}
__device__ inline double half_value(unsigned bits, unsigned infinity) {
    const unsigned fraction = infinity == 0x7f80 ? 7 : 10, magnitude = bits & 0x7fff;
    const int bias = infinity == 0x7f80 ? 127 : 15, exponent = magnitude >> fraction;
    const double part = magnitude & ((1u << fraction) - 1);
    const double value = exponent ? ldexp(part + (1u << fraction), exponent - bias - static_cast<int>(fraction))
                                  : ldexp(part, 1 - bias - static_cast<int>(fraction));
    return bits & 0x8000 ? -value : value;
}
__device__ inline void same_halves(Outcome* outcome, unsigned a, unsigned b, unsigned infinity, double units,
                                   double absolute, bool flush) {
    if (flush) a = flushed_halves(a, infinity), b = flushed_halves(b, infinity);
    const unsigned least = infinity == 0x7f80 ? 0x80 : 0x400;
    for (int at = 0; at < 32; at += 16) {
        const unsigned x = a >> at & 0xffff, y = b >> at & 0xffff;
        if (flush && (x & 0x7fff) <= least && (y & 0x7fff) <= least) continue;  // flushed before it is rounded, or after
        if (x == y || ((x & 0x7fff) > infinity && (y & 0x7fff) > infinity)) continue;
        const double distance = fabs(static_cast<double>(x) - y);
        const bool are_finite = (x & 0x7fff) < infinity && (y & 0x7fff) < infinity;
        const double gap = are_finite ? fabs(half_value(x, infinity) - half_value(y, infinity)) : 1e300;
        const bool is_near = ((x ^ y) & 0x8000) == 0 && distance <= units;
        differ(outcome, static_cast<float>(distance), !is_near && !(absolute > 0 && gap <= absolute));
        if (!is_near) return;
    }
}
__device__ inline void same_bytes(Outcome* outcome, const unsigned char* a, const unsigned char* b) {
    for (int at = 0; at < 16; ++at)
        if (a[at] != b[at]) return differ(outcome, 1, true);
}
__device__ inline void same_memory_global(Outcome* outcome, bool) {
    __threadfence();
    same_bytes(outcome, global_bytes[0][case_index()], global_bytes[1][case_index()]);
}
__device__ inline void same_memory_shared(Outcome* outcome, bool) {
    __syncthreads();
    same_bytes(outcome, shared_bytes[0][threadIdx.x], shared_bytes[1][threadIdx.x]);
}

template <void (*Kernel)(Outcome*)>
void compare(const char* key) {
    static Outcome* outcome = nullptr;
    if (!outcome) cudaMallocManaged(&outcome, sizeof(Outcome));
    *outcome = {0, ~0u, 0.0f};
    Kernel<<<cases / threads, threads>>>(outcome);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("failed %s | %s\n", cudaGetErrorString(error), key);
        exit(1);
    }
    printf("%s %u %u %g %d | %s\n", outcome->different ? "differs" : "equal", cases, outcome->different, outcome->worst,
           static_cast<int>(outcome->first), key);
    fflush(stdout);
}

// HIP's names, for the converted functions.
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
namespace shim {
__device__ inline unsigned lane() { return threadIdx.x & 31; }
__device__ inline unsigned smid() {
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
}
__device__ inline unsigned addc(unsigned a, unsigned b, unsigned in, unsigned* out) {
    const uint64_t sum = static_cast<uint64_t>(a) + b + in;
    *out = static_cast<unsigned>(sum >> 32);
    return static_cast<unsigned>(sum);
}
__device__ inline unsigned subc(unsigned a, unsigned b, unsigned in, unsigned* out) {
    const uint64_t difference = static_cast<uint64_t>(a) - b - in;
    *out = static_cast<unsigned>(difference >> 32) & 1;
    return static_cast<unsigned>(difference);
}
__device__ inline int saturated(long long value) {
    return static_cast<int>(value > 0x7fffffffll ? 0x7fffffffll : value < -0x80000000ll ? -0x80000000ll : value);
}
__device__ inline int add_sat(int a, int b) { return saturated(static_cast<long long>(a) + b); }
__device__ inline int sub_sat(int a, int b) { return saturated(static_cast<long long>(a) - b); }
template <typename T>
__device__ T load(const T* p) { return *const_cast<const volatile T*>(p); }
template <typename T>
__device__ void store(T* p, T value) { *const_cast<volatile T*>(p) = value; }
}  // namespace shim
#define __lane_id() shim::lane()
#define __smid() shim::smid()
#define __builtin_addc(a, b, in, out) shim::addc(a, b, in, out)
#define __builtin_subc(a, b, in, out) shim::subc(a, b, in, out)
#define __builtin_elementwise_add_sat(a, b) shim::add_sat(a, b)
#define __builtin_elementwise_sub_sat(a, b) shim::sub_sat(a, b)
#define __builtin_amdgcn_is_shared(p) (__isShared(p) != 0)
#define __builtin_amdgcn_is_private(p) (__isLocal(p) != 0)
#define __hip_atomic_load(p, order, scope) shim::load(p)
#define __hip_atomic_store(p, value, order, scope) shim::store(p, value)
#define __hip_atomic_fetch_add(p, value, order, scope) atomicAdd(p, value)
#define __hip_atomic_fetch_min(p, value, order, scope) atomicMin(p, value)
#define __hip_atomic_fetch_max(p, value, order, scope) atomicMax(p, value)
#define __hip_atomic_fetch_and(p, value, order, scope) atomicAnd(p, value)
#define __hip_atomic_fetch_or(p, value, order, scope) atomicOr(p, value)
#define __hip_atomic_fetch_xor(p, value, order, scope) atomicXor(p, value)
#define __hip_atomic_exchange(p, value, order, scope) atomicExch(p, value)
#define __shfl(v, b, w) __shfl_sync(0xffffffffu, v, b, w)
#define __shfl_up(v, b, w) __shfl_up_sync(0xffffffffu, v, b, w)
#define __shfl_down(v, b, w) __shfl_down_sync(0xffffffffu, v, b, w)
#define __shfl_xor(v, b, w) __shfl_xor_sync(0xffffffffu, v, b, w)
#define __any(p) (__any_sync(0xffffffffu, p) != 0)
#define __all(p) (__all_sync(0xffffffffu, p) != 0)
#define __ballot(p) __ballot_sync(0xffffffffu, p)
#define __builtin_prefetch(p) ((void)(p))
