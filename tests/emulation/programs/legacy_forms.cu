// Code from before CUDA 9 that was never changed beyond a switch for the compiler's version.
#include <cstdio>
#include <cuda_runtime.h>

#if defined(CUDART_VERSION) && CUDART_VERSION >= 9000
#define SHFL_DOWN(v, d) __shfl_down_sync(0xffffffff, v, d)
#define SHFL(v, l) __shfl_sync(0xffffffff, v, l)
#define BALLOT(p) __ballot_sync(0xffffffff, p)
#define ANY(p) __any_sync(0xffffffff, p)
#else
#define SHFL_DOWN(v, d) __shfl_down(v, d)
#define SHFL(v, l) __shfl(v, l)
#define BALLOT(p) __ballot(p)
#define ANY(p) __any(p)
#endif

__device__ unsigned warp_prefix(unsigned votes, unsigned lane) {
    return __popc(votes << (32 - lane) * (lane != 0) & (lane ? 0xffffffffu : 0u));
}
__global__ void legacy(const int *in, int *out) {
    const unsigned lane = threadIdx.x & 31;
    int v = in[threadIdx.x], s = v;
    for (int d = 16; d >= 1; d >>= 1) s += SHFL_DOWN(s, d);
    s = SHFL(s, 0);
    unsigned votes = BALLOT(v > 6);
    out[threadIdx.x] = s + 1000 * warp_prefix(votes, lane) + 100000 * ANY(v == 12);
}

int main() {
    const int n = 96;
    int host[n], got[n], *in, *out, errors = 0;
    for (int i = 0; i < n; ++i) host[i] = (i * 5) % (11 + i / 32);
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    legacy<<<1, n>>>(in, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
        int sum = 0, below = 0, any = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
            sum += host[j];
            below += j < i && host[j] > 6;
            any |= host[j] == 12;
        }
        errors += got[i] != sum + 1000 * below + 100000 * any;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
