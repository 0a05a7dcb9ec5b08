#include <cublas_v2.h>
#include <cuda.h>
#include <nvrtc.h>

int scaled(double *values, int count, double factor) {
    CUcontext context = nullptr;
    if (cuCtxGetCurrent(&context) != CUDA_SUCCESS)
        return 1;
    int major = 0, minor = 0;
    nvrtcVersion(&major, &minor);
    cublasHandle_t handle;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
        return 2;
    int failed = cublasDscal(handle, count, &factor, values, 1) != CUBLAS_STATUS_SUCCESS;
    cublasDestroy(handle);
    return failed ? 3 : major < 0;
}
