// A mask and the warp's size as values of a structure that the host fills and hands to the kernel.
#include <cstdio>
#include <cuda_runtime.h>

struct Settings { int lanes, shift; unsigned members; };
__constant__ Settings settings;
__global__ void work(const int *in, int *out, Settings s) {
    const int lane = threadIdx.x % s.lanes, warp = threadIdx.x >> settings.shift;
    int v = in[threadIdx.x];
    for (int d = settings.lanes / 2; d; d /= 2) v += __shfl_xor_sync(s.members, v, d);
    const unsigned m = __ballot_sync(settings.members, in[threadIdx.x] & 2);
    out[threadIdx.x] = v + 1000 * __popc(m >> lane) + 100000 * warp;
}
int want(const int *in, int t) {
    int s = 0, c = 0;
    for (int j = t / 32 * 32; j < t / 32 * 32 + 32; ++j) s += in[j], c += j >= t && in[j] & 2;
    return s + 1000 * c + 100000 * (t / 32);
}
int main() {
    const int n = 96;
    int *in, *out, errors = 0, size = 0;
    cudaDeviceGetAttribute(&size, cudaDevAttrWarpSize, 0);
    Settings s = {size, 0, 0};
    while (1 << s.shift < size) ++s.shift;
    s.members = (unsigned)((1ull << size) - 1);
    cudaMemcpyToSymbol(settings, &s, sizeof(s));
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = (i * 7 + i / 32) % 29;
    work<<<1, n>>>(in, out, s);
    cudaDeviceSynchronize();
    for (int t = 0; t < n; ++t) errors += out[t] != want(in, t);
    printf("errors %d\n", errors);
    return errors != 0;
}
