// Sums the softmax of each row with cuBLAS: every sum has to be 1.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include "softmax.cuh"

static void check(cudaError_t error) {
    if (error != cudaSuccess) {
        std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
        std::exit(1);
    }
}

static void check(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        std::fprintf(stderr, "cuBLAS: status %d\n", static_cast<int>(status));
        std::exit(1);
    }
}

int main() {
    const int rows = 1000, columns = 100;
    std::vector<float> host(rows * columns);
    for (size_t i = 0; i < host.size(); ++i) {
        host[i] = static_cast<float>(i % 17);
    }
    std::vector<float> ones(columns, 1.0f), sums(rows);

    float *matrix, *weights, *result;
    check(cudaMalloc(&matrix, host.size() * sizeof(float)));
    check(cudaMalloc(&weights, columns * sizeof(float)));
    check(cudaMalloc(&result, rows * sizeof(float)));
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));
    check(cudaMemcpyAsync(matrix, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice, stream));
    check(cudaMemcpyAsync(weights, ones.data(), columns * sizeof(float), cudaMemcpyHostToDevice, stream));
    check(softmax_rows(matrix, rows, columns, stream));

    cublasHandle_t blas;
    check(cublasCreate(&blas));
    check(cublasSetStream(blas, stream));
    check(cublasSetSmCountTarget(blas, 16));  // leave some for other programs
    const float one = 1, zero = 0;
    check(cublasSgemv(blas, CUBLAS_OP_T, columns, rows, &one, matrix, columns, weights, 1, &zero, result, 1));
    check(cudaMemcpyAsync(sums.data(), result, rows * sizeof(float), cudaMemcpyDeviceToHost, stream));
    check(cudaStreamSynchronize(stream));

    int wrong = 0;
    for (float sum : sums) {
        wrong += sum < 0.999f || sum > 1.001f;
    }
    std::printf("%d of %d sums are wrong\n", wrong, rows);
    check(cublasDestroy(blas));
    check(cudaStreamDestroy(stream));
    check(cudaFree(result));
    check(cudaFree(weights));
    check(cudaFree(matrix));
    return wrong != 0;
}
