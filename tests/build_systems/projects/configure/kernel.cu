#include <cuda_runtime.h>

__global__ void scale_kernel(float *data, float by, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) data[i] *= by;
}

void scale(float *data, float by, int count)
{
    scale_kernel<<<(count + 255) / 256, 256>>>(data, by, count);
}
