// Blocks of 32 x 6 threads: each row of the block works on one row of a matrix, with threadIdx.x as the lane.
#include <cmath>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void softmax_rows(const float *in, float *out, int rows, int cols) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    const float *x = in + row * cols;
    float largest = -INFINITY;
    for (int c = threadIdx.x; c < cols; c += 32) largest = fmaxf(largest, x[c]);
    for (int d = 16; d; d >>= 1) largest = fmaxf(largest, __shfl_xor_sync(0xffffffffu, largest, d));
    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += 32) sum += expf(x[c] - largest);
    for (int d = 16; d; d >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, d);
    for (int c = threadIdx.x; c < cols; c += 32) out[row * cols + c] = expf(x[c] - largest) / sum;
}

int main() {
    const int rows = 21, cols = 70;
    std::vector<float> in(rows * cols), out(rows * cols);
    for (int i = 0; i < rows * cols; ++i) in[i] = float((i * 31) % 17) * 0.25f - 2;
    float *d_in, *d_out;
    cudaMalloc(&d_in, in.size() * sizeof(float));
    cudaMalloc(&d_out, in.size() * sizeof(float));
    cudaMemcpy(d_in, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(32, 6);
    softmax_rows<<<(rows + block.y - 1) / block.y, block>>>(d_in, d_out, rows, cols);
    cudaMemcpy(out.data(), d_out, in.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int r = 0; r < rows; ++r) {
        double sum = 0, largest = -1e9;
        for (int c = 0; c < cols; ++c) largest = std::fmax(largest, in[r * cols + c]);
        for (int c = 0; c < cols; ++c) sum += std::exp(in[r * cols + c] - largest);
        for (int c = 0; c < cols; ++c)
            errors += !(std::fabs(out[r * cols + c] - std::exp(in[r * cols + c] - largest) / sum) < 1e-5);
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
