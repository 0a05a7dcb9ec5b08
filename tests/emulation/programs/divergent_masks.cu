// Both sides of a branch work with the lanes that a ballot before it named; nested branches with smaller masks.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int masked_sum(unsigned mask, int v) {
    int s = 0;
    for (unsigned rest = mask; rest; rest &= rest - 1) s += __shfl_sync(mask, v, __ffs(rest) - 1);
    return s;
}
__global__ void sides(const int *in, int *out) {
    const int v = in[threadIdx.x];
    const unsigned even = __ballot_sync(0xffffffffu, v % 2 == 0);
    if (v % 2 == 0) {
        int s = masked_sum(even, v);
        const unsigned large = __ballot_sync(even, v > 20);
        if (v > 20) {
            s += 1000 * masked_sum(large, 1);
        } else {
            s += 100000 * __popc(__ballot_sync(even & ~large, v > 5));
        }
        __syncwarp(even);
        out[threadIdx.x] = s;
    } else {
        const unsigned odd = ~even;
        out[threadIdx.x] = -masked_sum(odd, v) - 1000 * (__ffs(odd) - 1) - 100000 * __any_sync(odd, v > 38);
    }
}

int main() {
    const int n = 128;
    int host[n], got[n], *in, *out, errors = 0;
    for (int i = 0; i < n; ++i) host[i] = (i * 17 + i / 32) % (39 + i / 64);
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    sides<<<1, n>>>(in, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int w = 0; w < n; w += 32) {
        int even = 0, odd = 0, large = 0, mid = 0, first = 32, huge = 0;
        for (int i = w; i < w + 32; ++i) {
            if (host[i] % 2 == 0) {
                even += host[i];
                large += host[i] > 20;
                mid += host[i] > 5 && host[i] <= 20;
            } else {
                odd += host[i];
                first = i - w < first ? i - w : first;
                huge |= host[i] > 38;
            }
        }
        for (int i = w; i < w + 32; ++i) {
            int want = host[i] % 2 ? -odd - 1000 * first - 100000 * huge
                                   : even + (host[i] > 20 ? 1000 * large : 100000 * mid);
            errors += got[i] != want;
        }
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
