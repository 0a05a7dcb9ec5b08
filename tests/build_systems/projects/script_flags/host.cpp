#include <cuda_runtime_api.h>

extern "C" void sum(const float *values, float *result, int count);

int main() {
    float *values = nullptr;
    if (cudaMalloc((void **)&values, 257 * sizeof(float)) != cudaSuccess) {
        return 1;
    }
    sum(values, values + 256, 256);
    return cudaFree(values) == cudaSuccess ? 0 : 1;
}
