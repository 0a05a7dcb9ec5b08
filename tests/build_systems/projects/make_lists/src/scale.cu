#include "scale.h"

__global__ void multiply(float *data, float by, int count)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < count) {
        data[index] *= by;
    }
}

extern "C" void scale(float *data, float by, int count)
{
    multiply<<<(count + 255) / 256, 256>>>(data, by, count);
}
