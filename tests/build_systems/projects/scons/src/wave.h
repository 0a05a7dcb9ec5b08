#pragma once
#include <cuda_runtime.h>

cudaError_t wave(float* values, int count);
