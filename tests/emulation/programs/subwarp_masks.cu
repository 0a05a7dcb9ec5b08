// Groups of 8 lanes with masks of their own work in loops of different lengths within one warp.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int kGroup = 8;

__device__ __forceinline__ unsigned group_mask() {
    return 0xffu << (threadIdx.x & 31 & ~(kGroup - 1));
}
__global__ void group_sums(const int *begin, const int *values, int groups, int *sums, int *any) {
    const int group = (blockIdx.x * blockDim.x + threadIdx.x) / kGroup, lane = threadIdx.x % kGroup;
    if (group >= groups) return;
    const unsigned mask = group_mask();
    int total = 0, large = 0;
    for (int k = begin[group]; k < begin[group + 1]; k += kGroup) {
        int v = k + lane < begin[group + 1] ? values[k + lane] : 0;
        for (int d = kGroup / 2; d; d /= 2) v += __shfl_xor_sync(mask, v, d, kGroup);
        total += v;
        const unsigned votes = __ballot_sync(mask, k + lane < begin[group + 1] && values[k + lane] > 10);
        large += __popc(votes >> (threadIdx.x % 32 / kGroup * kGroup) & 0xffu);
        __syncwarp(mask);
    }
    if (lane == 0) {
        sums[group] = total;
        any[group] = large;
    }
}

int main() {
    const int groups = 21;
    int begin[groups + 1] = {0}, sums[groups], any[groups], *d_b, *d_v, *d_s, *d_a, errors = 0;
    for (int g = 0; g < groups; ++g) begin[g + 1] = begin[g] + (g * 7) % 30;
    const int n = begin[groups];
    int values[30 * groups];
    for (int i = 0; i < n; ++i) values[i] = (i * 11) % 17;
    cudaMalloc(&d_b, sizeof(begin));
    cudaMalloc(&d_v, sizeof(values));
    cudaMalloc(&d_s, sizeof(sums));
    cudaMalloc(&d_a, sizeof(any));
    cudaMemcpy(d_b, begin, sizeof(begin), cudaMemcpyHostToDevice);
    cudaMemcpy(d_v, values, n * sizeof(int), cudaMemcpyHostToDevice);
    group_sums<<<2, 96>>>(d_b, d_v, groups, d_s, d_a);
    cudaMemcpy(sums, d_s, sizeof(sums), cudaMemcpyDeviceToHost);
    cudaMemcpy(any, d_a, sizeof(any), cudaMemcpyDeviceToHost);
    for (int g = 0; g < groups; ++g) {
        int s = 0, a = 0;
        for (int k = begin[g]; k < begin[g + 1]; ++k) s += values[k], a += values[k] > 10;
        errors += sums[g] != s || any[g] != a;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
