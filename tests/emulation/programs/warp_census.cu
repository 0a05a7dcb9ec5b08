// Counts in warpSize, and what is counted are warps: their number, their seeds, and the size that the device tells.
#include <cstdio>
#include <cuda_runtime.h>
__device__ unsigned mix(unsigned x) { return x * 2654435761u ^ x >> 13; }
__global__ void census(int *warps, int *size, unsigned *noise) {
    const int lane = threadIdx.x % warpSize, warp = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    unsigned seed = lane == 0 ? mix(warp + 1) : 0;
    seed = __shfl_sync(0xffffffff, seed, 0);
    noise[blockIdx.x * blockDim.x + threadIdx.x] = mix(seed + lane);
    if (lane == 0) {
        atomicAdd(warps, 1);
        *size = warpSize;
    }
}
int main() {
    const int n = 256;
    int *warps, *size, errors = 0;
    unsigned *noise;
    cudaMallocManaged(&warps, sizeof(int));
    cudaMallocManaged(&size, sizeof(int));
    cudaMallocManaged(&noise, n * sizeof(unsigned));
    *warps = 0;
    census<<<2, n / 2>>>(warps, size, noise);
    cudaDeviceSynchronize();
    errors += *warps != n / *size;
    for (int i = 0; i < n; ++i) {
        unsigned seed = i / 32 + 1;
        seed = seed * 2654435761u ^ seed >> 13;
        seed += i % 32;
        errors += noise[i] != (seed * 2654435761u ^ seed >> 13);
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
