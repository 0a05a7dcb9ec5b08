#include <cuda_runtime.h>

__global__ void fill(double *values, int count, double value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        values[i] = value;
}

void filled(double *values, int count, double value) {
    fill<<<(count + 255) / 256, 256>>>(values, count, value);
}
