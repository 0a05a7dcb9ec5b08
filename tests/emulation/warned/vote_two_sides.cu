// A helper with a full mask is called from two branches of a lane's own condition, one of them after another call.
#include <cstdio>
#include <cuda_runtime.h>
template <typename T> __device__ T everybody(T v) {
    for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}
__device__ int of_small(int v) { return everybody(v); }
__global__ void mixed(const int *in, int *out) {
    const int v = in[threadIdx.x];
    if (v < 10) {
        out[threadIdx.x] = of_small(v);
    } else {
        out[threadIdx.x] = -everybody(v);  // warned: HIP332
    }
}
int main() {
    const int n = 64;
    int *in, *out, errors = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i * 7 % 23;
    mixed<<<1, n>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) {
        int s = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) s += in[j];
        errors += out[i] != (in[i] < 10 ? s : -s);
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
