#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cufft.h>

int main()
{
    cublasHandle_t handle;
    float *x = nullptr, result = 0.0f;
    cudaMalloc(&x, 16 * sizeof(float));
    cublasCreate(&handle);
    cublasSdot(handle, 16, x, 1, x, 1, &result);
    cublasDestroy(handle);
    cufftHandle plan;
    cufftPlan1d(&plan, 16, CUFFT_R2C, 1);
    cufftDestroy(plan);
    return result > 0.0f;
}
