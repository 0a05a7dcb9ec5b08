#include "softmax.cuh"
#include "warp.cuh"

constexpr int ROWS_PER_BLOCK = 4;

// A warp takes one row.
__global__ void softmax_kernel(float *matrix, int rows, int columns) {
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * ROWS_PER_BLOCK + threadIdx.x / 32;
    if (row >= rows) {
        return;
    }
    float *data = matrix + static_cast<size_t>(row) * columns;

    float largest = -INFINITY;
    for (int i = lane; i < columns; i += 32) {
        largest = fmaxf(largest, data[i]);
    }
    largest = warp_max(largest);

    float sum = 0;
    for (int i = lane; i < columns; i += 32) {
        data[i] = __expf(data[i] - largest);
        sum += data[i];
    }
    sum = warp_sum(sum);

    for (int i = lane; i < columns; i += 32) {
        data[i] /= sum;
    }
}

cudaError_t softmax_rows(float *matrix, int rows, int columns, cudaStream_t stream) {
    const int blocks = (rows + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK;
    softmax_kernel<<<blocks, 32 * ROWS_PER_BLOCK, 0, stream>>>(matrix, rows, columns);
    return cudaGetLastError();
}
