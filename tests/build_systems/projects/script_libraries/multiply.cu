#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>

int main() {
    cublasHandle_t blas;
    cufftHandle plan;
    curandGenerator_t generator;
    if (cublasCreate(&blas) != CUBLAS_STATUS_SUCCESS) {
        return 1;
    }
    cufftPlan1d(&plan, 256, CUFFT_C2C, 1);
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandDestroyGenerator(generator);
    cufftDestroy(plan);
    return cublasDestroy(blas) == CUBLAS_STATUS_SUCCESS ? 0 : 1;
}
