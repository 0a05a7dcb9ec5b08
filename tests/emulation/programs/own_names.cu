// Own functions with the names that HIP has and CUDA no longer offers: __shfl for a struct, __lane_id.
#include <cstdio>
#include <cuda_runtime.h>

struct Vec { int x, y; };
__device__ inline Vec shfl(Vec v, int l, int w = 32) { return {__shfl_sync(~0u, v.x, l, w), __shfl_sync(~0u, v.y, l, w)}; }
__device__ inline int __lane_id_of_thread() { return threadIdx.x & 31; }
__device__ inline unsigned lane_id() { unsigned l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); return l; }
namespace hipless { __device__ inline unsigned ballot(bool p) { return __ballot_sync(~0u, p); } }
__global__ void work(const int *in, int *out) {
    const int v = in[threadIdx.x];
    const Vec a = shfl(Vec{v, v + 1}, 2), b = shfl(Vec{v, v + 1}, 2, 4);
    out[threadIdx.x] = a.x + 100 * b.y + 10000 * __popc(hipless::ballot(v > 3) >> lane_id()) + 1000000 * (__lane_id_of_thread() == (int)lane_id());
}
int want(const int *in, int t) {
    int c = 0;
    for (int j = t; j < t / 32 * 32 + 32; ++j) c += in[j] > 3;
    return in[t / 32 * 32 + 2] + 100 * (in[t / 4 * 4 + 2] + 1) + 10000 * c + 1000000;
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
