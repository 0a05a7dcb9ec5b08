// Blocks of 16 and of 48 threads with masks for the lanes that exist, and blocks whose last warp is not full.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void least(const int *in, int *out, unsigned *masks) {
    const int lane = threadIdx.x % 32, first = threadIdx.x - lane;
    const int lanes = min(32, (int)blockDim.x - first);
    const unsigned mask = 0xffffffffu >> (32 - lanes);
    int v = in[threadIdx.x];
    for (int d = 16; d; d >>= 1) {
        const int o = __shfl_down_sync(mask, v, d);
        if (lane + d < lanes) v = min(v, o);
    }
    v = __shfl_sync(mask, v, 0);
    out[threadIdx.x] = v + 1000 * __all_sync(mask, v > 2) + 2000 * __any_sync(mask, in[threadIdx.x] == 33);
    masks[threadIdx.x] = __activemask();
}
int main() {
    int *in, *out, errors = 0;
    unsigned *masks;
    cudaMallocManaged(&in, 128 * sizeof(int));
    cudaMallocManaged(&out, 128 * sizeof(int));
    cudaMallocManaged(&masks, 128 * sizeof(unsigned));
    for (int i = 0; i < 128; ++i) in[i] = (i * 23) % 97 + 1;
    for (int n : {16, 31, 48, 64, 80, 97}) {
        least<<<1, n>>>(in, out, masks);
        cudaDeviceSynchronize();
        for (int w = 0; w < n; w += 32) {
            int best = 1000, any = 0, lanes = n - w < 32 ? n - w : 32;
            for (int i = w; i < w + lanes; ++i) best = in[i] < best ? in[i] : best, any |= in[i] == 33;
            for (int i = w; i < w + lanes; ++i) {
                errors += out[i] != best + 1000 * (best > 2) + 2000 * any;
                errors += masks[i] != 0xffffffffu >> (32 - lanes);
            }
        }
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
