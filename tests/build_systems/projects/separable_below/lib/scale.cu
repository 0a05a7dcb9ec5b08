#include <cuda_runtime.h>

#include "scale.h"

__device__ float factor(int i);

__global__ void scale_by_factor(float *values) {
    values[threadIdx.x] *= factor(threadIdx.x);
}

void scale(float *values, int count) {
    scale_by_factor<<<1, count>>>(values);
    cudaDeviceSynchronize();
}
