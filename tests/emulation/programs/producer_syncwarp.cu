// Lanes hand data to each other through shared memory of their own warp, with __syncwarp between the steps.
#include <cstdio>
#include <cuda_runtime.h>

#define WARPS 4
__global__ void rotate(const int *in, int *out, int rounds) {
    __shared__ int ring[WARPS][32];
    __shared__ int head[WARPS];
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    int v = in[threadIdx.x];
    if (warp == 3) return;
    for (int r = 0; r < rounds + warp; ++r) {
        if (lane == r % 32) head[warp] = v;
        ring[warp][lane] = v;
        __syncwarp();
        v = ring[warp][(lane + 1) & 31] + head[warp];
        __syncwarp();
    }
    out[threadIdx.x] = v;
}

int main() {
    const int n = WARPS * 32, rounds = 5;
    int host[n], got[n], *in, *out, errors = 0;
    for (int i = 0; i < n; ++i) host[i] = i * i % 50;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof(host));
    rotate<<<1, n>>>(in, out, rounds);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int w = 0; w < 3; ++w) {
        int now[32], next[32];
        for (int l = 0; l < 32; ++l) now[l] = host[w * 32 + l];
        for (int r = 0; r < rounds + w; ++r) {
            for (int l = 0; l < 32; ++l) next[l] = now[(l + 1) % 32] + now[r % 32];
            for (int l = 0; l < 32; ++l) now[l] = next[l];
        }
        for (int l = 0; l < 32; ++l) errors += got[w * 32 + l] != now[l];
    }
    for (int l = 96; l < n; ++l) errors += got[l] != 0;
    printf("errors %d\n", errors);
    return errors != 0;
}
