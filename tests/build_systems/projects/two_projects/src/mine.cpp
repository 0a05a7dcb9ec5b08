#include <cuda_runtime.h>

void scale_on_device(float *values, int count, float by);

void scale_all(float *values, int count) {
    float *copy = nullptr;
    cudaMalloc(&copy, count * sizeof(float));
    cudaMemcpy(copy, values, count * sizeof(float), cudaMemcpyHostToDevice);
    scale_on_device(copy, count, 2.0f);
    cudaMemcpy(values, copy, count * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(copy);
}
