// The warp size in all its roles: asked of the device, the built-in, a constant, a template argument.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define WARPSIZE 32
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))

static void require(hipError_t e)
{
    if (e != hipSuccess) {
        fprintf(stderr, "%s\n", hipGetErrorString(e));
        exit(1);
    }
}

__global__ void tell(int *size)
{
    if (threadIdx.x == 0) {
        *size = 32;
        printf("on the device: warps of %d lanes\n", 32);
    }
}

// A group of lanes per row; the group's width is a template argument.
template <int GROUP>
__global__ void row_max(const int *data, int *out, int rows, int cols)
{
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / GROUP;
    const int lane = threadIdx.x % GROUP;
    int m = -1;
    if (row < rows)
        for (int c = lane; c < cols; c += GROUP) m = max(m, data[row * cols + c]);
    for (int d = GROUP / 2; d > 0; d /= 2) m = max(m, __shfl_xor(m, d & 31, GROUP));
    if (row < rows && lane == 0) out[row] = m;
}

// Counts in shared memory, a counter for each warp of the block.
__global__ void per_warp_count(const int *data, int *out, int n)
{
    __shared__ int count[1024 / WARPSIZE];
    const int warp = threadIdx.x / 32, warps = DIV_UP(blockDim.x, 32);
    if (threadIdx.x < warps) count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        if (data[i] % 2) atomicAdd(&count[warp], 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        int all = 0;
        for (int w = 0; w < warps; ++w) all += count[w];
        *out = all;
    }
}

template <int GROUP>
static int check_rows(const int *d_data, int *d_out, const std::vector<int> &data, int rows, int cols)
{
    std::vector<int> out(rows);
    const int threads = 4 * WARPSIZE;
    hipLaunchKernelGGL(row_max<GROUP>, dim3(DIV_UP(rows * GROUP, threads)), dim3(threads), 0, 0, d_data, d_out, rows, cols);
    require(hipGetLastError());
    require(hipMemcpy(out.data(), d_out, rows * sizeof(int), hipMemcpyDeviceToHost));
    int wrong = 0;
    for (int r = 0; r < rows; ++r) {
        int m = -1;
        for (int c = 0; c < cols; ++c) m = data[r * cols + c] > m ? data[r * cols + c] : m;
        wrong += out[r] != m;
    }
    printf("rows by groups of %d: wrong %d\n", GROUP, wrong);
    return wrong;
}

int main()
{
    int device = 0, attribute = 0, told = 0;
    hipDeviceProp_t prop;
    require(hipGetDevice(&device));
    require(hipGetDeviceProperties(&prop, device));
    require(hipify::warp32::get_device_attribute(&attribute, hipDeviceAttributeWarpSize, device));

    const int rows = 333, cols = 77;
    std::vector<int> data(rows * cols);
    int odd = 0;
    for (size_t i = 0; i < data.size(); ++i) {
        data[i] = (int)(i * 31415u % 9973u);
        odd += data[i] % 2;
    }
    int *d_data, *d_out, *d_size;
    require(hipMalloc(&d_data, data.size() * sizeof(int)));
    require(hipMalloc(&d_out, rows * sizeof(int)));
    require(hipMalloc(&d_size, sizeof(int)));
    require(hipMemcpy(d_data, data.data(), data.size() * sizeof(int), hipMemcpyHostToDevice));

    fflush(stdout);
    hipLaunchKernelGGL(tell, dim3(1), dim3(32), 0, 0, d_size);
    require(hipDeviceSynchronize());
    require(hipMemcpy(&told, d_size, sizeof told, hipMemcpyDeviceToHost));
    const bool agree = told == 32 && told == attribute;
    printf("on the host: warps of %d lanes, %s\n", 32, agree ? "all agree" : "they differ");

    int wrong = check_rows<WARPSIZE>(d_data, d_out, data, rows, cols);
    wrong += check_rows<8>(d_data, d_out, data, rows, cols);
    wrong += check_rows<1>(d_data, d_out, data, rows, cols);

    int counted = 0;
    hipLaunchKernelGGL(per_warp_count, dim3(1), dim3(7 * 32), 0, 0, d_data, d_out, (int)data.size());
    require(hipGetLastError());
    require(hipMemcpy(&counted, d_out, sizeof counted, hipMemcpyDeviceToHost));
    printf("odd numbers: %d\n", counted);
    wrong += counted != odd;

    require(hipFree(d_data));
    require(hipFree(d_out));
    require(hipFree(d_size));
    puts(agree && wrong == 0 ? "PASS" : "FAIL");
    return !(agree && wrong == 0);
}
