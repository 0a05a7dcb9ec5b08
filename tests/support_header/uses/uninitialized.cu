#include "hipify_support.hpp"

struct Best {
    float distance = 1.0f;
    int index = -1;
    __host__ __device__ ~Best() { index = -2; }
};
static_assert(sizeof(hipify::uninitialized<Best[4]>) == 4 * sizeof(Best), "");
static_assert(alignof(hipify::uninitialized<double[3]>) == alignof(double), "");

__device__ hipify::uninitialized<Best[64]> kept;

__device__ void take(const Best (&all)[64], int* out) { out[threadIdx.x] = all[threadIdx.x].index; }

__global__ void use(int* out) {
    __shared__ hipify::uninitialized<Best[64]> best;
    __shared__ volatile hipify::uninitialized<Best> one;
    best.value[threadIdx.x].index = threadIdx.x;
    one.value.index = 0;
    __syncthreads();
    take(best.value, out + one.value.index);
    kept.value[threadIdx.x].distance = best.value->distance;
}
