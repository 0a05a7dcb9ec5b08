#include "scale.h"

__global__ void scale_kernel(float *values, float factor, int count) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < count) {
        values[index] *= factor;
    }
}

void scale(float *values, float factor, int count) {
    scale_kernel<<<(count + 255) / 256, 256>>>(values, factor, count);
}
