// y = A x in half precision: half2 products, fp32 or half2 accumulation, a warp for every row.
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <vector>

#define CHECK_CUDA(x) { hipError_t e_ = (x); if (e_ != hipSuccess) { \
    fprintf(stderr, "CUDA error %d (%s) at line %d\n", e_, hipGetErrorString(e_), __LINE__); exit(1); } }

__device__ __forceinline__ half2 warp_sum(half2 v)
{
    for (int offset = 16; offset > 0; offset >>= 1)
        v = __hadd2(v, __shfl_xor(v, offset, 32));
    return v;
}

__device__ __forceinline__ float warp_sum(float v)
{
    for (int offset = 16; offset > 0; offset >>= 1)
        v += __shfl_xor(v, offset, 32);
    return v;
}

__global__ void gemv_half2(const half *__restrict__ a, const half *__restrict__ x, half *__restrict__ y, int rows, int cols)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    const half2 *a2 = reinterpret_cast<const half2 *>(a + (size_t)row * cols);
    const half2 *x2 = reinterpret_cast<const half2 *>(x);
    half2 acc = __float2half2_rn(0.0f);
    for (int c = threadIdx.x; c < cols / 2; c += 32)
        acc = __hfma2(a2[c], x2[c], acc);
    acc = warp_sum(acc);
    if (threadIdx.x == 0)
        y[row] = __hadd(__low2half(acc), __high2half(acc));
}

// Eight halves a load through a union, sums in float.
union Pack { uint4 raw; half2 h2[4]; };

__global__ void gemv_float(const half *__restrict__ a, const half *__restrict__ x, float *__restrict__ y, int rows, int cols)
{
    const int row = blockIdx.x * blockDim.y + threadIdx.y;
    if (row >= rows) return;
    float acc = 0.0f;
    for (int c = threadIdx.x * 8; c < cols; c += 32 * 8) {
        Pack pa, px;
        pa.raw = __ldg(reinterpret_cast<const uint4 *>(a + (size_t)row * cols + c));
        px.raw = *reinterpret_cast<const uint4 *>(x + c);
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const float2 fa = __half22float2(pa.h2[k]), fx = __half22float2(px.h2[k]);
            acc += fa.x * fx.x + fa.y * fx.y;
        }
    }
    acc = warp_sum(acc);
    if (threadIdx.x == 0) y[row] = acc;
}

// Comparisons and selections on pairs: negative entries become their tenth.
__global__ void leaky(half2 *v, int pairs)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs) return;
    const half2 zero = __half2half2(__ushort_as_half(0)), slope = __floats2half2_rn(0.125f, 0.125f);
    const half2 positive = __hgt2(v[i], zero);                    // 1.0 or 0.0 in each half
    const half2 negative = __hsub2(__float2half2_rn(1.0f), positive);
    v[i] = __hadd2(__hmul2(positive, v[i]), __hmul2(negative, __hmul2(v[i], slope)));
    if (__hlt(__low2half(v[i]), __float2half(-100.0f))) v[i] = __lowhigh2highlow(v[i]);
}

int main()
{
    const int rows = 61, cols = 512;
    std::vector<half> a(rows * cols), x(cols), y(rows);
    std::vector<float> yf(rows), fa(rows * cols), fx(cols);
    for (int i = 0; i < rows * cols; i++) a[i] = __float2half(fa[i] = (float)((i * 11) % 7 - 3));
    for (int i = 0; i < cols; i++) x[i] = __float2half(fx[i] = (float)((i * 5) % 3 - 1));

    half *d_a, *d_x, *d_y;
    float *d_yf;
    CHECK_CUDA(hipMalloc(&d_a, a.size() * sizeof(half)));
    CHECK_CUDA(hipMalloc(&d_x, x.size() * sizeof(half)));
    CHECK_CUDA(hipMalloc(&d_y, y.size() * sizeof(half)));
    CHECK_CUDA(hipMalloc(&d_yf, yf.size() * sizeof(float)));
    CHECK_CUDA(hipMemcpy(d_a, a.data(), a.size() * sizeof(half), hipMemcpyHostToDevice));
    CHECK_CUDA(hipMemcpy(d_x, x.data(), x.size() * sizeof(half), hipMemcpyHostToDevice));
    dim3 block(32, 8), grid((rows + 7) / 8);
    hipLaunchKernelGGL(gemv_half2, grid, block, 0, 0, d_a, d_x, d_y, rows, cols);
    hipLaunchKernelGGL(gemv_float, grid, block, 0, 0, d_a, d_x, d_yf, rows, cols);
    CHECK_CUDA(hipGetLastError());
    CHECK_CUDA(hipMemcpy(y.data(), d_y, y.size() * sizeof(half), hipMemcpyDeviceToHost));
    CHECK_CUDA(hipMemcpy(yf.data(), d_yf, yf.size() * sizeof(float), hipMemcpyDeviceToHost));

    int wrong = 0;
    float total = 0;
    for (int r = 0; r < rows; r++) {
        float want = 0;  // whole numbers below 2048: exact in half, too
        for (int c = 0; c < cols; c++) want += fa[r * cols + c] * fx[c];
        wrong += __half2float(y[r]) != want;
        wrong += yf[r] != want;
        total += want;
    }
    printf("rows %d, total %.0f, wrong %d\n", rows, total, wrong);

    hipLaunchKernelGGL(leaky, dim3((rows * cols / 2 + 127) / 128), dim3(128), 0, 0, (half2 *)d_a, rows * cols / 2);
    CHECK_CUDA(hipGetLastError());
    CHECK_CUDA(hipMemcpy(a.data(), d_a, a.size() * sizeof(half), hipMemcpyDeviceToHost));
    int bad = 0;
    for (int i = 0; i < rows * cols; i++) bad += __half2float(a[i]) != (fa[i] > 0 ? fa[i] : fa[i] * 0.125f);
    printf("leaky: wrong %d\n", bad);

    CHECK_CUDA(hipFree(d_a));
    CHECK_CUDA(hipFree(d_x));
    CHECK_CUDA(hipFree(d_y));
    CHECK_CUDA(hipFree(d_yf));
    puts(wrong + bad ? "FAIL" : "PASS");
    return wrong + bad != 0;
}
