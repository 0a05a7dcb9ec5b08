// Blocks of 8x8, 16x6, 5x7 and 4x4x5 threads: the lane is that of the thread's number in the block.
#include <cstdio>
#include <cuda_runtime.h>

__device__ __forceinline__ int thread_number() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__global__ void count(const int *in, int *first, int *ranks) {
    const int t = thread_number(), lane = t & 31;
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    const int here = min(32, threads - (t - lane));
    const unsigned mask = here == 32 ? 0xffffffffu : (1u << here) - 1;
    const unsigned odd = __ballot_sync(mask, in[t] & 1);
    ranks[t] = __popc(odd & ((1u << lane) - 1));
    first[t] = __shfl_sync(mask, in[t], odd ? __ffs(odd) - 1 : 0);
}

int main() {
    int *in, *first, *ranks, errors = 0;
    cudaMallocManaged(&in, 1024 * sizeof(int));
    cudaMallocManaged(&first, 1024 * sizeof(int));
    cudaMallocManaged(&ranks, 1024 * sizeof(int));
    for (int i = 0; i < 1024; ++i) in[i] = (i * i + i / 3) % 90;
    const dim3 shapes[] = {dim3(8, 8), dim3(16, 6), dim3(5, 7), dim3(4, 4, 5), dim3(33), dim3(3, 33)};
    for (dim3 shape : shapes) {
        const int n = shape.x * shape.y * shape.z;
        count<<<1, shape>>>(in, first, ranks);
        cudaDeviceSynchronize();
        for (int t = 0, r = 0; t < n; ++t) {
            if (t % 32 == 0) r = 0;
            int f = t / 32 * 32;
            while (f < n && f < t / 32 * 32 + 32 && !(in[f] & 1)) ++f;
            if (f == n || f == t / 32 * 32 + 32) f = t / 32 * 32;
            errors += ranks[t] != r || first[t] != in[f];
            r += in[t] & 1;
        }
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
