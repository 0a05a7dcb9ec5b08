#include "run.h"

extern __device__ float twice(float value);

__global__ void all(float *data, int count)
{
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < count) {
        data[index] = twice(data[index]);
    }
}

int run(int count)
{
    float *data = nullptr;
    if (cudaMalloc(&data, count * sizeof(float)) != cudaSuccess) {
        return 1;
    }
    all<<<(count + 63) / 64, 64>>>(data, count);
    return cudaFree(data) != cudaSuccess;
}
