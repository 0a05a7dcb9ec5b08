#include <cuda_runtime.h>

__global__ void two_kernel(float *data, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) data[i] *= 2.0f;
}

void two(float *data, int count)
{
    two_kernel<<<(count + 255) / 256, 256>>>(data, count);
}

int main() { float *d; cudaMalloc(&d, 4096); two(d, 1024); return 0; }
