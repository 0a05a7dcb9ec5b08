// The host asks the device for its warp size and derives grids, shared memory and sizes of results from it.
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>

#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { printf("failed: %s\n", cudaGetErrorString(e)); exit(2); } } while (0)

__global__ void row_min(const int *m, int rows, int cols, int *mins) {
    extern __shared__ int scratch[];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int row = blockIdx.x * (blockDim.x / 32) + warp;
    int least = 1 << 30;
    if (row < rows)
        for (int c = lane; c < cols; c += 32) least = min(least, m[row * cols + c]);
    for (int d = 16; d; d >>= 1) least = min(least, __shfl_xor_sync(0xffffffff, least, d));
    scratch[threadIdx.x] = least;
    __syncthreads();
    if (lane == 0 && row < rows) mins[row] = scratch[warp * 32];
}
__global__ void per_warp(const int *in, int n, int *sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? in[i] : 0;
    for (int d = warpSize / 2; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % warpSize == 0) sums[i / warpSize] = v;
}

int main() {
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, 0));
    int attr = 0;
    CHECK(cudaDeviceGetAttribute(&attr, cudaDevAttrWarpSize, 0));
    if (attr != prop.warpSize || prop.warpSize != 32) {
        printf("this program needs warps of 32 threads\n");
        return 3;
    }
    const int rows = 37, cols = 50, warps_per_block = 3;
    std::vector<int> m(rows * cols), mins(rows);
    for (int i = 0; i < rows * cols; ++i) m[i] = (i * 7919) % 10007;
    int *d_m, *d_mins, *d_sums, errors = 0;
    CHECK(cudaMalloc(&d_m, m.size() * sizeof(int)));
    CHECK(cudaMalloc(&d_mins, rows * sizeof(int)));
    CHECK(cudaMemcpy(d_m, m.data(), m.size() * sizeof(int), cudaMemcpyHostToDevice));
    const int threads = warps_per_block * prop.warpSize;
    row_min<<<(rows + warps_per_block - 1) / warps_per_block, threads, threads * sizeof(int)>>>(d_m, rows, cols, d_mins);
    CHECK(cudaMemcpy(mins.data(), d_mins, rows * sizeof(int), cudaMemcpyDeviceToHost));
    for (int r = 0; r < rows; ++r) {
        int want = 1 << 30;
        for (int c = 0; c < cols; ++c) want = m[r * cols + c] < want ? m[r * cols + c] : want;
        errors += mins[r] != want;
    }
    const int block = 2 * attr, n = 5 * block - 9, blocks = (n + block - 1) / block, sums_n = blocks * block / attr;
    std::vector<int> sums(sums_n);
    CHECK(cudaMalloc(&d_sums, sums_n * sizeof(int)));
    per_warp<<<blocks, block>>>(d_m, n, d_sums);
    CHECK(cudaMemcpy(sums.data(), d_sums, sums_n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int w = 0; w < sums_n; ++w) {
        int want = 0;
        for (int i = w * attr; i < (w + 1) * attr && i < n; ++i) want += m[i];
        errors += sums[w] != want;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
