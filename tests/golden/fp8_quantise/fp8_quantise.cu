// Per-row quantisation to e4m3: the row's largest magnitude sets the scale, values are rounded, then read back.
#include <hip/hip_fp8.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#define HIPIFY_NEEDS_FP16
#include "hipify_support.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr float kLargest = 448.0f;  // of e4m3

static void verify(hipError_t status, int line)
{
    if (status == hipSuccess) return;
    std::fprintf(stderr, "line %d: %s\n", line, hipGetErrorString(status));
    std::exit(1);
}
#define VERIFY(x) verify((x), __LINE__)

__global__ void quantise(const float *in, hipify::fp8_e4m3 *out, float *scale, int cols)
{
    __shared__ float part[128];
    const float *row = in + blockIdx.x * cols;
    float most = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) most = fmaxf(most, fabsf(row[c]));
    part[threadIdx.x] = most;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k /= 2) {
        if (threadIdx.x < k) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + k]);
        __syncthreads();
    }
    const float s = part[0] > 0.0f ? part[0] / kLargest : 1.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x) out[blockIdx.x * cols + c] = hipify::fp8_e4m3(row[c] / s);
    if (threadIdx.x == 0) scale[blockIdx.x] = s;
}

__global__ void dequantise(const hipify::fp8_e4m3 *in, const float *scale, float *out, int cols)
{
    for (int c = threadIdx.x; c < cols; c += blockDim.x) {
        const int i = blockIdx.x * cols + c;
        out[i] = float(in[i]) * scale[blockIdx.x];
    }
}

// The C interface, pairs at a time, through halves
__global__ void round_trip_pairs(const float2 *in, float2 *out, int pairs)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pairs) return;
    const __hip_fp8x2_storage_t packed = hipify::cvt_float2_to_fp8x2(in[i], __HIP_SATFINITE, __HIP_E4M3);
    const __half2 wide = __half2(hipify::cvt_fp8x2_to_halfraw2(packed, __HIP_E4M3));
    out[i] = __half22float2(wide);
}

int main()
{
    const int rows = 40, cols = 600, n = rows * cols;
    std::vector<float> in(n), out(n), scale(rows), pairs(n);
    for (int i = 0; i < n; ++i) in[i] = std::sin(i * 0.37f) * std::pow(2.0f, float(i / cols % 9 - 4));

    float *d_in, *d_out, *d_scale;
    hipify::fp8_e4m3 *d_fp8;
    VERIFY(hipMalloc(&d_in, n * sizeof(float)));
    VERIFY(hipMalloc(&d_out, n * sizeof(float)));
    VERIFY(hipMalloc(&d_scale, rows * sizeof(float)));
    VERIFY(hipMalloc(&d_fp8, n * sizeof(hipify::fp8_e4m3)));
    VERIFY(hipMemcpy(d_in, in.data(), n * sizeof(float), hipMemcpyHostToDevice));
    hipLaunchKernelGGL(quantise, dim3(rows), dim3(128), 0, 0, d_in, d_fp8, d_scale, cols);
    hipLaunchKernelGGL(dequantise, dim3(rows), dim3(128), 0, 0, d_fp8, d_scale, d_out, cols);
    VERIFY(hipGetLastError());
    VERIFY(hipMemcpy(out.data(), d_out, n * sizeof(float), hipMemcpyDeviceToHost));
    VERIFY(hipMemcpy(scale.data(), d_scale, rows * sizeof(float), hipMemcpyDeviceToHost));

    int far = 0, wrong_scales = 0;
    for (int r = 0; r < rows; ++r) {
        float most = 0.0f;
        for (int c = 0; c < cols; ++c) most = std::fmax(most, std::fabs(in[r * cols + c]));
        wrong_scales += std::fabs(scale[r] - most / kLargest) > 1e-6f * most;
        for (int c = 0; c < cols; ++c) {
            const float want = in[r * cols + c], error = std::fabs(out[r * cols + c] - want);
            // three bits after the point: an eighth of a step down, and the subnormals' last place
            far += error > std::fabs(want) * 0.0626f + scale[r] * 0.00098f;
        }
    }
    std::printf("rows %d, scales wrong %d, far off %d\n", rows, wrong_scales, far);

    // eighths of powers of two come through unchanged, large values saturate
    for (int i = 0; i < n; ++i) in[i] = float(8 + i % 8) * 0.125f * (i % 3 ? 1.0f : -16.0f);
    in[0] = 1e6f;
    in[1] = -1e6f;
    VERIFY(hipMemcpy(d_in, in.data(), n * sizeof(float), hipMemcpyHostToDevice));
    hipLaunchKernelGGL(round_trip_pairs, dim3((n / 2 + 255) / 256), dim3(256), 0, 0, (const float2 *)d_in, (float2 *)d_out, n / 2);
    VERIFY(hipGetLastError());
    VERIFY(hipMemcpy(pairs.data(), d_out, n * sizeof(float), hipMemcpyDeviceToHost));
    int changed = 0;
    for (int i = 2; i < n; ++i) changed += pairs[i] != in[i];
    std::printf("saturated to %.0f and %.0f, changed %d\n", pairs[0], pairs[1], changed);

    VERIFY(hipFree(d_in));
    VERIFY(hipFree(d_out));
    VERIFY(hipFree(d_scale));
    VERIFY(hipFree(d_fp8));
    const bool ok = far == 0 && wrong_scales == 0 && changed == 0 && pairs[0] == kLargest && pairs[1] == -kLargest;
    std::puts(ok ? "PASS" : "FAIL");
    return !ok;
}
