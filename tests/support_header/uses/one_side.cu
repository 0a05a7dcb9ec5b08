#include "hipify_support.hpp"

#define OPERATORS(T) \
    inline HIPIFY_ONE_SIDE T operator*(T a, T b) { a.x = a.x * b.x - a.y * b.y; return a; } \
    inline HIPIFY_ONE_SIDE void operator+=(T& a, T b) { a.x += b.x; }
OPERATORS(float2)
OPERATORS(double2)

__host__ __device__ inline float2 twice(float2 a) {
    a += a * a;
    return a;
}
__global__ void use(float2* f, double2* d) {
    f[0] = twice(f[1] * f[2]);
    d[0] += d[1] * d[2];
}
float on_host(float2 a) { return twice(a * a).x; }
