// The first lane of each warp takes a lock for its warp: right wherever warps are scheduled apart.
#include <cstdio>
#include <cuda_runtime.h>
__device__ void enter(int *lock) {
    if (threadIdx.x % 32 == 0)
        while (atomicCAS(lock, 0, 1) != 0) __nanosleep(20);  // warned: HIP311
    __syncwarp();
    __threadfence();
}
__device__ void leave(int *lock) {
    __threadfence();
    __syncwarp();
    if (threadIdx.x % 32 == 0) atomicExch(lock, 0);
}
__global__ void add_rows(int *lock, volatile int *row, const int *in) {
    enter(lock);
    row[threadIdx.x % 32] = row[threadIdx.x % 32] + in[threadIdx.x];
    leave(lock);
}
int main() {
    const int n = 128;
    int *lock, *row, *in, errors = 0;
    cudaMallocManaged(&lock, sizeof(int));
    cudaMallocManaged(&row, 32 * sizeof(int));
    cudaMallocManaged(&in, n * sizeof(int));
    for (int i = 0; i < 32; ++i) row[i] = 0;
    *lock = 0;
    for (int i = 0; i < n; ++i) in[i] = i * i % 51;
    add_rows<<<1, n>>>(lock, row, in);
    cudaDeviceSynchronize();
    for (int l = 0; l < 32; ++l) errors += row[l] != in[l] + in[l + 32] + in[l + 64] + in[l + 96];
    printf("errors %d\n", errors);
    return errors != 0;
}
