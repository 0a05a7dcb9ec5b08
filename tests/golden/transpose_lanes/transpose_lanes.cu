// Transposes with 32x8 thread blocks, where threadIdx.x is the lane and threadIdx.y the warp.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <stdio.h>
#include <assert.h>
#include <stdlib.h>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

inline hipError_t checkCuda(hipError_t result)
{
  if (result != hipSuccess) {
    fprintf(stderr, "CUDA Runtime Error: %s\n", hipGetErrorString(result));
    assert(result == hipSuccess);
  }
  return result;
}

// Coalesced on both sides, padded against bank conflicts.
__global__ void transposeTile(float *odata, const float *idata, int width, int height)
{
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < height && y + j < width)
      odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

// A bit matrix: each warp votes on one row of 32 columns, bits become a word.
__global__ void packRows(unsigned *bits, const float *idata, int width)
{
  int lane = threadIdx.x;
  int row = blockIdx.y * BLOCK_ROWS + threadIdx.y;
  float v = idata[row * width + blockIdx.x * 32 + lane];
  unsigned word = hipify::warp32::ballot_sync(0xffffffff, v > 0.5f);
  if (lane == 0)
    bits[row * (width / 32) + blockIdx.x] = word;
}

// Row sums, lane == threadIdx.x; lane 0 broadcasts the sum, and the row is divided by it.
__global__ void normalise(float *data, int width)
{
  float *row = data + (blockIdx.x * blockDim.y + threadIdx.y) * width;
  float sum = 0.0f;
  for (int c = threadIdx.x; c < width; c += 32)
    sum += row[c];
  for (int d = 16; d; d >>= 1)
    sum += __shfl_down(sum, d, 32);
  sum = __shfl(sum, 0, 32);
  for (int c = threadIdx.x; c < width; c += 32)
    row[c] /= sum;
}

int main(void)
{
  const int width = 1024, height = 480;
  const int size = width * height;
  dim3 grid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM), block(TILE_DIM, BLOCK_ROWS, 1);

  float *h_in = (float *)malloc(size * sizeof(float)), *h_out = (float *)malloc(size * sizeof(float));
  unsigned *h_bits = (unsigned *)malloc(size / 32 * sizeof(unsigned));
  for (int i = 0; i < size; i++)
    h_in[i] = (float)((i * 73u) % 1000u + 1) / 1000.0f;

  float *d_in, *d_out;
  unsigned *d_bits;
  checkCuda(hipMalloc(&d_in, size * sizeof(float)));
  checkCuda(hipMalloc(&d_out, size * sizeof(float)));
  checkCuda(hipMalloc(&d_bits, size / 8));
  checkCuda(hipMemcpy(d_in, h_in, size * sizeof(float), hipMemcpyHostToDevice));

  int wrong = 0;
  hipLaunchKernelGGL(transposeTile, grid, block, 0, 0, d_out, d_in, width, height);
  checkCuda(hipGetLastError());
  checkCuda(hipMemcpy(h_out, d_out, size * sizeof(float), hipMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      wrong += h_out[x * height + y] != h_in[y * width + x];
  printf("transpose: wrong %d\n", wrong);

  hipLaunchKernelGGL(packRows, dim3(width / 32, height / BLOCK_ROWS), block, 0, 0, d_bits, d_in, width);
  checkCuda(hipGetLastError());
  checkCuda(hipMemcpy(h_bits, d_bits, size / 8, hipMemcpyDeviceToHost));
  int bad = 0, set = 0;
  for (int i = 0; i < size; i++) {
    unsigned bit = h_bits[i / 32] >> (i % 32) & 1u;
    bad += bit != (unsigned)(h_in[i] > 0.5f);
    set += bit;
  }
  printf("bits: set %d, word 5 %08x, wrong %d\n", set, h_bits[5], bad);
  wrong += bad;

  hipLaunchKernelGGL(normalise, dim3(height / BLOCK_ROWS), block, 0, 0, d_in, width);
  checkCuda(hipGetLastError());
  checkCuda(hipMemcpy(h_out, d_in, size * sizeof(float), hipMemcpyDeviceToHost));
  bad = 0;
  for (int y = 0; y < height; y++) {
    double sum = 0.0;
    for (int x = 0; x < width; x++)
      sum += h_in[y * width + x];
    for (int x = 0; x < width; x++) {
      double want = h_in[y * width + x] / sum;
      bad += fabs(h_out[y * width + x] - want) > 1e-5 * want;
    }
  }
  printf("normalise: wrong %d\n", bad);
  wrong += bad;

  checkCuda(hipFree(d_in));
  checkCuda(hipFree(d_out));
  checkCuda(hipFree(d_bits));
  free(h_in);
  free(h_out);
  free(h_bits);
  printf(wrong ? "FAIL\n" : "PASS\n");
  return wrong != 0;
}
