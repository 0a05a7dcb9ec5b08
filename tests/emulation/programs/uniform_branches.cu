// Full masks in branches that all lanes of a warp take together: by warp, by a value from shared memory, by a vote.
#include <cstdio>
#include <cuda_runtime.h>
__device__ int sum32(int v) {
    for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}
__global__ void branches(const int *in, const int *kinds, int *out) {
    __shared__ int kind[8];
    const int warp = threadIdx.x / 32, v = in[threadIdx.x];
    if (threadIdx.x < 8) kind[threadIdx.x] = kinds[threadIdx.x];
    __syncthreads();
    int r = 0;
    if (kind[warp] == 0) r = sum32(v);
    else if (kind[warp] == 1) r = -sum32(2 * v);
    else r = __popc(__ballot_sync(0xffffffffu, v & 1));
    if (__any_sync(0xffffffffu, v == 30)) r += 1000 * sum32(1);
    else r += 1000 * __shfl_sync(0xffffffffu, v, 9);
    const int leader = __shfl_sync(0xffffffffu, v, 0);
    if (leader & 1) r += 100000 * sum32(v & 1);
    else r -= 100000 * sum32(v & 1);
    out[threadIdx.x] = r;
}
int main() {
    const int n = 192;
    int *in, *kinds, *out, errors = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&kinds, 8 * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = (i * 11 + i / 32) % (30 + i / 96);
    for (int i = 0; i < 8; ++i) kinds[i] = i * 2 % 3;
    branches<<<1, n>>>(in, kinds, out);
    cudaDeviceSynchronize();
    for (int t = 0; t < n; ++t) {
        const int w = t / 32 * 32;
        int sum = 0, odd = 0, any = 0;
        for (int j = w; j < w + 32; ++j) sum += in[j], odd += in[j] & 1, any |= in[j] == 30;
        int r = kinds[t / 32] == 0 ? sum : kinds[t / 32] == 1 ? -2 * sum : odd;
        r += any ? 32000 : 1000 * in[w + 9];
        r += in[w] & 1 ? 100000 * odd : -100000 * odd;
        errors += out[t] != r;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
