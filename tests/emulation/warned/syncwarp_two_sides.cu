// A producer and a consumer among the lanes of a warp: both sides of the branch come to a barrier of the full warp.
#include <cstdio>
#include <cuda_runtime.h>
__device__ void meet() { __syncwarp(); }
__global__ void hand_over(const int *in, int *out) {
    __shared__ int box[64];
    const int lane = threadIdx.x & 31, warp = threadIdx.x & ~31;
    if (lane < 16) {
        box[warp + lane] = in[threadIdx.x] * 3;
        meet();
        out[threadIdx.x] = box[warp + lane + 16];
    } else {
        box[warp + lane] = in[threadIdx.x] + 5;
        meet();  // warned: HIP332
        out[threadIdx.x] = box[warp + lane - 16];
    }
}
int main() {
    const int n = 64;
    int host[n], got[n], *in, *out, errors = 0;
    for (int i = 0; i < n; ++i) host[i] = i * 7 % 31;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    hand_over<<<1, n>>>(in, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) errors += got[i] != (i % 32 < 16 ? host[i + 16] + 5 : host[i - 16] * 3);
    printf("errors %d\n", errors);
    return errors != 0;
}
