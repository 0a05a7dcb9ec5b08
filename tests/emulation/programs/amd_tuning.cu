// Branches for AMD that choose the size of blocks, a type of the host and an unrolling; warps have 32 lanes in both.
#include <cstdio>
#include <cuda_runtime.h>
#ifdef __HIP_PLATFORM_AMD__
constexpr int kBlock = 128;
using row_index_t = long long;
#define UNROLL _Pragma("unroll 2")
#else
constexpr int kBlock = 256;
using row_index_t = int;
#define UNROLL _Pragma("unroll 4")
#endif
__global__ void rows(const float *m, row_index_t n, int cols, float *least) {
    const row_index_t row = (row_index_t)blockIdx.x * (kBlock / 32) + threadIdx.x / 32;
    if (row >= n) return;
    float v = 1e30f;
    UNROLL
    for (int c = threadIdx.x % 32; c < cols; c += 32) v = fminf(v, m[row * cols + c]);
    for (int d = 1; d < 32; d *= 2) v = fminf(v, __shfl_xor_sync(0xffffffffu, v, d));
    v = __shfl_sync(0xffffffffu, v, 17);
    if (threadIdx.x % 32 == 0) least[row] = v;
}
int main() {
    const int n = 13, cols = 40, per = kBlock / 32;
    float *m, *least;
    int errors = 0;
    cudaMallocManaged(&m, n * cols * sizeof(float));
    cudaMallocManaged(&least, n * sizeof(float));
    for (int i = 0; i < n * cols; ++i) m[i] = (i * 89) % 523;
    rows<<<(n + per - 1) / per, kBlock>>>(m, n, cols, least);
    cudaDeviceSynchronize();
    for (int r = 0; r < n; ++r) {
        float want = 1e30f;
        for (int c = 0; c < cols; ++c) want = m[r * cols + c] < want ? m[r * cols + c] : want;
        errors += least[r] != want;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
