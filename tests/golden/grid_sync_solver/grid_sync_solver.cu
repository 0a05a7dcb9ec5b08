// Conjugate gradients in one cooperative kernel: grid barriers between the steps, dot products by warps.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

#define THREADS_PER_BLOCK 256

#define checkCudaErrors(val) checkError((val), #val, __LINE__)
static void checkError(hipError_t result, const char *text, int line) {
  if (result != hipSuccess) {
    fprintf(stderr, "line %d: %s: %s\n", line, text, hipGetErrorString(result));
    exit(EXIT_FAILURE);
  }
}

// A symmetric matrix with five diagonals: 4.5 in the middle, -1 beside, of a square grid.
__device__ double row_product(const double *x, int row, int side) {
  const int c = row % side, r = row / side;
  double s = 4.5 * x[row];
  if (c > 0) s -= x[row - 1];
  if (c < side - 1) s -= x[row + 1];
  if (r > 0) s -= x[row - side];
  if (r < side - 1) s -= x[row + side];
  return s;
}

__device__ void grid_dot(const double *a, const double *b, double *result, int n, const cg::thread_block &block, const cg::grid_group &grid) {
  __shared__ double part[THREADS_PER_BLOCK / 32];
  double sum = 0.0;
  for (int i = grid.thread_rank(); i < n; i += grid.size()) sum += a[i] * b[i];
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
  sum = hipify::reduce(tile, sum, hipify::plus<double>());
  if (tile.thread_rank() == 0) part[tile.meta_group_rank()] = sum;
  cg::sync(block);
  if (block.thread_rank() == 0) {
    double all = 0.0;
    for (int w = 0; w < THREADS_PER_BLOCK / 32; ++w) all += part[w];
    atomicAdd(result, all);
  }
  cg::sync(grid);
}

struct Work { double *x, *r, *p, *ap, *dots; int *iterations; };

__global__ void conjugate_gradients(Work w, int side, double tolerance, int limit) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::grid_group grid = cg::this_grid();
  const int n = side * side;
  int k = 0;
  grid_dot(w.r, w.r, &w.dots[0], n, block, grid);
  double rr = w.dots[0];
  while (rr > tolerance * tolerance && k < limit) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) w.ap[i] = row_product(w.p, i, side);
    grid.sync();
    double *dots = w.dots + 1 + 2 * k;   // a fresh pair each round
    grid_dot(w.p, w.ap, dots, n, block, grid);
    const double alpha = rr / dots[0];
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      w.x[i] += alpha * w.p[i];
      w.r[i] -= alpha * w.ap[i];
    }
    grid.sync();
    grid_dot(w.r, w.r, dots + 1, n, block, grid);
    const double beta = dots[1] / rr;
    rr = dots[1];
    for (int i = grid.thread_rank(); i < n; i += grid.size()) w.p[i] = w.r[i] + beta * w.p[i];
    grid.sync();
    ++k;
  }
  if (grid.thread_rank() == 0) *w.iterations = k;
}

int main() {
  int device = 0, cooperative = 0, blocks_per_sm = 0;
  hipDeviceProp_t properties;
  checkCudaErrors(hipGetDevice(&device));
  checkCudaErrors(hipDeviceGetAttribute(&cooperative, hipDeviceAttributeCooperativeLaunch, device));
  checkCudaErrors(hipGetDeviceProperties(&properties, device));
  if (!cooperative) {
    printf("no cooperative launch\nPASS\n");
    return 0;
  }
  checkCudaErrors(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_sm, conjugate_gradients, THREADS_PER_BLOCK, 0));

  int side = 64, limit = 200;
  const int n = side * side;
  double tolerance = 1e-9;
  std::vector<double> want(n), b(n), x(n);
  for (int i = 0; i < n; ++i) want[i] = (i * 29 % 97) / 48.0 - 1.0;
  for (int i = 0; i < n; ++i) {
    const int c = i % side, r = i / side;
    b[i] = 4.5 * want[i] - (c > 0 ? want[i - 1] : 0) - (c < side - 1 ? want[i + 1] : 0) - (r > 0 ? want[i - side] : 0) -
           (r < side - 1 ? want[i + side] : 0);
  }
  Work w;
  checkCudaErrors(hipMalloc(&w.x, n * sizeof(double)));
  checkCudaErrors(hipMalloc(&w.r, n * sizeof(double)));
  checkCudaErrors(hipMalloc(&w.p, n * sizeof(double)));
  checkCudaErrors(hipMalloc(&w.ap, n * sizeof(double)));
  checkCudaErrors(hipMalloc(&w.dots, (2 * limit + 1) * sizeof(double)));
  checkCudaErrors(hipMalloc(&w.iterations, sizeof(int)));
  checkCudaErrors(hipMemset(w.x, 0, n * sizeof(double)));
  checkCudaErrors(hipMemset(w.dots, 0, (2 * limit + 1) * sizeof(double)));
  checkCudaErrors(hipMemcpy(w.r, b.data(), n * sizeof(double), hipMemcpyHostToDevice));
  checkCudaErrors(hipMemcpy(w.p, b.data(), n * sizeof(double), hipMemcpyHostToDevice));

  int blocks = properties.multiProcessorCount * blocks_per_sm;
  blocks = blocks < n / THREADS_PER_BLOCK ? blocks : n / THREADS_PER_BLOCK;
  void *arguments[] = {&w, &side, &tolerance, &limit};
  checkCudaErrors(hipLaunchCooperativeKernel((void *)conjugate_gradients, dim3(blocks), dim3(THREADS_PER_BLOCK), arguments, 0, 0));
  checkCudaErrors(hipDeviceSynchronize());
  int iterations = 0;
  checkCudaErrors(hipMemcpy(&iterations, w.iterations, sizeof iterations, hipMemcpyDeviceToHost));
  checkCudaErrors(hipMemcpy(x.data(), w.x, n * sizeof(double), hipMemcpyDeviceToHost));

  double worst = 0;
  for (int i = 0; i < n; ++i) worst = std::fmax(worst, std::fabs(x[i] - want[i]));
  const bool ok = iterations > 5 && iterations < limit && worst < 1e-8;
  printf("unknowns %d, %s, solution %s\n", n, iterations < limit ? "converged" : "not converged", worst < 1e-8 ? "right" : "wrong");
  for (double *p : {w.x, w.r, w.p, w.ap, w.dots}) checkCudaErrors(hipFree(p));
  checkCudaErrors(hipFree(w.iterations));
  puts(ok ? "PASS" : "FAIL");
  return !ok;
}
