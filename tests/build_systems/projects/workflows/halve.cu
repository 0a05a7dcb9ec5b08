#include <cuda_runtime.h>

__global__ void halve(float *values) { values[threadIdx.x] *= 0.5f; }

int main() {
    float *values;
    if (cudaMalloc(&values, 64 * sizeof(float)) != cudaSuccess) {
        return 1;
    }
    halve<<<1, 64>>>(values);
    return cudaFree(values) == cudaSuccess ? 0 : 1;
}
