#include "point.h"

#include <cuda_runtime_api.h>

__global__ void fill(float *out, Point point) {
    out[threadIdx.x] = point.length2();
}

float filled(Point point) {
    float *out = nullptr, result = 0;
    cudaMalloc(&out, 64 * sizeof(float));
    fill<<<1, 64>>>(out, point);
    cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return result;
}
