#pragma once
#include <cuda_runtime.h>

cudaError_t smooth(const float* input, float* output, int count);
