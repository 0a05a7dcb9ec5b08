// Everything counts in warpSize or in what the device says; the sums do not depend on the width.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__inline__ __device__ float warp_sum(float v) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}
__global__ void total(const float *in, int n, float *out) {
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v += in[i];
    v = warp_sum(v);
    if (threadIdx.x % warpSize == 0) atomicAdd(out, v);
}
__global__ void transposed_sums(const float *m, int rows, int cols, float *sums) {
    int warps = blockDim.x / warpSize, warp = threadIdx.x / warpSize, lane = threadIdx.x % warpSize;
    for (int r = warp; r < rows; r += warps) {
        float v = 0;
        for (int c = lane; c < cols; c += warpSize) v += m[r * cols + c];
        v = warp_sum(v);
        if (lane == 0) sums[r] = v;
    }
}
int main() {
    const int rows = 19, cols = 45, n = rows * cols;
    std::vector<float> host(n), sums(rows);
    float all = 0, got = 0;
    for (int i = 0; i < n; ++i) all += host[i] = i % 17;
    float *in, *out, *d_sums;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, sizeof(float));
    cudaMalloc(&d_sums, rows * sizeof(float));
    cudaMemcpy(in, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(float));
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    int threads = prop.warpSize * 4;
    total<<<3, threads>>>(in, n, out);
    transposed_sums<<<1, threads>>>(in, rows, cols, d_sums);
    cudaMemcpy(&got, out, sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(sums.data(), d_sums, rows * sizeof(float), cudaMemcpyDeviceToHost);
    int errors = got != all;
    for (int r = 0; r < rows; ++r) {
        float want = 0;
        for (int c = 0; c < cols; ++c) want += host[r * cols + c];
        errors += sums[r] != want;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
