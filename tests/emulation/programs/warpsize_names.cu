// warpSize under other names: a macro, a reference, a variable, an argument, a mask computed from it, a shadow.
#include <cstdio>
#include <cuda_runtime.h>
#define WS warpSize
template <typename T> __device__ T tree(T v, int width) {
    for (int d = width >> 1; d; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d);
    return v;
}
__device__ unsigned everyone(int size) { return size == 32 ? 0xffffffffu : (1u << size) - 1; }
__global__ void names(const int *in, int *out, unsigned *votes) {
    const int ws = warpSize;
    const int lane = threadIdx.x & (ws - 1), warp = threadIdx.x / WS;
    int r = tree(in[threadIdx.x], warpSize);
    r += 1000 * __popc(__ballot_sync(everyone(ws), in[threadIdx.x] & 1) >> lane);
    auto last = [=] { return __shfl_sync(everyone(WS), in[threadIdx.x], ws - 1); };
    r += 100000 * last();
    {
        const int warpSize = 16;
        int s = in[threadIdx.x];
        for (int d = warpSize / 2; d; d /= 2) s = max(s, __shfl_xor_sync(0xffffffffu, s, d, warpSize));
        r += 10000000 * (s % 8);
    }
    out[threadIdx.x] = r;
    if (lane == ws - 1) votes[warp] = __activemask();
}
int main() {
    const int n = 96;
    int *in, *out, errors = 0;
    unsigned *votes;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&votes, n / 32 * sizeof(unsigned));
    for (int i = 0; i < n; ++i) in[i] = (i * 7) % 29;
    names<<<1, n>>>(in, out, votes);
    cudaDeviceSynchronize();
    for (int t = 0; t < n; ++t) {
        int w = t / 32 * 32, sum = 0, above = 0, most = 0;
        for (int j = w; j < w + 32; ++j) {
            sum += in[j];
            above += j >= t && in[j] & 1;
            if (j / 16 == t / 16) most = in[j] > most ? in[j] : most;
        }
        errors += out[t] != sum + 1000 * above + 100000 * in[w + 31] + 10000000 * (most % 8);
        errors += votes[t / 32] != 0x80000000u;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
