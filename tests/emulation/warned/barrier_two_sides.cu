// The first warp loads what the others store, each with barriers of its own: a wavefront of 64 arrives for both branches.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void roles(const int *in, int *out, int rounds) {
    __shared__ int box[32];
    if (threadIdx.x < 32) {
        for (int r = 0; r < rounds; ++r) {
            box[threadIdx.x] = in[r * 32 + threadIdx.x];
            __syncthreads();
            __syncthreads();
        }
    } else {
        for (int r = 0; r < rounds; ++r) {
            __syncthreads();  // warned: HIP335
            out[r * 96 + threadIdx.x - 32] = box[threadIdx.x % 32] + 1;
            __syncthreads();
        }
    }
}
int main() {
    const int rounds = 4;
    int *in, *out, errors = 0;
    cudaMallocManaged(&in, rounds * 32 * sizeof(int));
    cudaMallocManaged(&out, rounds * 96 * sizeof(int));
    for (int i = 0; i < rounds * 32; ++i) in[i] = i * 5 % 31;
    roles<<<1, 128>>>(in, out, rounds);
    cudaDeviceSynchronize();
    for (int i = 0; i < rounds * 96; ++i) errors += out[i] != in[i / 96 * 32 + i % 96 % 32] + 1;
    printf("errors %d\n", errors);
    return errors != 0;
}
