// Extended lambdas: a parallel_for and a reduction that take __device__ and __host__ __device__ lambdas.
#include <hip/hip_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#ifndef __HIPCC__
#error "compile with --expt-extended-lambda"
#endif

#define LAMBDA [=] __device__
#define HD_LAMBDA [=] __host__ __device__

template <typename F>
__global__ void for_each_index(int n, F f)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

template <typename F>
void parallel_for(int n, F &&f, hipStream_t stream = 0)
{
    const int threads = 128;
    hipLaunchKernelGGL(for_each_index, dim3((n + threads - 1) / threads), dim3(threads), 0, stream, n, f);
    if (hipPeekAtLastError() != hipSuccess) {
        std::fprintf(stderr, "launch: %s\n", hipGetErrorString(hipGetLastError()));
        std::abort();
    }
}

template <typename F, typename T>
__global__ void reduce_kernel(int n, F f, T *result)
{
    __shared__ T part[256];
    T mine = T();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += f(i);
    part[threadIdx.x] = mine;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(result, part[0]);
}

template <typename T, typename F>
T parallel_sum(int n, F f)
{
    T *device, host = T();
    hipMalloc(&device, sizeof(T));
    hipMemset(device, 0, sizeof(T));
    hipLaunchKernelGGL(reduce_kernel, dim3(32), dim3(256), 0, 0, n, f, device);
    hipMemcpy(&host, device, sizeof(T), hipMemcpyDeviceToHost);
    hipFree(device);
    return host;
}

template <typename F>
constexpr bool runs_on_device = __nv_is_extended_device_lambda_closure_type(F) || __nv_is_extended_host_device_lambda_closure_type(F);

struct Grid {
    int width, height;
    float *cells;

    // *this is captured by value, so that the kernel does not see the host's object
    void fill(float step)
    {
        parallel_for(width * height, [=, *this] __device__(int i) { cells[i] = (i % width) * step + (i / width); });
    }

    double total() const
    {
        const float *p = cells;
        return parallel_sum<double>(width * height, [p] __device__(int i) { return (double)p[i]; });
    }
};

int main()
{
    const int n = 12345;
    int wrong = 0;
    int *d_squares;
    hipMalloc(&d_squares, n * sizeof(int));
    const int offset = 17;
    parallel_for(n, LAMBDA(int i) { d_squares[i] = i * i % 1000 + offset; });

    auto weigh = HD_LAMBDA(int v) -> int { return v % 3 == 0 ? v : -v; };
    static_assert(runs_on_device<decltype(weigh)>, "an extended lambda");
    const int *squares = d_squares;
    const int sum = parallel_sum<int>(n, [=] __device__(int i) { return weigh(squares[i]); });
    int want = 0;
    for (int i = 0; i < n; ++i) want += weigh(i * i % 1000 + offset);
    std::printf("weighed sum %d\n", sum);
    wrong += sum != want;

    std::vector<int> squares_back(n);
    hipMemcpy(squares_back.data(), d_squares, n * sizeof(int), hipMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) wrong += squares_back[i] != i * i % 1000 + offset;

    Grid grid{64, 50, nullptr};
    hipMalloc(&grid.cells, grid.width * grid.height * sizeof(float));
    grid.fill(0.5f);
    const double total = grid.total();
    double want_total = 0;
    for (int i = 0; i < grid.width * grid.height; ++i) want_total += (i % grid.width) * 0.5 + i / grid.width;
    std::printf("grid total %.1f\n", total);
    wrong += total != want_total;

    hipFree(d_squares);
    hipFree(grid.cells);
    if (hipGetLastError() != hipSuccess) wrong = 1;
    std::puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
