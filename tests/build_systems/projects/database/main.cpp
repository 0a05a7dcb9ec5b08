#include <cuda_runtime.h>

#include "scale.h"

int main() {
    float *values = nullptr;
    if (cudaMalloc(reinterpret_cast<void **>(&values), 32 * sizeof(float)) != cudaSuccess) {
        return 1;
    }
    scale(values);
    return cudaFree(values) == cudaSuccess ? 0 : 1;
}
