#include <cufft.h>

#include <cstdio>

#include "wave.h"

int main() {
  float* values = nullptr;
  cudaMalloc(&values, 1024 * sizeof(float));
  if (wave(values, 1024) != cudaSuccess) return 1;
  cufftHandle plan;
  cufftPlan1d(&plan, 1024, CUFFT_R2C, 1);
  cufftDestroy(plan);
  std::puts("done");
  return cudaFree(values) != cudaSuccess;
}
