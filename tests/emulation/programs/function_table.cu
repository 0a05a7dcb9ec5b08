// Device functions by pointer and by a table; a switch of operations; a warp function in another namespace.
#include <cstdio>
#include <cuda_runtime.h>

namespace ops {
__device__ int sum(int v) { for (int d = 16; d; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d); return v; }
__device__ int most(int v) { for (int d = 16; d; d /= 2) v = max(v, __shfl_xor_sync(0xffffffffu, v, d)); return v; }
__device__ int first(int v) { return __shfl_sync(0xffffffffu, v, 0); }
typedef int (*operation)(int);
}
template <ops::operation Op> __device__ int apply(int v) { return Op(v); }
__global__ void work(const int *in, int *out) {
    ops::operation table[3] = {ops::sum, ops::most, &ops::first};
    const int v = in[threadIdx.x];
    int r = 0;
    for (int k = 0; k < 3; ++k) r = r * 1000 + table[k](v);
    out[threadIdx.x] = r + apply<ops::most>(v);
}
int want(const int *in, int t) {
    int s = 0, m = 0;
    for (int j = t / 32 * 32; j < t / 32 * 32 + 32; ++j) s += in[j], m = in[j] > m ? in[j] : m;
    return s * 1000000 + m * 1000 + in[t / 32 * 32] + m;
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
