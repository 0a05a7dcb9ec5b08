#include <cublas_v2.h>
#include <curand.h>
#include <smooth.h>

int main() {
  float *input = nullptr, *output = nullptr;
  cudaMalloc(&input, 4096);
  cudaMalloc(&output, 4096);
  curandGenerator_t generator;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandGenerateUniform(generator, input, 1024);
  cudaError_t status = smooth(input, output, 1024);
  cublasHandle_t handle;
  cublasCreate(&handle);
  float norm = 0;
  cublasSnrm2(handle, 1024, output, 1, &norm);
  cublasDestroy(handle);
  return status != cudaSuccess;
}
