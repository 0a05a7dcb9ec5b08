// Each warp's first thread draws places for its warp; all 128 places must be different.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(int *next, int *place, int per_warp) {
    const int lane = threadIdx.x % warpSize;
    int base = 0;
    if (lane == 0) base = atomicAdd(next, per_warp);
    place[threadIdx.x] = __shfl_sync(0xffffffff, base, 0) + lane;
}
int main() {
    int *next, *place, seen[256] = {}, errors = 0;
    cudaMallocManaged(&next, sizeof(int));
    cudaMallocManaged(&place, 128 * sizeof(int));
    *next = 0;
    k<<<1, 128>>>(next, place, 128 / 4);
    cudaDeviceSynchronize();
    for (int i = 0; i < 128; ++i) errors += seen[place[i]]++ != 0;
    printf("errors %d\n", errors);
}
