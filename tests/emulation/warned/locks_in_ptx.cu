// Locks and turns whose memory operations are written in PTX.
#include <cstdio>
#include <cuda_runtime.h>
__device__ int exchange_at(int *at, int value) {
    int old;
    asm volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(old) : "l"(at), "r"(value) : "memory");
    return old;
}
__device__ bool try_lock(unsigned *at) {
    unsigned old;
    asm volatile("atom.acquire.gpu.global.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(at), "r"(0u), "r"(1u) : "memory");
    return old == 0;
}
__device__ void unlock(unsigned *at) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(at), "r"(0u) : "memory");
}
__global__ void in_kernel(int *lock, int *sum) {
    int old;
    do {  // warned: HIP311
        asm volatile("atom.global.cas.b32 %[old], [%[at]], 0, 1;" : [old] "=r"(old) : [at] "l"(lock) : "memory");
    } while (old != 0);
    *sum += 1;
    atomicExch(lock, 0);
}
__global__ void in_helpers(int *lock, int *sum) {
    while (exchange_at(lock, 1) != 0) {  // warned: HIP311
    }
    *sum += 1;
    exchange_at(lock, 0);
    for (;;) {  // warned: HIP311
        if (try_lock((unsigned *)lock)) break;
        __nanosleep(20);
    }
    *sum += 1;
    unlock((unsigned *)lock);
}
__global__ void turns(int *turn, int *sum) {
    const int i = threadIdx.x;
    int now;
    do {  // warned: HIP311
        asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(now) : "l"(turn) : "memory");
    } while (now != i);
    *sum += 1;
    asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(turn) : "memory");
}
int main() {
    int *data, got[5], errors = 0;
    cudaMalloc(&data, sizeof(got));
    cudaMemset(data, 0, sizeof(got));
    in_kernel<<<1, 64>>>(data, data + 1);
    in_helpers<<<1, 64>>>(data, data + 2);
    turns<<<1, 64>>>(data + 3, data + 4);
    cudaMemcpy(got, data, sizeof(got), cudaMemcpyDeviceToHost);
    errors += got[1] != 64 || got[2] != 128 || got[4] != 64;
    printf("errors %d\n", errors);
    return errors != 0;
}
