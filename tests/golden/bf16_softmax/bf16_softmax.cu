// Row softmax over bfloat16 pairs: a warp a row, vector loads of pairs, float in between.
#include <hip/hip_bf16.h>
#include <hip/hip_runtime.h>

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_OK(call)                                                              \
  if (hipError_t status = (call); status != hipSuccess) {                        \
    std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(status));           \
    std::exit(1);                                                                  \
  }

template <typename Op>
__device__ __forceinline__ float warp_all_reduce(float v, Op op) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) v = op(v, __shfl_xor(v, offset, 32));
  return v;
}

struct MaxOp { __device__ float operator()(float a, float b) const { return fmaxf(a, b); } };
struct SumOp { __device__ float operator()(float a, float b) const { return a + b; } };

template <int PAIRS>
__global__ void softmax_rows(const __hip_bfloat162 *__restrict__ in, __hip_bfloat162 *__restrict__ out, int rows) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const __hip_bfloat162 *src = in + row * PAIRS * 32;
  __hip_bfloat162 *dst = out + row * PAIRS * 32;

  float2 x[PAIRS];
  float most = -FLT_MAX;
#pragma unroll
  for (int p = 0; p < PAIRS; ++p) {
    x[p] = __bfloat1622float2(src[p * 32 + threadIdx.x]);
    most = fmaxf(most, fmaxf(x[p].x, x[p].y));
  }
  most = warp_all_reduce(most, MaxOp());
  float sum = 0.f;
#pragma unroll
  for (int p = 0; p < PAIRS; ++p) {
    x[p].x = __expf(x[p].x - most);
    x[p].y = __expf(x[p].y - most);
    sum += x[p].x + x[p].y;
  }
  const float inverse = __fdividef(1.f, warp_all_reduce(sum, SumOp()));
#pragma unroll
  for (int p = 0; p < PAIRS; ++p)
    dst[p * 32 + threadIdx.x] = __halves2bfloat162(__float2bfloat16(x[p].x * inverse), __float2bfloat16(x[p].y * inverse));
}

// Residual and scale in bfloat16 itself: out = a * scale + b
__global__ void scale_add(const __hip_bfloat162 *a, const __hip_bfloat162 *b, __hip_bfloat162 *out, float scale, int pairs) {
  const __hip_bfloat162 s = __bfloat162bfloat162(__float2bfloat16(scale));
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs) out[i] = __hfma2(a[i], s, b[i]);
}

int main() {
  constexpr int kPairs = 3, kRows = 77, kCols = kPairs * 64, kCount = kRows * kCols;
  std::vector<__hip_bfloat16> in(kCount), out(kCount);
  std::vector<float> exact(kCount);
  for (int i = 0; i < kCount; ++i) {
    in[i] = __float2bfloat16(static_cast<float>((i * 37) % 101 - 50) * 0.125f);
    exact[i] = __bfloat162float(in[i]);
  }
  __hip_bfloat16 *d_in, *d_out;
  CUDA_OK(hipMalloc(&d_in, kCount * sizeof(__hip_bfloat16)));
  CUDA_OK(hipMalloc(&d_out, kCount * sizeof(__hip_bfloat16)));
  CUDA_OK(hipMemcpy(d_in, in.data(), kCount * sizeof(__hip_bfloat16), hipMemcpyHostToDevice));

  const dim3 block(32, 4);
  hipLaunchKernelGGL(softmax_rows<kPairs>, dim3((kRows + 3) / 4), block, 0, 0, reinterpret_cast<const __hip_bfloat162 *>(d_in),
                                                   reinterpret_cast<__hip_bfloat162 *>(d_out), kRows);
  CUDA_OK(hipGetLastError());
  CUDA_OK(hipMemcpy(out.data(), d_out, kCount * sizeof(__hip_bfloat16), hipMemcpyDeviceToHost));
  int far = 0, unnormalised = 0;
  for (int r = 0; r < kRows; ++r) {
    double sum = 0, most = -1e30, total = 0;
    for (int c = 0; c < kCols; ++c) most = std::fmax(most, exact[r * kCols + c]);
    for (int c = 0; c < kCols; ++c) sum += std::exp(exact[r * kCols + c] - most);
    for (int c = 0; c < kCols; ++c) {
      const double want = std::exp(exact[r * kCols + c] - most) / sum;
      const double got = __bfloat162float(out[r * kCols + c]);
      far += std::fabs(got - want) > 0.005 * want + 1e-12;
      total += got;
    }
    unnormalised += std::fabs(total - 1.0) > 0.01;
  }
  std::printf("softmax: %d rows, far off %d, not normalised %d\n", kRows, far, unnormalised);

  // whole and half numbers small enough for eight bits: exact
  for (int i = 0; i < kCount; ++i) in[i] = __float2bfloat16(static_cast<float>(i % 9 - 4));
  CUDA_OK(hipMemcpy(d_in, in.data(), kCount * sizeof(__hip_bfloat16), hipMemcpyHostToDevice));
  hipLaunchKernelGGL(scale_add, dim3(kCount / 2 / 64 + 1), dim3(64), 0, 0, (const __hip_bfloat162 *)d_in, (const __hip_bfloat162 *)d_in, (__hip_bfloat162 *)d_out, 2.5f, kCount / 2);
  CUDA_OK(hipGetLastError());
  CUDA_OK(hipMemcpy(out.data(), d_out, kCount * sizeof(__hip_bfloat16), hipMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) wrong += __bfloat162float(out[i]) != 3.5f * (i % 9 - 4);
  std::printf("scale and add: wrong %d\n", wrong);

  CUDA_OK(hipFree(d_in));
  CUDA_OK(hipFree(d_out));
  const bool pass = far + unnormalised + wrong == 0;
  std::puts(pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}
