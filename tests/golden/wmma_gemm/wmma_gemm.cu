/* Tiled half-precision matrix product on tensor cores through nvcuda::wmma.
 * A and B are row-major, C is float; four warps per block, one 16x16 tile of C
 * per warp. */

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#include <rocwmma/rocwmma.hpp>

using namespace rocwmma;

const int TILE = 16;
const int WARP_SIZE = 32;
const int WARPS_PER_BLOCK = 4;

#define CHECK(expr)                                                             \
  {                                                                             \
    hipError_t status = (expr);                                                \
    if (status != hipSuccess) {                                                \
      printf("%s -> %s\n", #expr, hipGetErrorString(status));                  \
      return 1;                                                                 \
    }                                                                           \
  }

__global__ __launch_bounds__(WARPS_PER_BLOCK * WARP_SIZE)
void gemm_tiles(const half *a, const half *b, const float *c, float *d,
                int m, int n, int k, float alpha, float beta)
{
  const int warp = blockIdx.x * WARPS_PER_BLOCK + threadIdx.x / WARP_SIZE;
  const int tiles_n = n / TILE;
  const int row = (warp / tiles_n) * TILE;
  const int col = (warp % tiles_n) * TILE;
  if (row >= m)
    return;  // whole warps leave together

  rocwmma::fragment<rocwmma::matrix_a, TILE, TILE, TILE, half, rocwmma::row_major> fa;
  rocwmma::fragment<rocwmma::matrix_b, TILE, TILE, TILE, half, rocwmma::row_major> fb;
  rocwmma::fragment<rocwmma::accumulator, TILE, TILE, TILE, float> acc, old;

  rocwmma::fill_fragment(acc, 0.0f);
  for (int p = 0; p < k; p += TILE) {
    rocwmma::load_matrix_sync(fa, a + row * k + p, k);
    rocwmma::load_matrix_sync(fb, b + p * n + col, n);
    rocwmma::mma_sync(acc, fa, fb, acc);
  }

  rocwmma::load_matrix_sync(old, c + row * n + col, n, rocwmma::mem_row_major);
  for (int i = 0; i < acc.num_elements; ++i)
    acc.x[i] = alpha * acc.x[i] + beta * old.x[i];
  rocwmma::store_matrix_sync(d + row * n + col, acc, n, rocwmma::mem_row_major);
}

int main()
{
  const int m = 96, n = 80, k = 64;
  const float alpha = 0.5f, beta = 2.0f;
  std::vector<half> a(m * k), b(k * n);
  std::vector<float> c(m * n), d(m * n);
  for (int i = 0; i < m * k; ++i) a[i] = __float2half((float)(i * 11 % 13 - 6));
  for (int i = 0; i < k * n; ++i) b[i] = __float2half((float)(i * 5 % 9 - 4));
  for (int i = 0; i < m * n; ++i) c[i] = (float)(i % 21 - 10);

  half *da, *db;
  float *dc, *dd;
  CHECK(hipMalloc((void **)&da, a.size() * sizeof(half)));
  CHECK(hipMalloc((void **)&db, b.size() * sizeof(half)));
  CHECK(hipMalloc((void **)&dc, c.size() * sizeof(float)));
  CHECK(hipMalloc((void **)&dd, d.size() * sizeof(float)));
  CHECK(hipMemcpy(da, a.data(), a.size() * sizeof(half), hipMemcpyHostToDevice));
  CHECK(hipMemcpy(db, b.data(), b.size() * sizeof(half), hipMemcpyHostToDevice));
  CHECK(hipMemcpy(dc, c.data(), c.size() * sizeof(float), hipMemcpyHostToDevice));

  const int tiles = (m / TILE) * (n / TILE);
  const int blocks = (tiles + WARPS_PER_BLOCK - 1) / WARPS_PER_BLOCK;
  hipLaunchKernelGGL(gemm_tiles, dim3(blocks), dim3(WARPS_PER_BLOCK * WARP_SIZE), 0, 0, da, db, dc, dd, m, n, k, alpha, beta);
  CHECK(hipGetLastError());
  CHECK(hipMemcpy(d.data(), dd, d.size() * sizeof(float), hipMemcpyDeviceToHost));

  // Integers (and halves of them) throughout, so the results must be equal.
  int wrong = 0;
  double checksum = 0;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float s = 0;
      for (int p = 0; p < k; ++p)
        s += __half2float(a[i * k + p]) * __half2float(b[p * n + j]);
      if (d[i * n + j] != alpha * s + beta * c[i * n + j])
        ++wrong;
      checksum += d[i * n + j] * (1 + (i + j) % 3);
    }
  printf("m %d n %d k %d tiles %d\n", m, n, k, tiles);
  printf("checksum %.1f wrong %d\n", checksum, wrong);

  CHECK(hipFree(da));
  CHECK(hipFree(db));
  CHECK(hipFree(dc));
  CHECK(hipFree(dd));
  printf("%s\n", wrong ? "FAIL" : "PASS");
  return wrong ? 1 : 0;
}
