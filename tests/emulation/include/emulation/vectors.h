// HIP's built-in vector types and dim3.
#pragma once
#include <emulation/core.h>

#define EMULATION_VECTORS(name, type)                                                                              \
    struct name##1 { type x; };                                                                                    \
    struct alignas(2 * sizeof(type)) name##2 { type x, y; };                                                       \
    struct name##3 { type x, y, z; };                                                                              \
    struct alignas(sizeof(type) == 8 ? 16 : 4 * sizeof(type)) name##4 { type x, y, z, w; };                        \
    inline name##1 make_##name##1(type x) { return {x}; }                                                          \
    inline name##2 make_##name##2(type x, type y) { return {x, y}; }                                               \
    inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }                                    \
    inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }                         \
    EMULATION_VECTOR_OPERATOR(name, +) EMULATION_VECTOR_OPERATOR(name, -)                                          \
    EMULATION_VECTOR_OPERATOR(name, *) EMULATION_VECTOR_OPERATOR(name, /)                                          \
    inline bool operator==(name##2 a, name##2 b) { return a.x == b.x && a.y == b.y; }                              \
    inline bool operator!=(name##2 a, name##2 b) { return !(a == b); }

#define EMULATION_VECTOR_OPERATOR(name, op)                                                                        \
    inline name##2 operator op(name##2 a, name##2 b) { return make_##name##2(a.x op b.x, a.y op b.y); }            \
    inline name##3 operator op(name##3 a, name##3 b) { return make_##name##3(a.x op b.x, a.y op b.y, a.z op b.z); } \
    inline name##4 operator op(name##4 a, name##4 b) {                                                             \
        return make_##name##4(a.x op b.x, a.y op b.y, a.z op b.z, a.w op b.w);                                     \
    }                                                                                                              \
    inline name##2& operator op##=(name##2& a, name##2 b) { return a = a op b; }                                   \
    inline name##3& operator op##=(name##3& a, name##3 b) { return a = a op b; }                                   \
    inline name##4& operator op##=(name##4& a, name##4 b) { return a = a op b; }

EMULATION_VECTORS(char, signed char)
EMULATION_VECTORS(uchar, unsigned char)
EMULATION_VECTORS(short, short)
EMULATION_VECTORS(ushort, unsigned short)
EMULATION_VECTORS(int, int)
EMULATION_VECTORS(uint, unsigned)
EMULATION_VECTORS(long, long)
EMULATION_VECTORS(ulong, unsigned long)
EMULATION_VECTORS(longlong, long long)
EMULATION_VECTORS(ulonglong, unsigned long long)
EMULATION_VECTORS(float, float)
EMULATION_VECTORS(double, double)

struct dim3 : emulation::Extent {
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : Extent{x_, y_, z_} {}
    constexpr dim3(uint3 v) : Extent{v.x, v.y, v.z} {}
    constexpr dim3(Extent v) : Extent(v) {}
    constexpr operator uint3() const { return {x, y, z}; }
};

// The scheduler sets these; its own types have the same layout.
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
