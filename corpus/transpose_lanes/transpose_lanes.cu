// Transposes with 32x8 thread blocks, where threadIdx.x is the lane and threadIdx.y the warp.
#include <stdio.h>
#include <assert.h>
#include <stdlib.h>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

inline cudaError_t checkCuda(cudaError_t result)
{
  if (result != cudaSuccess) {
    fprintf(stderr, "CUDA Runtime Error: %s\n", cudaGetErrorString(result));
    assert(result == cudaSuccess);
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
  unsigned word = __ballot_sync(0xffffffff, v > 0.5f);
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
    sum += __shfl_down_sync(0xffffffff, sum, d);
  sum = __shfl_sync(0xffffffff, sum, 0);
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
  checkCuda(cudaMalloc(&d_in, size * sizeof(float)));
  checkCuda(cudaMalloc(&d_out, size * sizeof(float)));
  checkCuda(cudaMalloc(&d_bits, size / 8));
  checkCuda(cudaMemcpy(d_in, h_in, size * sizeof(float), cudaMemcpyHostToDevice));

  int wrong = 0;
  transposeTile<<<grid, block>>>(d_out, d_in, width, height);
  checkCuda(cudaGetLastError());
  checkCuda(cudaMemcpy(h_out, d_out, size * sizeof(float), cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      wrong += h_out[x * height + y] != h_in[y * width + x];
  printf("transpose: wrong %d\n", wrong);

  packRows<<<dim3(width / 32, height / BLOCK_ROWS), block>>>(d_bits, d_in, width);
  checkCuda(cudaGetLastError());
  checkCuda(cudaMemcpy(h_bits, d_bits, size / 8, cudaMemcpyDeviceToHost));
  int bad = 0, set = 0;
  for (int i = 0; i < size; i++) {
    unsigned bit = h_bits[i / 32] >> (i % 32) & 1u;
    bad += bit != (unsigned)(h_in[i] > 0.5f);
    set += bit;
  }
  printf("bits: set %d, word 5 %08x, wrong %d\n", set, h_bits[5], bad);
  wrong += bad;

  normalise<<<height / BLOCK_ROWS, block>>>(d_in, width);
  checkCuda(cudaGetLastError());
  checkCuda(cudaMemcpy(h_out, d_in, size * sizeof(float), cudaMemcpyDeviceToHost));
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

  checkCuda(cudaFree(d_in));
  checkCuda(cudaFree(d_out));
  checkCuda(cudaFree(d_bits));
  free(h_in);
  free(h_out);
  free(h_bits);
  printf(wrong ? "FAIL\n" : "PASS\n");
  return wrong != 0;
}
