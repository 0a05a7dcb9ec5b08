#include "hipify_support.hpp"

template <typename T>
__device__ void turn(T* to, T angle) {
    hipify::sincos(angle, to, to + 1);
    hipify::sincospi(angle, to + 2, to + 3);
}

__global__ void use(float* f, double* d) {
    turn(f, f[4]);
    turn(d, d[4]);
}
