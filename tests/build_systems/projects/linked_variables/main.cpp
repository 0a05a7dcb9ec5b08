#include <cuda_runtime.h>

#include <cstdio>

void filled(double *values, int count, double value);
int scaled(double *values, int count, double factor);

int main() {
    const int count = 1000;
    double *values = nullptr, first = 0;
    cudaMalloc(&values, count * sizeof(double));
    filled(values, count, 2);
    int failed = scaled(values, count, 4);
    cudaMemcpy(&first, values, sizeof first, cudaMemcpyDeviceToHost);
    cudaFree(values);
    std::printf("%g\n", first);
    return failed;
}
