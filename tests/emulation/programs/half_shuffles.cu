// Half precision through shuffles: sums of __half2 and maxima of __half in a warp.
#include <cuda_fp16.h>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void work(const int *in, int *out) {
    const int v = in[threadIdx.x];
    __half2 p = __floats2half2_rn(v, v & 1);
    __half most = __float2half(v);
    for (int d = 16; d; d >>= 1) {
        p = __hadd2(p, __shfl_xor_sync(0xffffffff, p, d));
        const __half o = __shfl_down_sync(0xffffffff, most, d);
        most = __hgt(o, most) ? o : most;
    }
    most = __shfl_sync(0xffffffff, most, 0);
    const float2 f = __half22float2(p);
    out[threadIdx.x] = (int)f.x + 1000 * (int)f.y + 100000 * (int)__half2float(most);
}
int want(const int *in, int t) {
    int s = 0, o = 0, m = 0;
    for (int j = t / 32 * 32; j < t / 32 * 32 + 32; ++j) s += in[j], o += in[j] & 1, m = in[j] > m ? in[j] : m;
    return s + 1000 * o + 100000 * m;
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
