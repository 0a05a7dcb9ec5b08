// Packed half arithmetic in PTX: pairs converted with cvt.rn.f16x2.f32, computed with fma.rn.f16x2.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#define HIPIFY_NEEDS_FP16
#include "hipify_support.hpp"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

__device__ __forceinline__ uint32_t pack(float low, float high)
{
  uint32_t pair;
  pair = hipify::pack_f16x2(high, low);
  return pair;
}

__device__ __forceinline__ uint16_t half_bits(float x)
{
  uint16_t bits;
  bits = hipify::float_to_f16(x);
  return bits;
}

__device__ __forceinline__ float widen(uint16_t bits)
{
  float x;
  x = hipify::f16_to_float(bits);
  return x;
}

__device__ __forceinline__ float2 unpack(uint32_t pair)
{
  uint16_t low, high;
  do {
    const unsigned value = pair;
    low = static_cast<unsigned short>(value);
    high = static_cast<unsigned short>(value >> 16);
  } while (0);
  return make_float2(widen(low), widen(high));
}

__device__ __forceinline__ uint32_t fma2(uint32_t a, uint32_t b, uint32_t c)
{
  uint32_t d;
  d = hipify::fma_f16x2(a, b, c);
  return d;
}

__device__ __forceinline__ uint32_t add2(uint32_t a, uint32_t b)
{
  uint32_t d;
  d = hipify::add_f16x2(a, b);
  return d;
}

__device__ __forceinline__ uint32_t mul2(uint32_t a, uint32_t b)
{
  uint32_t d;
  d = hipify::mul_f16x2(a, b);
  return d;
}

// the same half twice
__device__ __forceinline__ uint32_t both(uint16_t h)
{
  uint32_t pair;
  pair = (static_cast<unsigned>(h) << 16) | h;
  return pair;
}

// y = scale * x + y, then (x + y) * x, two elements a thread
__global__ void axpy_pairs(const float2 *x, const float2 *y, float2 *z, float2 *w, float scale, int pairs)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs)
    return;
  const uint32_t a = both(half_bits(scale));
  const uint32_t px = pack(x[i].x, x[i].y), py = pack(y[i].x, y[i].y);
  z[i] = unpack(fma2(a, px, py));
  w[i] = unpack(mul2(add2(px, py), px));
}

__global__ void rounding(const float *x, uint16_t *bits, float *back, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    bits[i] = half_bits(x[i]);
    back[i] = __half2float(__ushort_as_half(bits[i]));
  }
}

// nearest multiple of the half's last place, ties to even
static float round_to_half(float x)
{
  int e;
  frexpf(x, &e);
  const float last = ldexpf(1.0f, (e < -13 ? -13 : e) - 11);
  return nearbyintf(x / last) * last;
}

static void stop_on(hipError_t e) { if (e != hipSuccess) { fputs(hipGetErrorString(e), stderr); exit(1); } }

int main()
{
  const int n = 4096;
  static float x[n], y[n], z[n], w[n], back[n];
  for (int i = 0; i < n; i++) {
    x[i] = (float)(i % 61 - 30) * 0.25f;  // all results fit a half exactly
    y[i] = (float)(i % 37) * 0.5f - 9.0f;
  }
  float *dx, *dy, *dz, *dw;
  uint16_t *dbits;
  stop_on(hipMalloc(&dx, sizeof x));
  stop_on(hipMalloc(&dy, sizeof y));
  stop_on(hipMalloc(&dz, sizeof z));
  stop_on(hipMalloc(&dw, sizeof w));
  stop_on(hipMalloc(&dbits, n * sizeof(uint16_t)));
  stop_on(hipMemcpy(dx, x, sizeof x, hipMemcpyHostToDevice));
  stop_on(hipMemcpy(dy, y, sizeof y, hipMemcpyHostToDevice));
  hipLaunchKernelGGL(axpy_pairs, dim3(n / 2 / 128), dim3(128), 0, 0, (float2 *)dx, (float2 *)dy, (float2 *)dz, (float2 *)dw, 3.5f, n / 2);
  stop_on(hipGetLastError());
  stop_on(hipMemcpy(z, dz, sizeof z, hipMemcpyDeviceToHost));
  stop_on(hipMemcpy(w, dw, sizeof w, hipMemcpyDeviceToHost));
  int wrong = 0;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    wrong += z[i] != 3.5f * x[i] + y[i];
    wrong += w[i] != (x[i] + y[i]) * x[i];
    sum += z[i] + w[i];
  }
  printf("pairs: sum %.3f, wrong %d\n", sum, wrong);

  for (int i = 0; i < n; i++)
    x[i] = ldexpf(1.0f + (float)(i * 7919 % 8192) / 8192.0f, i % 24 - 12) * (i % 2 ? -1.0f : 1.0f);
  stop_on(hipMemcpy(dx, x, sizeof x, hipMemcpyHostToDevice));
  hipLaunchKernelGGL(rounding, dim3(n / 128), dim3(128), 0, 0, dx, dbits, dy, n);
  stop_on(hipGetLastError());
  stop_on(hipMemcpy(back, dy, sizeof back, hipMemcpyDeviceToHost));
  int misrounded = 0;
  for (int i = 0; i < n; i++)
    misrounded += back[i] != round_to_half(x[i]);
  printf("roundings: wrong %d\n", misrounded);

  stop_on(hipFree(dx));
  stop_on(hipFree(dy));
  stop_on(hipFree(dz));
  stop_on(hipFree(dw));
  stop_on(hipFree(dbits));
  puts(wrong + misrounded ? "FAIL" : "PASS");
  return wrong + misrounded != 0;
}
