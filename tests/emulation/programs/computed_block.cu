// Counts in warpSize; the block's size comes from the data, and may be one warp of 32.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
__global__ void row_max(const int *in, int cols, int *out) {
    __shared__ int part[32];
    const int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    int v = threadIdx.x < cols ? in[blockIdx.x * cols + threadIdx.x] : -1000;
    for (int d = warpSize / 2; d; d /= 2) v = max(v, __shfl_xor_sync(0xffffffff, v, d));
    if (lane == 0) part[warp] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / warpSize; ++w) v = max(v, part[w]);
        out[blockIdx.x] = v;
    }
}
int main() {
    int *in, *out, errors = 0;
    const int rows = 3;
    cudaMallocManaged(&in, rows * 256 * sizeof(int));
    cudaMallocManaged(&out, rows * sizeof(int));
    for (int i = 0; i < rows * 256; ++i) in[i] = (i * 73) % 509 - 509;
    for (int cols : {20, 90, 129}) {
        int threads = 1;
        while (threads < cols) threads *= 2;
        row_max<<<rows, threads>>>(in, cols, out);
        cudaDeviceSynchronize();
        for (int r = 0; r < rows; ++r) errors += out[r] != *std::max_element(in + r * cols, in + (r + 1) * cols);
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
