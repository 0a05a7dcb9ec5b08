#include <hip/hip_runtime.h>
#include "solver.cuh"

#include <algorithm>

namespace jacobi {
namespace {

constexpr int kBlockX = 32;
constexpr int kBlockY = 8;

__global__ void sweep(const float *__restrict__ from, float *__restrict__ to, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    const int at = y * width + x;
    const bool inner = x > 0 && y > 0 && x < width - 1 && y < height - 1;
    to[at] = inner ? average(from[at - width], from[at + width], from[at - 1], from[at + 1]) : from[at];
}

// Largest |a - b|. Differences are not negative, so their bits compare like
// integers and atomicMax will do.
__global__ void largest_change(const float *a, const float *b, int n, int *bits)
{
    __shared__ int block_bits;
    if (threadIdx.x == 0)
        block_bits = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicMax(&block_bits, __float_as_int(fabsf(a[i] - b[i])));
    __syncthreads();
    if (threadIdx.x == 0)
        atomicMax(bits, block_bits);
}

float measure_change(const float *a, const float *b, int n, int *d_bits, hipStream_t stream)
{
    union {
        int bits;
        float value;
    } result = {0};
    CUDA_HELPERS_CHECK(hipMemsetAsync(d_bits, 0, sizeof(int), stream));
    hipLaunchKernelGGL(largest_change, dim3(64), dim3(256), 0, stream, a, b, n, d_bits);
    CUDA_HELPERS_CHECK(hipGetLastError());
    CUDA_HELPERS_CHECK(hipMemcpyAsync(&result.bits, d_bits, sizeof(int), hipMemcpyDeviceToHost, stream));
    CUDA_HELPERS_CHECK(hipStreamSynchronize(stream));
    return result.value;
}

}  // namespace

Outcome solve_on_device(const Grid &grid, std::vector<float> &field, float tolerance, int max_sweeps,
                        int check_every, hipStream_t stream)
{
    cuda_helpers::DeviceArray<float> first(grid.points()), second(grid.points());
    cuda_helpers::DeviceArray<int> bits(1);
    CUDA_HELPERS_CHECK(hipMemcpyAsync(first.get(), field.data(), first.bytes(), hipMemcpyHostToDevice, stream));

    const dim3 block(kBlockX, kBlockY);
    const dim3 blocks((grid.width + kBlockX - 1) / kBlockX, (grid.height + kBlockY - 1) / kBlockY);
    float *now = first.get(), *next = second.get();
    Outcome outcome = {0, 0.0f};
    while (outcome.sweeps < max_sweeps) {
        hipLaunchKernelGGL(sweep, blocks, block, 0, stream, now, next, grid.width, grid.height);
        CUDA_HELPERS_CHECK(hipGetLastError());
        std::swap(now, next);
        ++outcome.sweeps;
        if (outcome.sweeps % check_every == 0) {
            outcome.change = measure_change(now, next, static_cast<int>(grid.points()), bits.get(), stream);
            if (outcome.change <= tolerance)
                break;
        }
    }

    CUDA_HELPERS_CHECK(hipMemcpyAsync(field.data(), now, first.bytes(), hipMemcpyDeviceToHost, stream));
    CUDA_HELPERS_CHECK(hipStreamSynchronize(stream));
    return outcome;
}

}  // namespace jacobi
