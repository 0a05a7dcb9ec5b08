// Kernels with launch bounds: the bounds by numbers, by constants, by a template argument and by a macro.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define THREADS_PER_BLOCK 256
#if defined(__HIP_DEVICE_COMPILE__)
#define MY_KERNEL_MIN_BLOCKS 4
#else
#define MY_KERNEL_MIN_BLOCKS 2
#endif

constexpr int kThreads = 128;

__global__ void __launch_bounds__(256, 4) relax(const int *__restrict__ in, int *__restrict__ out, int width, int height)
{
    const int x = blockIdx.x * 32 + threadIdx.x % 32;
    const int y = blockIdx.y * 8 + threadIdx.x / 32;
    if (x >= width || y >= height) return;
    const int left = in[y * width + (x + width - 1) % width], right = in[y * width + (x + 1) % width];
    const int up = in[(y + height - 1) % height * width + x], down = in[(y + 1) % height * width + x];
    out[y * width + x] = (left + right + up + down + 2 * in[y * width + x]) / 6;
}

__global__ __launch_bounds__(kThreads) void scale(int *data, int factor, int n)
{
    for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) data[i] *= factor;
}

template <int Threads, int MinBlocks>
__global__ void __launch_bounds__(Threads, MinBlocks) column_sums(const int *data, int *sums, int width, int height)
{
    __shared__ int part[Threads];
    int s = 0;
    for (int y = threadIdx.x; y < height; y += Threads) s += data[y * width + blockIdx.x];
    part[threadIdx.x] = s;
    __syncthreads();
    for (int k = Threads / 2; k > 0; k /= 2) {
        if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

__global__ void
__launch_bounds__(THREADS_PER_BLOCK, MY_KERNEL_MIN_BLOCKS)
clip(int *data, int low, int high, int n)
{
    const int i = blockIdx.x * THREADS_PER_BLOCK + threadIdx.x;
    if (i < n) data[i] = min(max(data[i], low), high);
}

#define CHECK(expression)                                                                    \
    do {                                                                                     \
        hipError_t code = (expression);                                                     \
        if (code != hipSuccess) {                                                           \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, hipGetErrorString(code)); \
            std::exit(EXIT_FAILURE);                                                         \
        }                                                                                    \
    } while (0)

int main()
{
    const int width = 200, height = 150, n = width * height, steps = 10;
    std::vector<int> grid(n), next(n), got(n), sums(width);
    for (int i = 0; i < n; ++i) grid[i] = (i * 7919) % 10007;

    int *a, *b, *s;
    CHECK(hipMalloc(&a, n * sizeof(int)));
    CHECK(hipMalloc(&b, n * sizeof(int)));
    CHECK(hipMalloc(&s, width * sizeof(int)));
    CHECK(hipMemcpy(a, grid.data(), n * sizeof(int), hipMemcpyHostToDevice));
    for (int step = 0; step < steps; ++step) {
        hipLaunchKernelGGL(relax, dim3((width + 31) / 32, (height + 7) / 8), dim3(256), 0, 0, a, b, width, height);
        std::swap(a, b);
    }
    hipLaunchKernelGGL(scale, dim3(16), dim3(kThreads), 0, 0, a, 3, n);
    hipLaunchKernelGGL(clip, dim3((n + THREADS_PER_BLOCK - 1) / THREADS_PER_BLOCK), dim3(THREADS_PER_BLOCK), 0, 0, a, 14000, 16000, n);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(column_sums<64, 8>), dim3(width), dim3(64), 0, 0, a, s, width, height);
    CHECK(hipGetLastError());
    CHECK(hipMemcpy(got.data(), a, n * sizeof(int), hipMemcpyDeviceToHost));
    CHECK(hipMemcpy(sums.data(), s, width * sizeof(int), hipMemcpyDeviceToHost));

    hipFuncAttributes attributes;
    CHECK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(relax)));
    const bool bounded = attributes.maxThreadsPerBlock >= 256;

    for (int step = 0; step < steps; ++step) {
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                next[y * width + x] = (grid[y * width + (x + width - 1) % width] + grid[y * width + (x + 1) % width] +
                                       grid[(y + height - 1) % height * width + x] + grid[(y + 1) % height * width + x] +
                                       2 * grid[y * width + x]) / 6;
        grid.swap(next);
    }
    int wrong = 0;
    std::vector<int> want(width);
    for (int i = 0; i < n; ++i) {
        const int v = grid[i] * 3;
        const int clipped = v < 14000 ? 14000 : v > 16000 ? 16000 : v;
        wrong += got[i] != clipped;
        want[i % width] += clipped;
    }
    for (int x = 0; x < width; ++x) wrong += sums[x] != want[x];
    std::printf("column 17: %d, blocks of 256 threads %s, wrong %d\n", sums[17], bounded ? "fit" : "do not fit", wrong);
    CHECK(hipFree(a));
    CHECK(hipFree(b));
    CHECK(hipFree(s));
    std::puts(wrong || !bounded ? "FAIL" : "PASS");
    return wrong || !bounded;
}
