// The kernel counts in warpSize, and is launched with blocks of 32 threads: the minimum over one warp a block.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int warp_min(int v) {
    for (int d = warpSize / 2; d > 0; d /= 2) v = min(v, __shfl_xor_sync(0xffffffff, v, d));
    return v;
}
__global__ void least(const int *in, int n, int *out) {
    int v = 1000000;
    for (int i = threadIdx.x; i < n; i += warpSize) v = min(v, in[blockIdx.x * n + i]);
    v = warp_min(v);
    if (threadIdx.x == 0) out[blockIdx.x] = v;
}

int main() {
    const int blocks = 5, n = 100;
    int host[blocks * n], got[blocks], *in, *out, errors = 0;
    for (int i = 0; i < blocks * n; ++i) host[i] = 100 + (i * 37) % 503;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(got));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    least<<<blocks, 32>>>(in, n, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int b = 0; b < blocks; ++b) {
        int want = 1000000;
        for (int i = 0; i < n; ++i) want = host[b * n + i] < want ? host[b * n + i] : want;
        errors += got[b] != want;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
