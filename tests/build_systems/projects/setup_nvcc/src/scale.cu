#include <cublas_v2.h>
#include <cuda_runtime.h>

#include "scale.h"

__global__ void scale_kernel(float* values, float factor, int count) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) values[index] *= factor;
}

int scale(float* values, float factor, int count) {
  float* device = nullptr;
  if (cudaMalloc(&device, count * sizeof(float)) != cudaSuccess) return 1;
  cudaMemcpy(device, values, count * sizeof(float), cudaMemcpyHostToDevice);
  scale_kernel<<<(count + 255) / 256, 256>>>(device, factor, count);
  cudaMemcpy(values, device, count * sizeof(float), cudaMemcpyDeviceToHost);
  return cudaFree(device) != cudaSuccess;
}

int sum(const float* values, int count, float* result) {
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
  cublasStatus_t status = cublasSasum(handle, count, values, 1, result);
  cublasDestroy(handle);
  return status != CUBLAS_STATUS_SUCCESS;
}
