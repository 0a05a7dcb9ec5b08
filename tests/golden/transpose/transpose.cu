// Out-of-place matrix transpose, naive and tiled, for several element types.

#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace gpu {

inline void verify(hipError_t code, const char *file, int line)
{
    if (code != hipSuccess) {
        std::fprintf(stderr, "%s(%d): CUDA error %d: %s\n", file, line,
                     static_cast<int>(code), hipGetErrorString(code));
        std::exit(EXIT_FAILURE);
    }
}
#define GPU_VERIFY(x) ::gpu::verify((x), __FILE__, __LINE__)

struct Deleter {
    void operator()(void *p) const { GPU_VERIFY(hipFree(p)); }
};

template<typename T>
using DevicePtr = std::unique_ptr<T[], Deleter>;

template<typename T>
DevicePtr<T> allocate(std::size_t count)
{
    T *raw = nullptr;
    GPU_VERIFY(hipMalloc(&raw, count * sizeof(T)));
    return DevicePtr<T>(raw);
}

template<typename T>
__global__ void transpose_naive(const T *in, T *out, int rows, int cols)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < cols && y < rows)
        out[static_cast<std::size_t>(x) * rows + y] = in[static_cast<std::size_t>(y) * cols + x];
}

// A block of TILE x ROWS_PER_STEP threads moves one TILE x TILE tile. The
// extra column keeps the column-wise reads free of bank conflicts.
constexpr int kRowsPerStep = 8;

template<typename T, int TILE>
__global__ void transpose_tiled(const T *__restrict__ in, T *__restrict__ out, int rows, int cols)
{
    __shared__ T tile[TILE][TILE + 1];

    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += kRowsPerStep)
        if (x < cols && y + j < rows)
            tile[threadIdx.y + j][threadIdx.x] = in[static_cast<std::size_t>(y + j) * cols + x];

    __syncthreads();

    // The tile's position is mirrored for the output.
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += kRowsPerStep)
        if (x < rows && y + j < cols)
            out[static_cast<std::size_t>(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

} // namespace gpu

template<typename T>
static bool matches(const std::vector<T> &in, const std::vector<T> &out, int rows, int cols)
{
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c)
            if (out[static_cast<std::size_t>(c) * rows + r] != in[static_cast<std::size_t>(r) * cols + c])
                return false;
    return true;
}

template<typename T, int TILE>
static bool run(const char *label, int rows, int cols)
{
    const std::size_t count = static_cast<std::size_t>(rows) * cols;
    std::vector<T> host(count), naive(count), tiled(count);
    for (std::size_t i = 0; i < count; ++i)
        host[i] = static_cast<T>((i * 2654435761u) % 251);

    auto d_in = gpu::allocate<T>(count);
    auto d_out = gpu::allocate<T>(count);
    GPU_VERIFY(hipMemcpy(d_in.get(), host.data(), count * sizeof(T), hipMemcpyHostToDevice));

    const dim3 plain_block(16, 16);
    const dim3 plain_grid((cols + 15) / 16, (rows + 15) / 16);
    hipLaunchKernelGGL(gpu::transpose_naive, plain_grid, plain_block, 0, 0, d_in.get(), d_out.get(), rows, cols);
    GPU_VERIFY(hipGetLastError());
    GPU_VERIFY(hipMemcpy(naive.data(), d_out.get(), count * sizeof(T), hipMemcpyDeviceToHost));

    GPU_VERIFY(hipMemset(d_out.get(), 0, count * sizeof(T)));
    const dim3 block(TILE, gpu::kRowsPerStep);
    const dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(gpu::transpose_tiled<T, TILE>), grid, block, 0, 0, d_in.get(), d_out.get(), rows, cols);
    GPU_VERIFY(hipGetLastError());
    GPU_VERIFY(hipMemcpy(tiled.data(), d_out.get(), count * sizeof(T), hipMemcpyDeviceToHost));

    // A position-weighted checksum, so that a misplaced element shows.
    unsigned long long sum = 0;
    for (std::size_t i = 0; i < count; ++i)
        sum += (i % 1009) * static_cast<unsigned long long>(tiled[i]);

    const bool ok_naive = matches(host, naive, rows, cols);
    const bool ok_tiled = matches(host, tiled, rows, cols);
    std::printf("%-7s tile %2d  %4d x %4d  checksum %llu  naive %s  tiled %s\n", label, TILE, rows,
                cols, sum, ok_naive ? "ok" : "WRONG", ok_tiled ? "ok" : "WRONG");
    return ok_naive && ok_tiled;
}

int main()
{
    bool ok = true;
    ok &= run<float, 32>("float", 1024, 1024);
    ok &= run<float, 16>("float", 1021, 769);
    ok &= run<double, 32>("double", 511, 1030);
    ok &= run<unsigned char, 32>("uchar", 64, 2000);
    ok &= run<int, 16>("int", 1, 333);
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
