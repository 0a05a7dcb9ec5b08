#include "sum.h"
__global__ void add(const float *values, int count, float *result) {
    for (int i = 0; i < count; ++i) *result += values[i];
}
cudaError_t sum(const float *values, int count, float *result) {
    float *device;
    cudaMalloc(&device, (count + 1) * sizeof(float));
    cudaMemcpy(device, values, count * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemset(device + count, 0, sizeof(float));
    add<<<1, 1>>>(device, count, device + count);
    return cudaMemcpy(result, device + count, sizeof(float), cudaMemcpyDeviceToHost);
}
