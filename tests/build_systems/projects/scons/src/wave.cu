#include "wave.h"

__global__ void wave_kernel(float* values, int count) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) values[index] = sinf(0.1f * index);
}

cudaError_t wave(float* values, int count) {
  wave_kernel<<<(count + 63) / 64, 64>>>(values, count);
  return cudaDeviceSynchronize();
}
