// Cooperative groups: block and tile collectives, aggregated atomics through
// coalesced_threads(), and a two-phase kernel with a grid-wide barrier.
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <vector>

namespace cg = cooperative_groups;

#define CG_CHECK(expression)                                                     \
  do {                                                                           \
    if (const auto cg_status = (expression); cg_status != hipSuccess) {         \
      std::fprintf(stderr, "[%s:%d] %s\n", __FILE__, __LINE__, hipGetErrorString(cg_status)); \
      std::exit(EXIT_FAILURE);                                                   \
    }                                                                            \
  } while (0)

template <typename Group>
__device__ int group_sum(const Group& g, int value) {
  for (unsigned int delta = g.size() / 2; delta > 0; delta /= 2) value += g.shfl_down(value, delta);
  return value;  // valid in the group's first thread
}

__global__ void block_sums(const int* in, int n, int* out) {
  __shared__ int partial[32];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);

  const int i = blockIdx.x * blockDim.x + block.thread_rank();
  int value = group_sum(tile, i < n ? in[i] : 0);

  const unsigned int tile_index = block.thread_rank() / tile.size();
  if (tile.thread_rank() == 0) partial[tile_index] = value;
  block.sync();

  if (tile_index == 0) {
    const unsigned int tiles = block.size() / tile.size();
    value = group_sum(tile, tile.thread_rank() < tiles ? partial[tile.thread_rank()] : 0);
    if (tile.thread_rank() == 0) out[blockIdx.x] = value;
  }
}

// Keeps the multiples of three: one atomic per group of active threads.
__global__ void compact(const int* in, int n, int* out, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) {
    cg::coalesced_group active = hipify::warp32::coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0) base = atomicAdd(count, static_cast<int>(active.size()));
    base = active.shfl(base, 0);
    out[base + active.thread_rank()] = in[i];
  }
}

// Phase 1 leaves one maximum per block; after the barrier every block reads
// all of them and subtracts the overall maximum from its elements.
__global__ void subtract_maximum(int* data, int n, int* block_max) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  __shared__ int shared_max;

  if (block.thread_rank() == 0) shared_max = -2147483647;
  cg::sync(block);
  for (int i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size()))
    atomicMax(&shared_max, data[i]);
  block.sync();
  if (block.thread_rank() == 0) block_max[blockIdx.x] = shared_max;

  grid.sync();

  int overall = block_max[0];
  for (unsigned int b = 1; b < gridDim.x; ++b) overall = max(overall, block_max[b]);
  for (int i = static_cast<int>(grid.thread_rank()); i < n; i += static_cast<int>(grid.size())) data[i] -= overall;
}

int main() {
  const int n = 100003, block = 256, grid = (n + block - 1) / block;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = static_cast<int>((i * 7919LL) % 10007) - 3000;

  int *d_in = nullptr, *d_out = nullptr, *d_count = nullptr;
  CG_CHECK(hipMalloc(&d_in, n * sizeof(int)));
  CG_CHECK(hipMalloc(&d_out, n * sizeof(int)));
  CG_CHECK(hipMalloc(&d_count, sizeof(int)));
  CG_CHECK(hipMemcpy(d_in, host.data(), n * sizeof(int), hipMemcpyHostToDevice));
  bool ok = true;

  // 1. Sums per block.
  hipLaunchKernelGGL(block_sums, dim3(grid), dim3(block), 0, 0, d_in, n, d_out);
  CG_CHECK(hipGetLastError());
  std::vector<int> sums(grid);
  CG_CHECK(hipMemcpy(sums.data(), d_out, grid * sizeof(int), hipMemcpyDeviceToHost));
  const long long got = std::accumulate(sums.begin(), sums.end(), 0LL);
  const long long want = std::accumulate(host.begin(), host.end(), 0LL);
  std::printf("sum %lld\n", got);
  ok = ok && got == want;

  // 2. Compaction; the order of the result is not defined, so sort it.
  int count = 0;
  CG_CHECK(hipMemset(d_count, 0, sizeof(int)));
  hipLaunchKernelGGL(compact, dim3(grid), dim3(block), 0, 0, d_in, n, d_out, d_count);
  CG_CHECK(hipGetLastError());
  CG_CHECK(hipMemcpy(&count, d_count, sizeof(int), hipMemcpyDeviceToHost));
  std::vector<int> expected;
  std::copy_if(host.begin(), host.end(), std::back_inserter(expected), [](int v) { return v % 3 == 0; });
  std::printf("multiples of three: %d\n", count);
  if (count == static_cast<int>(expected.size())) {
    std::vector<int> kept(count);
    CG_CHECK(hipMemcpy(kept.data(), d_out, count * sizeof(int), hipMemcpyDeviceToHost));
    std::sort(kept.begin(), kept.end());
    std::sort(expected.begin(), expected.end());
    ok = ok && kept == expected;
  } else {
    ok = false;
  }

  // 3. The grid-wide barrier needs all blocks resident at once.
  int cooperative = 0, per_sm = 0, sms = 0;
  CG_CHECK(hipDeviceGetAttribute(&cooperative, hipDeviceAttributeCooperativeLaunch, 0));
  CG_CHECK(hipDeviceGetAttribute(&sms, hipDeviceAttributeMultiprocessorCount, 0));
  CG_CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, subtract_maximum, block, 0));
  std::printf("cooperative launch: %s\n", cooperative ? "yes" : "no");
  if (cooperative) {
    int items = n;
    void* args[] = {&d_in, &items, &d_out};
    const dim3 coop_grid(std::min(per_sm * sms, 64)), coop_block(block);
    CG_CHECK(hipLaunchCooperativeKernel((void*)subtract_maximum, coop_grid, coop_block, args, 0, nullptr));
    CG_CHECK(hipDeviceSynchronize());
    std::vector<int> shifted(n);
    CG_CHECK(hipMemcpy(shifted.data(), d_in, n * sizeof(int), hipMemcpyDeviceToHost));
    const int top = *std::max_element(host.begin(), host.end());
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += shifted[i] != host[i] - top;
    std::printf("maximum %d, wrong after subtraction %d\n", top, wrong);
    ok = ok && wrong == 0;
  }

  CG_CHECK(hipFree(d_in));
  CG_CHECK(hipFree(d_out));
  CG_CHECK(hipFree(d_count));
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
