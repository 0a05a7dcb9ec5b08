// How many warps have a lane with a large value: threads 0 and 40 of a block of 128 are in two warps.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(const int *in, int *warps) {
    const int found = __any_sync(0xffffffff, in[threadIdx.x] > 3);
    if (threadIdx.x % warpSize == 0) atomicAdd(warps, found);
}
int main() {
    int *in, *warps;
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&warps, sizeof(int));
    for (int i = 0; i < 128; ++i) in[i] = i == 0 || i == 40 ? 9 : 0;
    *warps = 0;
    k<<<1, 128>>>(in, warps);
    cudaDeviceSynchronize();
    printf("errors %d\n", *warps != 2);
}
