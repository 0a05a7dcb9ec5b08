// The k largest of each row: every lane keeps its own best, the warp takes the largest k times, and the owner moves on.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <cuda_runtime.h>

template <int K, int kThreadsPerRow = 32>
__global__ void top_k(const float *x, int cols, float *values, int *columns) {
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    const int lane = threadIdx.x;
    static_assert(kThreadsPerRow <= 32, "a row is a warp at most");
    unsigned used = 0;
    for (int k = 0; k < K; ++k) {
        float best = -1e30f;
        int col = -1, slot = -1;
        for (int c = lane, s = 0; c < cols; c += kThreadsPerRow, ++s)
            if (!(used >> s & 1) && x[row * cols + c] > best) best = x[row * cols + c], col = c, slot = s;
        const float mine = best;
        const int my_col = col;
#pragma unroll
        for (int mask = kThreadsPerRow / 2; mask > 0; mask /= 2) {
            const float other = __shfl_xor_sync(0xFFFFFFFF, best, mask, kThreadsPerRow);
            const int other_col = __shfl_xor_sync(0xFFFFFFFF, col, mask, kThreadsPerRow);
            if (other > best || (other == best && other_col < col)) best = other, col = other_col;
        }
        if (mine == best && my_col == col) used |= 1u << slot;
        if (lane == k % kThreadsPerRow) {
            values[row * K + k] = best;
            columns[row * K + k] = col;
        }
    }
}

template <int K, int T>
int run(int rows_per_block) {
    const int rows = 6, cols = 77;
    float x[rows * cols], v[rows * K], *d_x, *d_v;
    int c[rows * K], *d_c, errors = 0;
    for (int i = 0; i < rows * cols; ++i) x[i] = (i * 61) % 997;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_v, sizeof(v));
    cudaMalloc(&d_c, sizeof(c));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    top_k<K, T><<<rows / rows_per_block, dim3(T, rows_per_block)>>>(d_x, cols, d_v, d_c);
    cudaMemcpy(v, d_v, sizeof(v), cudaMemcpyDeviceToHost);
    cudaMemcpy(c, d_c, sizeof(c), cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < K; ++k) errors += c[r * K + k] < 0 || x[r * cols + c[r * K + k]] != v[r * K + k];
        std::sort(x + r * cols, x + (r + 1) * cols, std::greater<float>());
        for (int k = 0; k < K; ++k) errors += v[r * K + k] != x[r * cols + k];
    }
    return errors;
}

int main() {
    int errors = run<5, 32>(3) + run<3, 32>(1) + run<2, 16>(2);
    printf("errors %d\n", errors);
    return errors != 0;
}
