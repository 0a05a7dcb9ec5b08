// The kernel is launched with runtime blocks from a helper that asks for the occupancy, through cudaLaunchKernel.
#include <cstdio>
#include <cuda_runtime.h>

#include <algorithm>
template <typename T> __global__ void reduce(const T *in, int n, T *out) {
    T v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += in[i];
#pragma unroll
    for (int d = warpSize >> 1; d >= 1; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d, warpSize);
    if ((threadIdx.x & (warpSize - 1)) == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / warpSize] = v;
}
int main() {
    int n = 500, block = 0, grid = 0, errors = 0;
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, reduce<double>, 0, 0);
    block = std::min(block, 96);
    grid = 2;
    double *in, *out, want = 0, got = 0;
    const int partials = (grid * block + 31) / 32;
    cudaMallocManaged(&in, n * sizeof(double));
    cudaMallocManaged(&out, partials * sizeof(double));
    for (int i = 0; i < n; ++i) want += in[i] = i % 23;
    void *arguments[] = {&in, &n, &out};
    cudaLaunchKernel(reduce<double>, dim3(grid), dim3(block), arguments, 0, 0);
    cudaDeviceSynchronize();
    for (int p = 0; p < partials; ++p) {
        double part = 0;
        for (int i = p * 32; i < n; i += grid * block) for (int l = i; l < i + 32 && l < n; ++l) part += in[l];
        errors += out[p] != part;
        got += out[p];
    }
    errors += got != want;
    printf("errors %d\n", errors);
    return errors != 0;
}
