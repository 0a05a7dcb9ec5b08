#include <cuda_runtime.h>

__global__ void scale(float *data, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) data[i] *= 2.0f;
}

int main()
{
    float *data = nullptr;
    cudaMalloc(&data, 1024 * sizeof(float));
    scale<<<4, 256>>>(data, 1024);
    cudaFree(data);
    return 0;
}
