#include <cuda_runtime.h>

void scale(float *data, int count);

int main()
{
    float *data = nullptr;
    cudaMalloc(&data, 1024 * sizeof(float));
    scale(data, 1024);
    cudaDeviceSynchronize();
    return cudaFree(data) == cudaSuccess ? 0 : 1;
}
