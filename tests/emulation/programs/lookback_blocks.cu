// Blocks scan in one pass: the first thread of each waits for the block before it; nobody waits for its own wavefront.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void scan(const int *in, int *out, volatile int *flags, volatile int *totals, int *tickets) {
    __shared__ int part[4], base, block;
    if (threadIdx.x == 0) block = atomicAdd(tickets, 1);
    __syncthreads();
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5, i = block * blockDim.x + threadIdx.x;
    int v = in[i];
    for (int d = 1; d < 32; d <<= 1) {
        const int o = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d) v += o;
    }
    if (lane == 31) part[warp] = v;
    __syncthreads();
    for (int w = 0; w < warp; ++w) v += part[w];
    if (threadIdx.x == blockDim.x - 1) {
        int before = 0;
        if (block > 0) {
            while (flags[block - 1] == 0) {
            }
            __threadfence();
            before = totals[block - 1];
        }
        totals[block] = before + v;
        __threadfence();
        flags[block] = 1;
        base = before;
    }
    __syncthreads();
    out[i] = base + v;
}
int main() {
    const int n = 480, threads = 96;
    int *in, *out, *flags, *totals, *tickets, errors = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&flags, n * sizeof(int));
    cudaMallocManaged(&totals, n * sizeof(int));
    cudaMallocManaged(&tickets, sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i * 7 % 13;
    cudaMemset(flags, 0, n * sizeof(int));
    *tickets = 0;
    scan<<<n / threads, threads>>>(in, out, flags, totals, tickets);
    cudaDeviceSynchronize();
    for (int i = 0, s = 0; i < n; ++i) errors += out[i] != (s += in[i]);
    printf("errors %d\n", errors);
    return errors != 0;
}
