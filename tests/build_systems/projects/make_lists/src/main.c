#include <cublas_v2.h>
#include <cuda_runtime.h>

#include "scale.h"

int main(void)
{
    cublasHandle_t handle;
    float *data = 0;
    cublasCreate(&handle);
    cudaMalloc((void **)&data, 1024 * sizeof(float));
    scale(data, 2.0f, 1024);
    cudaFree(data);
    cublasDestroy(handle);
    return 0;
}
