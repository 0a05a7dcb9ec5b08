// Variadic macros and packs hand on what a shuffle takes; qualified calls; arguments made by a macro.
#include <cstdio>
#include <cuda_runtime.h>

#define FULL 0xffffffffu
#define SHFL(...) __shfl_sync(FULL, __VA_ARGS__)
#define LAST(v) FULL, v, 31
template <class... A> __device__ auto forward(A... a) { return __shfl_xor_sync(FULL, a...); }
template <int W> __device__ int part(int v) {
    if constexpr (W == 32) return SHFL(v, 5);
    else return SHFL(v, 5, W);
}
__device__ int own_votes(int p, unsigned mask = __activemask()) { return __popc(__ballot_sync(mask, p)); }
__global__ void work(const int *in, int *out) {
    const int v = in[threadIdx.x];
    int r = part<32>(v) + part<8>(v) * 30 + forward(v, 1) * 900 + forward(v, 8, 16) * 27000;
    r += ::__shfl_sync(LAST(v)) * 810000 + (::__ballot_sync(FULL, v & 1) ? 1 : 0);
    if (v & 1) r -= own_votes(v & 2);
    out[threadIdx.x] = r;
}
int want(const int *in, int t) {
    const int w = t / 32 * 32;
    int r = in[w + 5] + in[t / 8 * 8 + 5] * 30 + in[t ^ 1] * 900 + in[t ^ 8] * 27000 + in[w + 31] * 810000 + 1;
    int o = 0;
    for (int j = w; j < w + 32; ++j) o += in[j] % 4 == 3;
    return in[t] & 1 ? r - o : r;
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
