// Lane numbers and lane masks read from PTX special registers: ranks of lanes without a shift.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <cstdio>
#include <cstdlib>
#include <vector>

#define WARP_THREADS 32

struct PTX {
  // The identifier of the calling lane
  static __device__ __forceinline__ unsigned LaneId() {
    unsigned ret;
    ret = __lane_id() & 31;
    return ret;
  }
  // All lanes before this one
  static __device__ __forceinline__ unsigned LaneMaskLt() {
    unsigned ret;
    ret = (1u << (__lane_id() & 31)) - 1;
    return ret;
  }
  static __device__ __forceinline__ unsigned LaneMaskLe() {
    unsigned ret;
    ret = (2u << (__lane_id() & 31)) - 1;
    return ret;
  }
  static __device__ __forceinline__ unsigned LaneMaskGt() {
    unsigned ret;
    ret = ~1u << (__lane_id() & 31);
    return ret;
  }
};

// Splits each warp's values into even and odd ones, evens first, order kept.
__global__ void partition(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int warp_start = i - static_cast<int>(PTX::LaneId());
  const int v = in[i];
  const bool even = (v & 1) == 0;
  const unsigned evens = hipify::warp32::ballot_sync(0xffffffff, even);
  const int before = __popc(evens & PTX::LaneMaskLt());
  const int place = even ? before : __popc(evens) + static_cast<int>(PTX::LaneId()) - before;
  out[warp_start + place] = v;
}

// Distance to the next lane with a set flag, 0 when there is none; and how many came up to here.
__global__ void next_flag(const int *flag, int *distance, int *upto) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned set = hipify::warp32::ballot_sync(0xffffffff, flag[i] != 0);
  const unsigned after = set & PTX::LaneMaskGt();
  distance[i] = after ? __ffs(after) - 1 - static_cast<int>(PTX::LaneId()) : 0;
  upto[i] = __popc(set & PTX::LaneMaskLe());
}

static void ok(hipError_t e) {
  if (e != hipSuccess) {
    fprintf(stderr, "CUDA: %s\n", hipGetErrorString(e));
    exit(1);
  }
}

int main() {
  const int n = 4096;
  std::vector<int> in(n), flag(n), out(n), distance(n), upto(n);
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 193 + i / 5) % 1000;
    flag[i] = i % 11 == 3 || i % 32 == 30;
  }
  int *d[5];
  for (auto &p : d) ok(hipMalloc(&p, n * sizeof(int)));
  ok(hipMemcpy(d[0], in.data(), n * sizeof(int), hipMemcpyHostToDevice));
  ok(hipMemcpy(d[1], flag.data(), n * sizeof(int), hipMemcpyHostToDevice));
  hipLaunchKernelGGL(partition, dim3(n / 256), dim3(256), 0, 0, d[0], d[2]);
  ok(hipGetLastError());
  hipLaunchKernelGGL(next_flag, dim3(n / 64), dim3(64), 0, 0, d[1], d[3], d[4]);
  ok(hipGetLastError());
  ok(hipMemcpy(out.data(), d[2], n * sizeof(int), hipMemcpyDeviceToHost));
  ok(hipMemcpy(distance.data(), d[3], n * sizeof(int), hipMemcpyDeviceToHost));
  ok(hipMemcpy(upto.data(), d[4], n * sizeof(int), hipMemcpyDeviceToHost));

  int wrong = 0, gaps = 0;
  for (int w = 0; w < n; w += WARP_THREADS) {
    int place = w;
    for (int parity = 0; parity < 2; ++parity)
      for (int l = 0; l < WARP_THREADS; ++l)
        if (in[w + l] % 2 == parity) wrong += out[place++] != in[w + l];
    for (int l = 0, seen = 0; l < WARP_THREADS; ++l) {
      int next = 0;
      for (int k = l + 1; k < WARP_THREADS && !next; ++k)
        if (flag[w + k]) next = k - l;
      seen += flag[w + l];
      wrong += distance[w + l] != next || upto[w + l] != seen;
      gaps += next;
    }
  }
  printf("first warp: %d %d ... %d, distances sum to %d, wrong %d\n", out[0], out[1], out[31], gaps, wrong);
  for (auto p : d) ok(hipFree(p));
  puts(wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
