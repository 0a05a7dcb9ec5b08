// Differences to the left neighbour; the first of each warp keeps its value, so that the sum over a warp is the last value.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void k(const int *in, int *out) {
    const int lane = threadIdx.x % warpSize, v = in[threadIdx.x], left = __shfl_up_sync(0xffffffff, v, 1);
    out[threadIdx.x] = lane == 0 ? v : v - left;
}
int main() {
    const int warps = 4, n = 128;
    int *in, *out, errors = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i * i;
    k<<<1, n>>>(in, out);
    cudaDeviceSynchronize();
    for (int w = 0; w < warps; ++w) {
        int sum = 0;
        for (int i = w * n / warps; i < (w + 1) * n / warps; ++i) sum += out[i];
        errors += sum != in[(w + 1) * n / warps - 1];
    }
    printf("errors %d\n", errors);
}
