// Each thread waits for the flag of the thread before it, which may be a lane of the same warp.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void chain(volatile int *flags, int *values) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int before = 0;
    if (i > 0) {
        while (flags[i - 1] == 0) {  // warned: HIP311
        }
        __threadfence();
        before = ((volatile int *)values)[i - 1];
    }
    values[i] = before + i;
    __threadfence();
    flags[i] = 1;
}
int main() {
    const int n = 64;
    int *flags, *values, got[n], errors = 0;
    cudaMalloc(&flags, sizeof(got));
    cudaMalloc(&values, sizeof(got));
    cudaMemset(flags, 0, sizeof(got));
    chain<<<1, n>>>(flags, values);
    cudaMemcpy(got, values, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) errors += got[i] != i * (i + 1) / 2;
    printf("errors %d\n", errors);
    return errors != 0;
}
