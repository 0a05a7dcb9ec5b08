#include "square.h"
__global__ void squares(float *values, int count) {
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) values[at] = square(values[at]);
}
int sum_of_squares(const float *values, int count, float *result) {
    float *device;
    float host[64];
    if (cudaMalloc(&device, count * sizeof(float)) != cudaSuccess) return 1;
    cudaMemcpy(device, values, count * sizeof(float), cudaMemcpyHostToDevice);
    squares<<<1, 64>>>(device, count);
    cudaMemcpy(host, device, count * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(device);
    *result = 0;
    for (int i = 0; i < count; ++i) *result += host[i];
    return 0;
}
