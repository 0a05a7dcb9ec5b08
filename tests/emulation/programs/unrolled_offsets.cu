// The lane is counted in warpSize, the reduction is unrolled with the distances of 32 lanes.
#include <cstdio>
#include <cuda_runtime.h>
__device__ __forceinline__ float total(float v) {
    v += __shfl_down_sync(0xffffffff, v, 16);
    v += __shfl_down_sync(0xffffffff, v, 8);
    v += __shfl_down_sync(0xffffffff, v, 4);
    v += __shfl_down_sync(0xffffffff, v, 2);
    v += __shfl_down_sync(0xffffffff, v, 1);
    return v;
}
__global__ void dot(const float *a, const float *b, int n, float *out) {
    __shared__ float part[8];
    float v = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) v += a[i] * b[i];
    v = total(v);
    if (threadIdx.x % warpSize == 0) part[threadIdx.x / warpSize] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        v = 0;
        for (int w = 0; w < 8; ++w) v += part[w];
        *out = v;
    }
}
__global__ void eight_minima(const int *in, int *out) {
    __shared__ int part[8];
    int v = in[threadIdx.x];
    for (int d = warpSize / 2; d; d >>= 1) v = min(v, __shfl_xor_sync(0xffffffff, v, d));
    if (threadIdx.x % warpSize == 0) part[threadIdx.x / warpSize] = v;
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = part[threadIdx.x];
}
int main() {
    const int n = 600;
    float *a, *b, *out, want = 0;
    int *in, *minima, errors = 0;
    cudaMallocManaged(&a, n * sizeof(float));
    cudaMallocManaged(&b, n * sizeof(float));
    cudaMallocManaged(&out, sizeof(float));
    cudaMallocManaged(&in, 256 * sizeof(int));
    cudaMallocManaged(&minima, 8 * sizeof(int));
    for (int i = 0; i < n; ++i) a[i] = i % 5, b[i] = i % 3, want += a[i] * b[i];
    for (int i = 0; i < 256; ++i) in[i] = (i * 77) % 257;
    dot<<<1, 256>>>(a, b, n, out);
    eight_minima<<<1, 256>>>(in, minima);
    cudaDeviceSynchronize();
    errors += *out != want;
    for (int w = 0; w < 8; ++w) {
        int m = 1000;
        for (int i = w * 32; i < w * 32 + 32; ++i) m = in[i] < m ? in[i] : m;
        errors += minima[w] != m;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
