/* Conway's game of life on a torus, two pitched buffers in turn. */
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

typedef unsigned char uchar;

static int g_errors = 0;

static bool cuda_ok(hipError_t result, const char * expr, int line)
{
  if (result == hipSuccess)
    return true;
  ++g_errors;
  fprintf(stderr, "game_of_life.cu:%d: %s\n    %s: %s\n", line, expr,
          hipGetErrorName(result), hipGetErrorString(result));
  return false;
}
#define OK(expr) cuda_ok((expr), #expr, __LINE__)

__global__ void evolve(const uchar * now, uchar * next, size_t pitch, int w, int h)
{
  int x = threadIdx.x + blockDim.x * blockIdx.x;
  int y = threadIdx.y + blockDim.y * blockIdx.y;
  if (x >= w || y >= h) return;

  int neighbours = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx != 0 || dy != 0)
        neighbours += now[((y + dy + h) % h) * pitch + (x + dx + w) % w];

  uchar alive = now[y * pitch + x];
  next[y * pitch + x] = (neighbours == 3 || (alive && neighbours == 2)) ? 1 : 0;
}

__global__ void population(const uchar * cells, size_t pitch, int w, int h, unsigned * count)
{
  __shared__ unsigned block_count;
  if (threadIdx.x == 0) block_count = 0;
  __syncthreads();

  unsigned mine = 0;
  for (int x = threadIdx.x; x < w; x += blockDim.x)
    mine += cells[blockIdx.x * pitch + x];
  atomicAdd(&block_count, mine);
  __syncthreads();

  if (threadIdx.x == 0 && (int)blockIdx.x < h) atomicAdd(count, block_count);
}

static void evolve_cpu(const std::vector<uchar> & now, std::vector<uchar> & next, int w, int h)
{
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
    {
      int neighbours = -now[y * w + x];
      for (int dy = h - 1; dy <= h + 1; ++dy)
        for (int dx = w - 1; dx <= w + 1; ++dx)
          neighbours += now[((y + dy) % h) * w + (x + dx) % w];
      next[y * w + x] = neighbours == 3 || (neighbours == 2 && now[y * w + x]);
    }
}

int main()
{
  const int w = 301, h = 203, generations = 60;
  std::vector<uchar> cells(w * h, 0), other(w * h), result(w * h);

  // A glider, and a patch of soup.
  const int glider[5][2] = { {1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2} };
  for (auto & g : glider) cells[(10 + g[1]) * w + 10 + g[0]] = 1;
  unsigned lfsr = 0xACE1u;
  for (int y = 90; y < 140; ++y)
    for (int x = 120; x < 200; ++x)
    {
      lfsr = (lfsr >> 1) ^ (-(lfsr & 1u) & 0xB400u);
      cells[y * w + x] = (lfsr >> 3) & 1u;
    }

  uchar * d_cells[2] = { NULL, NULL };
  size_t pitch[2] = { 0, 0 };
  unsigned * d_count = NULL, count = 0;
  for (int i = 0; i < 2; ++i)
    if (!OK(hipMallocPitch((void **)&d_cells[i], &pitch[i], w, h))) return 1;
  if (pitch[0] != pitch[1]) return 1;
  OK(hipMalloc((void **)&d_count, sizeof(unsigned)));
  OK(hipMemset(d_count, 0, sizeof(unsigned)));

  OK(hipMemcpy2D(d_cells[0], pitch[0], cells.data(), w, w, h, hipMemcpyHostToDevice));
  OK(hipMemset2D(d_cells[1], pitch[1], 0, w, h));

  dim3 threads(32, 8);
  dim3 blocks((w + threads.x - 1) / threads.x, (h + threads.y - 1) / threads.y);
  int current = 0;
  for (int g = 0; g < generations; ++g)
  {
    hipLaunchKernelGGL(evolve, blocks, threads, 0, 0, d_cells[current], d_cells[1 - current], pitch[0], w, h);
    current = 1 - current;
  }
  hipLaunchKernelGGL(population, dim3(h), dim3(64), 0, 0, d_cells[current], pitch[current], w, h, d_count);
  OK(hipGetLastError());
  OK(hipMemcpy2D(result.data(), w, d_cells[current], pitch[current], w, h, hipMemcpyDeviceToHost));
  OK(hipMemcpy(&count, d_count, sizeof count, hipMemcpyDeviceToHost));

  for (int g = 0; g < generations; ++g)
  {
    evolve_cpu(cells, other, w, h);
    cells.swap(other);
  }
  unsigned want = 0;
  for (uchar c : cells) want += c;

  bool same = memcmp(cells.data(), result.data(), cells.size()) == 0;
  for (int i = 0; i < 2; ++i) OK(hipFree(d_cells[i]));
  OK(hipFree(d_count));

  printf("torus %d x %d after %d generations\n", w, h, generations);
  printf("alive: %u (host %u)\n", count, want);
  printf("boards equal: %s\n", same ? "yes" : "no");
  bool pass = same && count == want && g_errors == 0;
  puts(pass ? "PASS" : "FAIL");
  return !pass;
}
