// The legacy names are macros for the _sync forms.
#include <cstdio>
#include <cuda_runtime.h>

#define __shfl(v, l) __shfl_sync(0xffffffffU, v, l)
#define __shfl_down(v, d) __shfl_down_sync(0xffffffffU, v, d)
#define __ballot(p) __ballot_sync(0xffffffffU, p)
#define __any(p) __any_sync(0xffffffffU, p)
__global__ void work(const int *in, int *out) {
    int v = in[threadIdx.x], s = v;
    for (int d = 16; d > 0; d >>= 1) s += __shfl_down(s, d);
    out[threadIdx.x] = __shfl(s, 0) + 1000 * __popc(__ballot(v & 1)) + 100000 * __any(v == 28);
}
int want(const int *in, int t) {
    int s = 0, o = 0, a = 0;
    for (int j = t / 32 * 32; j < t / 32 * 32 + 32; ++j) s += in[j], o += in[j] & 1, a |= in[j] == 28;
    return s + 1000 * o + 100000 * a;
}
int main() {
    const int n = 96;
    int *in, *out, errors = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = (i * 7 + i / 32) % 29;
    work<<<1, n>>>(in, out);
    cudaDeviceSynchronize();
    for (int t = 0; t < n; ++t) errors += out[t] != want(in, t);
    printf("errors %d\n", errors);
    return errors != 0;
}
