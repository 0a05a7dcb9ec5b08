// Warp-aggregated increments through coalesced_threads(): whoever is here adds once for all.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <hip/hip_cooperative_groups.h>
#include <cstdio>
#include <algorithm>
#include <vector>

using namespace cooperative_groups;

#define CHECK_CUDA(expr)                                                             \
  do {                                                                               \
    hipError_t status_ = (expr);                                                    \
    if (status_ != hipSuccess) {                                                    \
      printf("CUDA error in %s: %s\n", #expr, hipGetErrorString(status_));          \
      return 1;                                                                      \
    }                                                                                \
  } while (false)

__device__ int atomicAggInc(int *counter) {
  coalesced_group active = hipify::warp32::coalesced_threads();
  int first = 0;
  if (active.thread_rank() == 0)
    first = atomicAdd(counter, static_cast<int>(active.size()));
  return active.shfl(first, 0) + active.thread_rank();
}

__global__ void filterPositive(const float *in, float *out, int *counter, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n)
    return;
  if (in[i] > 0.0f)
    out[atomicAggInc(counter)] = in[i];
}

// Three classes, a counter for each, the group formed inside a switch.
__global__ void classify(const float *in, int *counter, int n) {
  for (int i = blockDim.x * blockIdx.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    switch (in[i] < -1.0f ? 0 : in[i] > 1.0f ? 2 : 1) {
    case 0:
      atomicAggInc(counter + 0);
      break;
    case 1:
      atomicAggInc(counter + 1);
      break;
    default:
      atomicAggInc(counter + 2);
    }
  }
}

int main() {
  const int n = 200000, threads = 512;
  std::vector<float> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = static_cast<float>((i * 48271LL) % 8191 - 4095) / 1024.0f;

  float *dIn, *dOut;
  int *dCount;
  CHECK_CUDA(hipMalloc(&dIn, n * sizeof(float)));
  CHECK_CUDA(hipMalloc(&dOut, n * sizeof(float)));
  CHECK_CUDA(hipMalloc(&dCount, 4 * sizeof(int)));
  CHECK_CUDA(hipMemset(dCount, 0, 4 * sizeof(int)));
  CHECK_CUDA(hipMemcpy(dIn, in.data(), n * sizeof(float), hipMemcpyHostToDevice));
  hipLaunchKernelGGL(filterPositive, dim3((n + threads - 1) / threads), dim3(threads), 0, 0, dIn, dOut, dCount, n);
  CHECK_CUDA(hipGetLastError());
  hipLaunchKernelGGL(classify, dim3(64), dim3(threads), 0, 0, dIn, dCount + 1, n);
  CHECK_CUDA(hipGetLastError());

  int count[4];
  CHECK_CUDA(hipMemcpy(count, dCount, sizeof(count), hipMemcpyDeviceToHost));
  std::vector<float> got(std::max(count[0], 1)), want;
  CHECK_CUDA(hipMemcpy(got.data(), dOut, count[0] * sizeof(float), hipMemcpyDeviceToHost));
  int classes[3] = {0, 0, 0};
  for (float x : in) {
    if (x > 0.0f)
      want.push_back(x);
    ++classes[x < -1.0f ? 0 : x > 1.0f ? 2 : 1];
  }
  std::sort(got.begin(), got.end());
  std::sort(want.begin(), want.end());

  const bool same = count[0] == static_cast<int>(want.size()) && got == want;
  const bool counted = std::equal(classes, classes + 3, count + 1);
  printf("positive: %d of %d (%s)\n", count[0], n, same ? "same values" : "other values");
  printf("classes: %d %d %d\n", count[1], count[2], count[3]);
  CHECK_CUDA(hipFree(dIn));
  CHECK_CUDA(hipFree(dOut));
  CHECK_CUDA(hipFree(dCount));
  puts(same && counted ? "PASS" : "FAIL");
  return same && counted ? 0 : 1;
}
