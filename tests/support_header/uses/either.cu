#include "hipify_support.hpp"

#define HAS_DOUBLES (HIPIFY_EITHER(__CUDA_ARCH__, (__HIP_DEVICE_COMPILE__ * 900)) >= 600)

__global__ void use(double* at, int* number) {
#if HAS_DOUBLES
    atomicAdd(at, 1.0);
#endif
    number[0] = HIPIFY_EITHER(CUDART_VERSION, HIP_VERSION);
}
