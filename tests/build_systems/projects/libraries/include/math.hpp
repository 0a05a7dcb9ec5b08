#pragma once
#include <cublas_v2.h>
#include <cuda_runtime.h>

void scale(float *data, int count);
cublasStatus_t create(cublasHandle_t *handle);
