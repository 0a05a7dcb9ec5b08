// The kernel counts in warpSize; the host has room for one partial result for each 32 elements and checks all of them.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void partials(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = in[i];
    for (int d = 1; d < warpSize; d *= 2) v += __shfl_xor_sync(~0u, v, d);
    if (i % warpSize == 0) out[i / warpSize] = v;
}
int main() {
    const int n = 512;
    int host[n], got[n / 32], *in, *out, errors = 0;
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    partials<<<4, 128>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int w = 0; w < n / 32; ++w) errors += got[w] != w * 1024 + 496;
    printf("errors %d\n", errors);
    return errors;
}
