// The kernel counts in warpSize; the host knows that a block of 256 threads has 8 warps, a row each.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void row_sums(const int *m, int rows, int cols, int *sums) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
    int lane = threadIdx.x % warpSize;
    if (row >= rows) return;
    int s = 0;
    for (int c = lane; c < cols; c += warpSize) s += m[row * cols + c];
    for (int d = warpSize / 2; d > 0; d /= 2) s += __shfl_down_sync(__activemask(), s, d);
    if (lane == 0) sums[row] = s;
}

int main() {
    const int rows = 21, cols = 70;
    static int m[rows * cols], sums[rows], *d_m, *d_s;
    for (int i = 0; i < rows * cols; ++i) m[i] = (i * 31) % 77;
    cudaMalloc(&d_m, sizeof(m));
    cudaMalloc(&d_s, sizeof(sums));
    cudaMemcpy(d_m, m, sizeof(m), cudaMemcpyHostToDevice);
    row_sums<<<(rows + 7) / 8, 256>>>(d_m, rows, cols, d_s);
    cudaMemcpy(sums, d_s, sizeof(sums), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int r = 0; r < rows; ++r) {
        int want = 0;
        for (int c = 0; c < cols; ++c) want += m[r * cols + c];
        errors += sums[r] != want;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
