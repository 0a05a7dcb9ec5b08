// Sliced ELLPACK: the host lays out slices of 32 rows, the kernel counts rows of a slice in warpSize and votes early.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

constexpr int kSlice = 32;

__global__ void sell_spmv(int rows, const int *slice_start, const int *slice_width, const int *col, const float *val,
                          const float *x, float *y, int *longest) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int slice = row / warpSize, lane = row % warpSize;
    float sum = 0;
    int used = 0;
    for (int k = 0; k < slice_width[slice]; ++k) {
        int at = slice_start[slice] + k * warpSize + lane;
        bool real = row < rows && col[at] >= 0;
        if (!__any_sync(0xffffffff, real)) break;
        if (real) {
            sum += val[at] * x[col[at]];
            ++used;
        }
    }
    for (int d = warpSize / 2; d > 0; d >>= 1) used = max(used, __shfl_xor_sync(0xffffffff, used, d));
    if (row < rows) y[row] = sum;
    if (lane == 0) longest[slice] = used;
}

int main() {
    const int rows = 120, slices = (rows + kSlice - 1) / kSlice;
    std::vector<int> start, width, col;
    std::vector<float> val, x(rows), want(rows), y(rows);
    std::vector<int> longest(slices), got(slices);
    for (int i = 0; i < rows; ++i) x[i] = i % 9 - 4;
    for (int s = 0; s < slices; ++s) {
        int w = 2 + s * 3;
        start.push_back((int)col.size());
        width.push_back(w + 1);
        for (int k = 0; k <= w; ++k)
            for (int l = 0; l < kSlice; ++l) {
                int row = s * kSlice + l;
                bool real = row < rows && k < (row * 5) % (w + 1);
                col.push_back(real ? (row + k * 11) % rows : -1);
                val.push_back(real ? k + 1 : 0);
                if (real) {
                    want[row] += (k + 1) * x[(row + k * 11) % rows];
                    longest[s] = k + 1 > longest[s] ? k + 1 : longest[s];
                }
            }
    }
    int *d_s, *d_w, *d_c, *d_l;
    float *d_v, *d_x, *d_y;
    cudaMalloc(&d_s, slices * 4);
    cudaMalloc(&d_w, slices * 4);
    cudaMalloc(&d_l, slices * 4);
    cudaMalloc(&d_c, col.size() * 4);
    cudaMalloc(&d_v, val.size() * 4);
    cudaMalloc(&d_x, rows * 4);
    cudaMalloc(&d_y, rows * 4);
    cudaMemcpy(d_s, start.data(), slices * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(d_w, width.data(), slices * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(d_c, col.data(), col.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(d_v, val.data(), val.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x.data(), rows * 4, cudaMemcpyHostToDevice);
    sell_spmv<<<1, slices * kSlice>>>(rows, d_s, d_w, d_c, d_v, d_x, d_y, d_l);
    cudaMemcpy(y.data(), d_y, rows * 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(got.data(), d_l, slices * 4, cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int r = 0; r < rows; ++r) errors += y[r] != want[r];
    for (int s = 0; s < slices; ++s) errors += got[s] != longest[s];
    printf("errors %d\n", errors);
    return errors != 0;
}
