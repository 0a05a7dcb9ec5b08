// Branches on the architecture: hardware reductions from 8.0 on, shuffles before; one helper is for host and device.
#include <cstdio>
#include <cuda_runtime.h>

__host__ __device__ inline int lane_of(int thread) {
#ifdef __CUDA_ARCH__
    return thread & (warpSize - 1);
#else
    return thread & 31;
#endif
}
__device__ inline int add_all(int v) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    return __reduce_add_sync(0xffffffff, v);
#else
    for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffff, v, d);
    return v;
#endif
}
#if __CUDACC_VER_MAJOR__ >= 9
#define SYNC_WARP() __syncwarp()
#else
#define SYNC_WARP()
#endif
__global__ void blocks_of_warps(const int *in, int *out) {
    __shared__ int totals[32];
    const int lane = lane_of(threadIdx.x), warp = threadIdx.x >> 5;
    const int sum = add_all(in[threadIdx.x]);
    SYNC_WARP();
    if (lane == 0) totals[warp] = sum;
    __syncthreads();
    const int warps = blockDim.x >> 5;
    out[threadIdx.x] = add_all(lane < warps ? totals[lane] : 0) * 100 + lane + sum * 100000;
}
int main() {
    const int n = 160;
    int *in, *out, errors = 0, all = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) all += in[i] = i % 7;
    blocks_of_warps<<<1, n>>>(in, out);
    cudaDeviceSynchronize();
    for (int t = 0; t < n; ++t) {
        int sum = 0;
        for (int j = t / 32 * 32; j < t / 32 * 32 + 32; ++j) sum += in[j];
        errors += out[t] != all * 100 + lane_of(t) + sum * 100000;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
