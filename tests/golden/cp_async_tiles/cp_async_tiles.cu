// Matrix product whose tiles come through cp.async, two stages deep.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define TILE 16

#define CP_ASYNC_16(dst, src) \
    hipify::copy_async<16>(hipify::shared_pointer<void>(dst), (const void*)(src))
#define CP_ASYNC_COMMIT() static_cast<void>(0)
#define CP_ASYNC_WAIT(n) static_cast<void>(0)

__device__ __forceinline__ void copy4(float* shared, const float* global)
{
#if 0 /* __CUDA_ARCH__ >= 800 */
    CP_ASYNC_16(static_cast<uint32_t>(hipify::shared_address(shared)), global);
#else
    *reinterpret_cast<float4*>(shared) = *reinterpret_cast<const float4*>(global);
#endif
}

__device__ __forceinline__ void commit()
{
#if defined(__HIP_DEVICE_COMPILE__)
    CP_ASYNC_COMMIT();
#endif
}

template <int Pending>
__device__ __forceinline__ void wait()
{
#if defined(__HIP_DEVICE_COMPILE__)
    CP_ASYNC_WAIT(Pending);
#endif
}

// c = a * b for row-major matrices whose sides are multiples of 16
__global__ void multiply(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int m, int n, int k)
{
    __shared__ __align__(16) float sa[2][TILE][TILE];
    __shared__ __align__(16) float sb[2][TILE][TILE];
    const int tx = threadIdx.x % TILE, ty = threadIdx.x / TILE;
    const int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE;
    const int tiles = k / TILE;

    // the first 64 threads bring a's tile, the next 64 bring b's, four floats each
    auto fetch = [&](int stage, int t) {
        const int half = threadIdx.x % 64, r = half / 4, q = half % 4 * 4;
        if (threadIdx.x < 64)
            copy4(&sa[stage][r][q], a + (row0 + r) * k + t * TILE + q);
        else if (threadIdx.x < 128)
            copy4(&sb[stage][r][q], b + (t * TILE + r) * n + col0 + q);
        commit();
    };

    float sum = 0.0f;
    fetch(0, 0);
    for (int t = 0; t < tiles; ++t) {
        if (t + 1 < tiles) {
            fetch((t + 1) & 1, t + 1);
            wait<1>();
        } else {
            wait<0>();
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TILE; ++i) sum += sa[t & 1][ty][i] * sb[t & 1][i][tx];
        __syncthreads();
    }
    c[(row0 + ty) * n + col0 + tx] = sum;
}

// Four bytes at a time, with cp.async.ca and wait_all: gathers every other element.
__global__ void gather_even(const int* in, int* out, int n)
{
    __shared__ int buffer[128];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned dst = (unsigned)hipify::shared_address(&buffer[threadIdx.x]);
    hipify::copy_async<4>(hipify::shared_pointer<void>(dst), (const void*)(in + 2 * i));
    static_cast<void>(0);
    __syncthreads();
    if (i < n) out[i] = buffer[blockDim.x - 1 - threadIdx.x];
}

static void check(hipError_t e, int line)
{
    if (e == hipSuccess) return;
    std::printf("line %d: %s\n", line, hipGetErrorString(e));
    std::exit(1);
}
#define CHECK(e) check(e, __LINE__)

int main()
{
    const int m = 96, n = 160, k = 208;
    std::vector<float> a(m * k), b(k * n), c(m * n);
    for (int i = 0; i < m * k; ++i) a[i] = float(i % 13 - 6);
    for (int i = 0; i < k * n; ++i) b[i] = float(i % 9 - 4) * 0.5f;
    float *da, *db, *dc;
    CHECK(hipMalloc(&da, a.size() * sizeof(float)));
    CHECK(hipMalloc(&db, b.size() * sizeof(float)));
    CHECK(hipMalloc(&dc, c.size() * sizeof(float)));
    CHECK(hipMemcpy(da, a.data(), a.size() * sizeof(float), hipMemcpyHostToDevice));
    CHECK(hipMemcpy(db, b.data(), b.size() * sizeof(float), hipMemcpyHostToDevice));
    hipLaunchKernelGGL(multiply, dim3(n / TILE, m / TILE), dim3(TILE * TILE), 0, 0, da, db, dc, m, n, k);
    CHECK(hipGetLastError());
    CHECK(hipMemcpy(c.data(), dc, c.size() * sizeof(float), hipMemcpyDeviceToHost));

    int wrong = 0;
    double trace = 0;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            float want = 0;
            for (int l = 0; l < k; ++l) want += a[i * k + l] * b[l * n + j];
            wrong += c[i * n + j] != want;  // halves of small whole numbers: exact
            trace += i == j ? want : 0.0f;
        }
    std::printf("product: trace %.1f, wrong %d\n", trace, wrong);

    const int count = 1024;
    std::vector<int> in(2 * count), out(count);
    for (int i = 0; i < 2 * count; ++i) in[i] = i * 3;
    int *d_in, *d_out;
    CHECK(hipMalloc(&d_in, in.size() * sizeof(int)));
    CHECK(hipMalloc(&d_out, out.size() * sizeof(int)));
    CHECK(hipMemcpy(d_in, in.data(), in.size() * sizeof(int), hipMemcpyHostToDevice));
    hipLaunchKernelGGL(gather_even, dim3(count / 128), dim3(128), 0, 0, d_in, d_out, count);
    CHECK(hipGetLastError());
    CHECK(hipMemcpy(out.data(), d_out, out.size() * sizeof(int), hipMemcpyDeviceToHost));
    int misplaced = 0;
    for (int i = 0; i < count; ++i) misplaced += out[i] != in[2 * (i / 128 * 128 + 127 - i % 128)];
    std::printf("gather: wrong %d\n", misplaced);

    for (void* p : {(void*)da, (void*)db, (void*)dc, (void*)d_in, (void*)d_out}) CHECK(hipFree(p));
    std::puts(wrong + misplaced ? "FAIL" : "PASS");
    return wrong + misplaced != 0;
}
