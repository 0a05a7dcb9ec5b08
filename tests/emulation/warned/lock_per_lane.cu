// A lock that each lane takes for itself, and releases behind the loop: right with independent thread scheduling.
#include <cstdio>
#include <cuda_runtime.h>
struct Lock {
    int *state;
    __device__ void acquire() {
        while (atomicCAS(state, 0, 1) != 0) {  // warned: HIP311
        }
        __threadfence();
    }
    __device__ void release() {
        __threadfence();
        atomicExch(state, 0);
    }
};
__global__ void append(Lock lock, int *count, int *list) {
    lock.acquire();
    int at = *(volatile int *)count;
    list[at] = threadIdx.x;
    *(volatile int *)count = at + 1;
    lock.release();
}
int main() {
    int *state, *count, *list, got, values[64], errors = 0, seen[64] = {};
    cudaMalloc(&state, 4);
    cudaMalloc(&count, 4);
    cudaMalloc(&list, 256);
    cudaMemset(state, 0, 4);
    cudaMemset(count, 0, 4);
    append<<<1, 64>>>(Lock{state}, count, list);
    cudaMemcpy(&got, count, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(values, list, 256, cudaMemcpyDeviceToHost);
    errors += got != 64;
    for (int v : values) ++seen[v & 63];
    for (int s : seen) errors += s != 1;
    printf("errors %d\n", errors);
    return errors != 0;
}
