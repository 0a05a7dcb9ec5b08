// Wrappers in the style of deep learning frameworks: width and mask are default arguments, legacy forms before CUDA 9.
#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

#define EXT_WARP_SIZE 32

template <typename T>
__device__ __forceinline__ T WARP_SHFL_XOR(T value, int laneMask, int width = warpSize, unsigned int mask = 0xffffffff) {
#if CUDA_VERSION >= 9000
    return __shfl_xor_sync(mask, value, laneMask, width);
#else
    return __shfl_xor(value, laneMask, width);
#endif
}
template <typename T>
__device__ __forceinline__ T WARP_SHFL_DOWN(T value, unsigned int delta, int width = warpSize, unsigned int mask = 0xffffffff) {
    return __shfl_down_sync(mask, value, delta, width);
}
template <typename T>
__device__ __forceinline__ T WARP_SHFL(T value, int srcLane, int width = warpSize, unsigned int mask = 0xffffffff) {
    return __shfl_sync(mask, value, srcLane, width);
}
__device__ __forceinline__ unsigned int WARP_BALLOT(int predicate, unsigned int mask = 0xffffffff) {
    return __ballot_sync(mask, predicate);
}

template <typename T>
__inline__ __device__ T WarpReduceSum(T val) {
#pragma unroll
    for (int offset = (EXT_WARP_SIZE >> 1); offset > 0; offset >>= 1) val += WARP_SHFL_DOWN(val, offset);
    return val;
}

template <typename T>
__inline__ __device__ T BlockReduceSum(T val, T *shared) {
    const int tid = threadIdx.x;
    const int lid = tid % EXT_WARP_SIZE;
    const int wid = tid / EXT_WARP_SIZE;
    val = WarpReduceSum(val);
    __syncthreads();
    if (lid == 0) shared[wid] = val;
    __syncthreads();
    val = (tid < blockDim.x / EXT_WARP_SIZE) ? shared[lid] : T(0);
    if (wid == 0) val = WarpReduceSum(val);
    return val;
}

template <typename scalar_t>
__global__ void rowwise_moments(int n, const scalar_t *x, scalar_t *mean, scalar_t *rest, unsigned *signs) {
    __shared__ scalar_t s[EXT_WARP_SIZE];
    scalar_t sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[blockIdx.x * n + i];
    sum = BlockReduceSum(sum, s);
    if (threadIdx.x == 0) mean[blockIdx.x] = sum;
    scalar_t pair = threadIdx.x;
    pair += WARP_SHFL_XOR(pair, 1);
    pair += WARP_SHFL(pair, 31) * 100;
    pair += WARP_SHFL(pair, 0, 8) * 1000;
    rest[blockIdx.x * blockDim.x + threadIdx.x] = pair;
    unsigned negative = WARP_BALLOT(x[blockIdx.x * n + threadIdx.x] < 0);
    if (threadIdx.x % 32 == 0) signs[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = negative;
}

int main() {
    const int rows = 3, n = 130, threads = 96;
    double x[rows * n], mean[rows], rest[rows * threads], *d_x, *d_mean, *d_rest;
    unsigned signs[rows * threads / 32], *d_signs;
    for (int i = 0; i < rows * n; ++i) x[i] = (i * 37) % 41 - 20;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_mean, sizeof(mean));
    cudaMalloc(&d_rest, sizeof(rest));
    cudaMalloc(&d_signs, sizeof(signs));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    rowwise_moments<double><<<rows, threads>>>(n, d_x, d_mean, d_rest, d_signs);
    cudaMemcpy(mean, d_mean, sizeof(mean), cudaMemcpyDeviceToHost);
    cudaMemcpy(rest, d_rest, sizeof(rest), cudaMemcpyDeviceToHost);
    cudaMemcpy(signs, d_signs, sizeof(signs), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int r = 0; r < rows; ++r) {
        double sum = 0;
        for (int i = 0; i < n; ++i) sum += x[r * n + i];
        errors += mean[r] != sum;
        double step[threads], next[threads];
        for (int t = 0; t < threads; ++t) step[t] = t + (t ^ 1);
        for (int t = 0; t < threads; ++t) next[t] = step[t] + step[t / 32 * 32 + 31] * 100;
        for (int t = 0; t < threads; ++t) errors += rest[r * threads + t] != next[t] + next[t / 8 * 8] * 1000;
        for (int w = 0; w < threads / 32; ++w) {
            unsigned want = 0;
            for (int l = 0; l < 32; ++l) want |= unsigned(x[r * n + w * 32 + l] < 0) << l;
            errors += signs[r * threads / 32 + w] != want;
        }
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
