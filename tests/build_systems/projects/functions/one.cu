#include <cuda_runtime.h>

__global__ void one_kernel(float *data, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) data[i] *= 2.0f;
}

void one(float *data, int count)
{
    one_kernel<<<(count + 255) / 256, 256>>>(data, count);
}

int main() { float *d; cudaMalloc(&d, 4096); one(d, 1024); return 0; }
