#include <cstdio>

#include "scale.h"

int main() {
    float *values;
    cudaMallocManaged(&values, 1024 * sizeof(float));
    scale(values, 2.0f, 1024);
    std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(values);
    return 0;
}
