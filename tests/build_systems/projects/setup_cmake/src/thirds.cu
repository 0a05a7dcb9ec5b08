#include <cuda_runtime.h>

__global__ void thirds_kernel(double* values, int count) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) values[index] /= 3;
}

extern "C" int thirds(double* values, int count) {
  thirds_kernel<<<(count + 127) / 128, 128>>>(values, count);
  return cudaDeviceSynchronize() != cudaSuccess;
}
