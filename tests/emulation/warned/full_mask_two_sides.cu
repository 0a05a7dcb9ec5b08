// Both sides of a branch shuffle with the full mask: since Volta the lanes meet at the same operation of either side.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void two_sides(const int *in, int *out) {
    const int v = in[threadIdx.x];
    int r;
    if (v & 1)
        r = __shfl_xor_sync(0xffffffff, v, 1) + 1;
    else
        r = __shfl_xor_sync(0xffffffff, v, 1) * 2;  // warned: HIP332
    out[threadIdx.x] = r;
}
int main() {
    const int n = 64;
    int host[n], got[n], *in, *out, errors = 0;
    for (int i = 0; i < n; ++i) host[i] = i * i / 3;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    two_sides<<<1, n>>>(in, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) errors += got[i] != (host[i] & 1 ? host[i ^ 1] + 1 : host[i ^ 1] * 2);
    printf("errors %d\n", errors);
    return errors != 0;
}
