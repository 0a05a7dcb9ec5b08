#include <cuda_runtime.h>

__global__ void halve_kernel(float* values, int count) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) values[index] *= 0.5f;
}

extern "C" int halve(float* values, int count) {
  halve_kernel<<<(count + 127) / 128, 128>>>(values, count);
  return cudaDeviceSynchronize() != cudaSuccess;
}
