// Source lanes that CUDA takes modulo the width: thread numbers beyond the warp, negative ones, and odd widths.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void wrap(const int *in, int *a, int *b, int *c, int *d, int *e) {
    const int t = threadIdx.x, v = in[t];
    a[t] = __shfl_sync(0xffffffff, v, t + 1);
    b[t] = __shfl_sync(-1, v, t - 40, 16);
    c[t] = __shfl_down_sync(~0u, v, t % 3 * 10);
    d[t] = __shfl_xor_sync(0xffffffffu, v, 8, 8);
    e[t] = __shfl_up_sync(0xffffffffu, v, 5, 16) + __shfl_xor_sync(-1, v, 31) * 1000;
}

int main() {
    const int n = 96;
    int *in, *o[5], errors = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    for (int *&p : o) cudaMallocManaged(&p, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i * i % 101 + 1;
    wrap<<<1, n>>>(in, o[0], o[1], o[2], o[3], o[4]);
    cudaDeviceSynchronize();
    for (int t = 0; t < n; ++t) {
        const int w = t / 32 * 32, l = t % 32;
        errors += o[0][t] != in[w + (t + 1) % 32];
        errors += o[1][t] != in[t / 16 * 16 + ((t - 40) & 15)];
        errors += o[2][t] != (l + t % 3 * 10 < 32 ? in[t + t % 3 * 10] : in[t]);
        errors += o[3][t] != in[l & 8 ? t ^ 8 : t];
        errors += o[4][t] != (t % 16 < 5 ? in[t] : in[t - 5]) + in[t ^ 31] * 1000;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
