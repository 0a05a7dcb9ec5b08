// Threads take turns by their own index, with no variable that holds it: the lanes after the one whose turn it is wait.
#include <cstdio>
#include <cuda/atomic>
#include <cuda_runtime.h>
__global__ void direct(volatile int *turn, int *sum) {
    while (*turn != threadIdx.x) {  // warned: HIP311
    }
    *sum += threadIdx.x;
    __threadfence();
    *turn = threadIdx.x + 1;
}
__global__ void of_grid(int *turn, int *sum) {
    do {  // warned: HIP311
        __nanosleep(20);
    } while (atomicAdd(turn, 0) != blockIdx.x * blockDim.x + threadIdx.x);
    *sum += threadIdx.x;
    __threadfence();
    atomicAdd(turn, 1);
}
__global__ void of_library(int *turn, int *sum) {
    cuda::atomic_ref<int, cuda::thread_scope_device> now(*turn);
    for (;;) {  // warned: HIP311
        if (now.load(cuda::memory_order_acquire) == threadIdx.x) break;
    }
    *sum += threadIdx.x;
    now.store(threadIdx.x + 1, cuda::memory_order_release);
}
template <typename T>
__device__ void enter(volatile T *turn) {
    while (*turn < threadIdx.x) {
    }
}
template <typename T>
__device__ void leave(volatile T *turn) {
    *turn = threadIdx.x + 1;
}
__global__ void of_helpers(int *turn, int *sum) {
    enter<int>(turn);  // warned: HIP311
    *sum += threadIdx.x;
    __threadfence();
    leave<int>(turn);
}
int main() {
    int *data, got[8], errors = 0;
    cudaMalloc(&data, sizeof(got));
    cudaMemset(data, 0, sizeof(got));
    direct<<<1, 64>>>(data, data + 1);
    of_grid<<<1, 64>>>(data + 2, data + 3);
    of_library<<<1, 64>>>(data + 4, data + 5);
    of_helpers<<<1, 64>>>(data + 6, data + 7);
    cudaMemcpy(got, data, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i += 2) errors += got[i] != 64 || got[i + 1] != 2016;
    printf("errors %d\n", errors);
    return errors != 0;
}
