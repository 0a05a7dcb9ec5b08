// What kernels use besides wavefront operations: barriers, atomics, bits and arithmetic.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <emulation/vectors.h>
#include <emulation/warp.h>
#include <math.h>
#include <type_traits>

// Barriers and fences.
EMULATION_ATOMIC void __syncthreads() { emulation::block_barrier(); }
EMULATION_ATOMIC int __syncthreads_count(int predicate) { return static_cast<int>(emulation::block_count(predicate != 0)); }
EMULATION_ATOMIC int __syncthreads_or(int predicate) { return emulation::block_count(predicate != 0) != 0; }
EMULATION_ATOMIC int __syncthreads_and(int predicate) { return emulation::block_count(predicate == 0) == 0; }
EMULATION_ATOMIC void __threadfence() {}
EMULATION_ATOMIC void __threadfence_block() {}
EMULATION_ATOMIC void __threadfence_system() {}
EMULATION_ATOMIC long long wall_clock64() { static long long ticks = 0; return ++ticks; }
EMULATION_ATOMIC long long clock64() { return wall_clock64(); }
EMULATION_ATOMIC long long __clock64() { return wall_clock64(); }
[[noreturn]] inline void __trap() { emulation::fail("trap"); }

// Atomics: a lane is never interrupted inside one.
namespace emulation {
template <typename T> struct Same { using type = T; };
template <typename T> using Exactly = typename Same<T>::type;
template <typename T, typename Update> EMULATION_ATOMIC T update(T* address, Update next) {
    const T old = *address;
    *address = next(old);
    return old;
}
}  // namespace emulation
#define EMULATION_ATOMIC_UPDATE(name, expression)                                                            \
    template <typename T> EMULATION_ATOMIC T name(T* address, emulation::Exactly<T> value) {                 \
        const T old = *address;                                                                              \
        *address = static_cast<T>(expression);                                                               \
        return old;                                                                                          \
    }                                                                                                        \
    template <typename T> EMULATION_ATOMIC T name##_system(T* address, emulation::Exactly<T> value) {        \
        return name(address, value);                                                                         \
    }
EMULATION_ATOMIC_UPDATE(atomicAdd, old + value)
EMULATION_ATOMIC_UPDATE(unsafeAtomicAdd, old + value)
EMULATION_ATOMIC_UPDATE(atomicSub, old - value)
EMULATION_ATOMIC_UPDATE(atomicExch, value)
EMULATION_ATOMIC_UPDATE(atomicMin, value < old ? value : old)
EMULATION_ATOMIC_UPDATE(atomicMax, old < value ? value : old)
EMULATION_ATOMIC_UPDATE(atomicAnd, old & value)
EMULATION_ATOMIC_UPDATE(atomicOr, old | value)
EMULATION_ATOMIC_UPDATE(atomicXor, old ^ value)
EMULATION_ATOMIC_UPDATE(atomicInc, old >= value ? 0 : old + 1)
EMULATION_ATOMIC_UPDATE(atomicDec, old == 0 || old > value ? value : old - 1)
template <typename T>
EMULATION_ATOMIC T atomicCAS(T* address, emulation::Exactly<T> compare, emulation::Exactly<T> value) {
    const T old = *address;
    if (old == compare) *address = value;
    return old;
}
#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WAVEFRONT 2
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#define __hip_atomic_load(address, order, scope) (*(address))
#define __hip_atomic_store(address, value, order, scope) ((void)(*(address) = (value)))
#define __hip_atomic_exchange(address, value, order, scope) atomicExch(address, value)
#define __hip_atomic_fetch_add(address, value, order, scope) atomicAdd(address, value)
#define __hip_atomic_fetch_and(address, value, order, scope) atomicAnd(address, value)
#define __hip_atomic_fetch_or(address, value, order, scope) atomicOr(address, value)
#define __hip_atomic_fetch_xor(address, value, order, scope) atomicXor(address, value)
#define __hip_atomic_fetch_min(address, value, order, scope) atomicMin(address, value)
#define __hip_atomic_fetch_max(address, value, order, scope) atomicMax(address, value)
template <typename T, typename V>
EMULATION_ATOMIC bool __hip_atomic_compare_exchange_strong(T* address, T* expected, V value, int, int, int) {
    const T old = *address, wanted = *expected;
    if (old == wanted) *address = value;
    *expected = old;
    return old == wanted;
}

// Bits.
EMULATION_ATOMIC int __popc(unsigned v) { return __builtin_popcount(v); }
EMULATION_ATOMIC int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
EMULATION_ATOMIC int __clz(int v) { return v == 0 ? 32 : __builtin_clz(static_cast<unsigned>(v)); }
EMULATION_ATOMIC int __clzll(long long v) { return v == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(v)); }
EMULATION_ATOMIC int __ffs(int v) { return __builtin_ffs(v); }
EMULATION_ATOMIC int __ffs(unsigned v) { return __builtin_ffs(static_cast<int>(v)); }
EMULATION_ATOMIC int __ffsll(long long v) { return __builtin_ffsll(v); }
EMULATION_ATOMIC int __ffsll(unsigned long long v) { return __builtin_ffsll(static_cast<long long>(v)); }
EMULATION_ATOMIC int __ffsll(unsigned long v) { return __builtin_ffsll(static_cast<long long>(v)); }
EMULATION_ATOMIC int __ffsll(long v) { return __builtin_ffsll(v); }
EMULATION_ATOMIC unsigned long long __brevll(unsigned long long v) {
    unsigned long long r = 0;
    for (int i = 0; i < 64; ++i) r |= (v >> i & 1) << (63 - i);
    return r;
}
EMULATION_ATOMIC unsigned __brev(unsigned v) { return static_cast<unsigned>(__brevll(v) >> 32); }
/// The lane of the `offset`-th set bit from `base` on (backwards for a negative offset), or -1.
EMULATION_ATOMIC int __fns64(unsigned long long mask, unsigned base, int offset) {
    if (offset == 0) return mask >> base & 1 ? static_cast<int>(base) : -1;
    int left = offset > 0 ? offset : -offset;
    for (int i = static_cast<int>(base); i >= 0 && i < 64; i += offset > 0 ? 1 : -1)
        if ((mask >> i & 1) && --left == 0) return i;
    return -1;
}
EMULATION_ATOMIC int __fns32(unsigned long long mask, unsigned base, int offset) {
    return __fns64(mask & 0xffffffffu, base, offset);
}
EMULATION_ATOMIC unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) << (shift & 31) >> 32);
}
EMULATION_ATOMIC unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    return static_cast<unsigned>((static_cast<std::uint64_t>(high) << 32 | low) >> (shift & 31));
}
EMULATION_ATOMIC unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(b) << 32 | a;
    unsigned result = 0;
    for (int i = 0; i < 4; ++i) result |= static_cast<unsigned>(bytes >> (selector >> 4 * i & 7) * 8 & 255) << 8 * i;
    return result;
}
EMULATION_ATOMIC unsigned __builtin_addc(unsigned a, unsigned b, unsigned carry, unsigned* out) {
    const std::uint64_t sum = std::uint64_t(a) + b + carry;
    *out = static_cast<unsigned>(sum >> 32);
    return static_cast<unsigned>(sum);
}
EMULATION_ATOMIC unsigned __builtin_subc(unsigned a, unsigned b, unsigned borrow, unsigned* out) {
    const std::uint64_t difference = std::uint64_t(a) - b - borrow;
    *out = difference >> 32 != 0;
    return static_cast<unsigned>(difference);
}
EMULATION_ATOMIC unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned>(std::uint64_t(a) * b >> 32); }
EMULATION_ATOMIC int __mulhi(int a, int b) { return static_cast<int>(std::int64_t(a) * b >> 32); }
EMULATION_ATOMIC int __mul24(int a, int b) { return ((a << 8) >> 8) * ((b << 8) >> 8); }
EMULATION_ATOMIC unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }

// The same bits in another type.
namespace emulation {
template <typename To, typename From> EMULATION_ATOMIC To same_bits(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    std::memcpy(&to, &from, sizeof to);
    return to;
}
}  // namespace emulation
EMULATION_ATOMIC int __float_as_int(float v) { return emulation::same_bits<int>(v); }
EMULATION_ATOMIC unsigned __float_as_uint(float v) { return emulation::same_bits<unsigned>(v); }
EMULATION_ATOMIC float __int_as_float(int v) { return emulation::same_bits<float>(v); }
EMULATION_ATOMIC float __uint_as_float(unsigned v) { return emulation::same_bits<float>(v); }
EMULATION_ATOMIC long long __double_as_longlong(double v) { return emulation::same_bits<long long>(v); }
EMULATION_ATOMIC double __longlong_as_double(long long v) { return emulation::same_bits<double>(v); }
EMULATION_ATOMIC int __double2hiint(double v) { return static_cast<int>(emulation::same_bits<std::uint64_t>(v) >> 32); }
EMULATION_ATOMIC int __double2loint(double v) { return static_cast<int>(emulation::same_bits<std::uint64_t>(v)); }
EMULATION_ATOMIC double __hiloint2double(int high, int low) {
    return emulation::same_bits<double>(std::uint64_t(static_cast<unsigned>(high)) << 32 | static_cast<unsigned>(low));
}

// Arithmetic.
template <typename T> EMULATION_ATOMIC T __ldg(const T* address) { return *address; }
#define EMULATION_MIN_MAX(T)                                         \
    EMULATION_ATOMIC T max(T a, T b) { return a < b ? b : a; }       \
    EMULATION_ATOMIC T min(T a, T b) { return b < a ? b : a; }
EMULATION_MIN_MAX(int)
EMULATION_MIN_MAX(unsigned)
EMULATION_MIN_MAX(long)
EMULATION_MIN_MAX(unsigned long)
EMULATION_MIN_MAX(long long)
EMULATION_MIN_MAX(unsigned long long)
EMULATION_MIN_MAX(float)
EMULATION_MIN_MAX(double)
template <typename A, typename B,
          typename = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B> && !std::is_same_v<A, B>>>
EMULATION_ATOMIC std::common_type_t<A, B> max(A a, B b) { return std::max<std::common_type_t<A, B>>(a, b); }
template <typename A, typename B,
          typename = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B> && !std::is_same_v<A, B>>>
EMULATION_ATOMIC std::common_type_t<A, B> min(A a, B b) { return std::min<std::common_type_t<A, B>>(a, b); }
EMULATION_ATOMIC int __float2int_rn(float v) { return static_cast<int>(std::nearbyint(v)); }
EMULATION_ATOMIC int __float2int_rd(float v) { return static_cast<int>(std::floor(v)); }
EMULATION_ATOMIC float rsqrtf(float v) { return 1.0f / std::sqrt(v); }
EMULATION_ATOMIC double rsqrt(double v) { return 1.0 / std::sqrt(v); }
EMULATION_ATOMIC float __fdividef(float a, float b) { return a / b; }
EMULATION_ATOMIC float __fadd_rn(float a, float b) { return a + b; }
EMULATION_ATOMIC float __fmul_rn(float a, float b) { return a * b; }
EMULATION_ATOMIC float __expf(float v) { return std::exp(v); }
EMULATION_ATOMIC float __logf(float v) { return std::log(v); }
EMULATION_ATOMIC float __sinf(float v) { return std::sin(v); }
EMULATION_ATOMIC float __cosf(float v) { return std::cos(v); }
EMULATION_ATOMIC float __powf(float a, float b) { return std::pow(a, b); }
EMULATION_ATOMIC float __saturatef(float v) { return v > 0.0f ? (v < 1.0f ? v : 1.0f) : 0.0f; }
