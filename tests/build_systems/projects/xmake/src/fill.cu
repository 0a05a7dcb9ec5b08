#include <cuda_runtime.h>

__global__ void fill_kernel(int* values) { values[threadIdx.x] = threadIdx.x; }

int main() {
  int* values = nullptr;
  cudaMalloc(&values, 64 * sizeof(int));
  fill_kernel<<<1, 64>>>(values);
  return cudaDeviceSynchronize() != cudaSuccess;
}
