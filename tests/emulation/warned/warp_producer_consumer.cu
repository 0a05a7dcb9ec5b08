// The first warp of a block produces, the second one consumes: each waits for the flag of the other.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void pipeline(const int *in, int rounds, int *out) {
    __shared__ int box[32];
    __shared__ volatile int full;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x == 0) full = 0;
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        if (warp == 0) {
            while (full != 0) {  // warned: HIP311
            }
            box[lane] = in[r * 32 + lane];
            __threadfence_block();
            __syncwarp();
            if (lane == 0) full = 1;
        } else {
            while (full != 1) {  // warned: HIP311
            }
            out[r * 32 + lane] = box[31 - lane] * 2;
            __threadfence_block();
            __syncwarp();
            if (lane == 0) full = 0;
        }
        __syncwarp();
    }
}
int main() {
    const int rounds = 3, n = rounds * 32;
    int host[n], got[n], *in, *out, errors = 0;
    for (int i = 0; i < n; ++i) host[i] = i * i % 77;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    pipeline<<<1, 64>>>(in, rounds, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) errors += got[i] != host[i / 32 * 32 + 31 - i % 32] * 2;
    printf("errors %d\n", errors);
    return errors != 0;
}
