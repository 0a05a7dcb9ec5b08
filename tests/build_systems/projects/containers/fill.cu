#include <cuda_runtime.h>

__global__ void fill(int *values, int value) { values[threadIdx.x] = value; }

int main() {
    int *values;
    if (cudaMalloc(&values, 64 * sizeof(int)) != cudaSuccess) {
        return 1;
    }
    fill<<<1, 64>>>(values, 7);
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
