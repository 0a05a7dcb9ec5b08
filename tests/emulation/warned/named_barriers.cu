// Two pairs of warps wait at barriers of their own, by number: the hardware of AMD has one barrier for the block.
#include <cstdio>
#include <cuda_runtime.h>
__device__ void pair_barrier(int pair) { asm volatile("bar.sync %0, 64;" ::"r"(pair + 1) : "memory"); }  // warned: HIP218
__global__ void pairs(const int *in, int *out) {
    __shared__ int box[128];
    const int pair = threadIdx.x / 64;
    for (int r = 0; r < 2 + pair; ++r) {
        box[threadIdx.x] = in[threadIdx.x] + r;
        pair_barrier(pair);
        out[threadIdx.x] = box[threadIdx.x ^ 32];
        pair_barrier(pair);
    }
}
int main() {
    const int n = 128;
    int *in, *out, errors = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i * 5 % 31;
    pairs<<<1, n>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) errors += out[i] != in[i ^ 32] + 1 + i / 64;
    printf("errors %d\n", errors);
    return errors != 0;
}
