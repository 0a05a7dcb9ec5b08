// Sorts every 32 pairs in the registers of one warp: a bitonic network over __shfl_xor_sync.
#include <hip/hip_runtime.h>
#include <cstdint>
#include <cstdio>
#include <algorithm>
#include <utility>
#include <vector>

namespace sorting {

static constexpr int kWarpSize = 32;
static constexpr uint32_t kMask = 0xffffffff;

struct Less { template <typename T> __device__ static bool before(T a, T b) { return a < b; } };
struct Greater { template <typename T> __device__ static bool before(T a, T b) { return b < a; } };

template <typename K, typename V, typename Order>
__device__ inline void exchange(K& k, V& v, int distance, bool ascending) {
  const K otherK = __shfl_xor(k, distance & 31, 32);
  const V otherV = __shfl_xor(v, distance & 31, 32);
  const bool lower = (threadIdx.x & distance) == 0;
  const bool take = lower == ascending ? Order::before(otherK, k) : Order::before(k, otherK);
  k = take ? otherK : k;
  v = take ? otherV : v;
}

template <typename K, typename V, typename Order>
__device__ inline void warpSort(K& k, V& v) {
  const int lane = threadIdx.x % kWarpSize;
#pragma unroll
  for (int size = 2; size <= kWarpSize; size *= 2) {
    const bool ascending = (lane & size) == 0;
#pragma unroll
    for (int distance = size / 2; distance > 0; distance /= 2)
      exchange<K, V, Order>(k, v, distance, ascending);
  }
}

template <typename K, typename V, typename Order>
__global__ void sortWarps(K* keys, V* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;  // n is a multiple of the warp
  K k = keys[i];
  V v = values[i];
  warpSort<K, V, Order>(k, v);
  keys[i] = k;
  values[i] = v;
}

// The k-th smallest of each warp, sent to all by a broadcast.
template <typename K>
__global__ void kthSmallest(const K* keys, K* out, int kth) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  K k = keys[i];
  int unused = 0;
  warpSort<K, int, Less>(k, unused);
  out[i] = __shfl(k, kth, 32);
}

}  // namespace sorting

#define OK(x) if ((x) != hipSuccess) { printf("failed at %d: %s\n", __LINE__, hipGetErrorString(hipGetLastError())); return -1; }

template <typename K, typename Order, typename Compare>
int test(const char* name, Compare before, int n) {
  std::vector<K> keys(n);
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) {
    keys[i] = K((i * 7919u + 13u) % 10007u) / 4;
    values[i] = i;
  }
  const std::vector<K> in = keys;
  K *dKeys, *dKth;
  int* dValues;
  OK(hipMalloc(&dKeys, n * sizeof(K)));
  OK(hipMalloc(&dKth, n * sizeof(K)));
  OK(hipMalloc(&dValues, n * sizeof(int)));
  OK(hipMemcpy(dKeys, in.data(), n * sizeof(K), hipMemcpyHostToDevice));
  OK(hipMemcpy(dValues, values.data(), n * sizeof(int), hipMemcpyHostToDevice));
  hipLaunchKernelGGL(sorting::kthSmallest<K>, dim3((n + 127) / 128), dim3(128), 0, 0, dKeys, dKth, 4);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(sorting::sortWarps<K, int, Order>), dim3((n + 127) / 128), dim3(128), 0, 0, dKeys, dValues, n);
  OK(hipDeviceSynchronize());
  std::vector<K> kth(n);
  OK(hipMemcpy(keys.data(), dKeys, n * sizeof(K), hipMemcpyDeviceToHost));
  OK(hipMemcpy(kth.data(), dKth, n * sizeof(K), hipMemcpyDeviceToHost));
  OK(hipMemcpy(values.data(), dValues, n * sizeof(int), hipMemcpyDeviceToHost));

  int wrong = 0;
  for (int w = 0; w < n; w += 32) {
    std::vector<K> want(in.begin() + w, in.begin() + w + 32);
    std::sort(want.begin(), want.end());
    const K fifth = want[4];
    std::sort(want.begin(), want.end(), before);
    for (int l = 0; l < 32; ++l) {
      wrong += keys[w + l] != want[l] || kth[w + l] != fifth;
      wrong += in[values[w + l]] != keys[w + l];
    }
  }
  std::printf("%s: %d warps, wrong %d\n", name, n / 32, wrong);
  OK(hipFree(dKeys));
  OK(hipFree(dKth));
  OK(hipFree(dValues));
  return wrong;
}

int main() {
  int wrong = test<int, sorting::Less>("ints ascending", [](int a, int b) { return a < b; }, 1024);
  wrong += test<float, sorting::Greater>("floats descending", [](float a, float b) { return a > b; }, 512);
  wrong += test<double, sorting::Less>("doubles ascending", [](double a, double b) { return a < b; }, 256);
  std::puts(wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
