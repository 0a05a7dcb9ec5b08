// Quantised scoring: many int8 vectors against one int8 query.  Each thread
// loads 16 bytes at a time and multiplies four of them per instruction.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include <hip/hip_runtime.h>
#include "hipify_support.hpp"

namespace quant {

constexpr int kDim = 256;      // bytes in a vector, a multiple of 16
constexpr int kThreads = 64;

inline void expect(hipError_t status, const char* what) {
  if (status == hipSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(status));
  std::exit(1);
}

struct CudaDeleter {
  void operator()(void* p) const { hipFree(p); }
};
template <typename T>
using device_ptr = std::unique_ptr<T, CudaDeleter>;

template <typename T>
device_ptr<T> make_device(std::size_t n) {
  T* p = nullptr;
  expect(hipMalloc(&p, n * sizeof(T)), "cudaMalloc");
  return device_ptr<T>(p);
}

__device__ __forceinline__ int dot16(int4 a, int4 b, int sum) {
  sum = hipify::dp4a(a.x, b.x, sum);
  sum = hipify::dp4a(a.y, b.y, sum);
  sum = hipify::dp4a(a.z, b.z, sum);
  return hipify::dp4a(a.w, b.w, sum);
}

// One vector of the table per thread.
__global__ void score(const int8_t* __restrict__ table, const int8_t* __restrict__ query, int* __restrict__ out, int rows) {
  __shared__ int4 q[kDim / 16];
  if (threadIdx.x < kDim / 16) q[threadIdx.x] = reinterpret_cast<const int4*>(query)[threadIdx.x];
  __syncthreads();

  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const int4* v = reinterpret_cast<const int4*>(table + static_cast<size_t>(row) * kDim);
  int sum = 0;
#pragma unroll 4
  for (int k = 0; k < kDim / 16; ++k) sum = dot16(v[k], q[k], sum);
  out[row] = sum;
}

// Requantises four scores at once: shift, clamp to int8, pack into a char4.
__global__ void requantise(const int4* scores, char4* packed, int quads, int shift) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= quads) return;
  const int4 s = scores[i];
  auto squeeze = [shift](int v) { return static_cast<signed char>(max(-128, min(127, v >> shift))); };
  packed[i] = make_char4(squeeze(s.x), squeeze(s.y), squeeze(s.z), squeeze(s.w));
}

// Sum of all bytes as unsigned numbers, again four at a time.
__global__ void byte_sum(const unsigned int* words, unsigned int* total, int n) {
  unsigned int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum = hipify::dp4a(words[i], 0x01010101u, sum);
  if (sum) atomicAdd(total, sum);
}

}  // namespace quant

int main() {
  using namespace quant;
  const int rows = 4000, shift = 9;
  std::vector<int8_t> table(static_cast<size_t>(rows) * kDim), query(kDim);
  uint32_t state = 12345;
  auto next = [&state] {
    state = state * 1664525u + 1013904223u;
    return static_cast<int8_t>(state >> 24);
  };
  for (auto& v : table) v = next();
  for (auto& v : query) v = next();

  auto d_table = make_device<int8_t>(table.size());
  auto d_query = make_device<int8_t>(kDim);
  auto d_scores = make_device<int>(rows);
  auto d_packed = make_device<char4>(rows / 4);
  auto d_total = make_device<unsigned int>(1);
  expect(hipMemcpy(d_table.get(), table.data(), table.size(), hipMemcpyHostToDevice), "copy table");
  expect(hipMemcpy(d_query.get(), query.data(), kDim, hipMemcpyHostToDevice), "copy query");
  expect(hipMemset(d_total.get(), 0, sizeof(unsigned int)), "clear");

  hipLaunchKernelGGL(score, dim3((rows + kThreads - 1) / kThreads), dim3(kThreads), 0, 0, d_table.get(), d_query.get(), d_scores.get(), rows);
  expect(hipGetLastError(), "score");
  hipLaunchKernelGGL(requantise, dim3((rows / 4 + kThreads - 1) / kThreads), dim3(kThreads), 0, 0, reinterpret_cast<int4*>(d_scores.get()), d_packed.get(),
                                                                rows / 4, shift);
  expect(hipGetLastError(), "requantise");
  hipLaunchKernelGGL(byte_sum, dim3(32), dim3(kThreads), 0, 0, reinterpret_cast<const unsigned int*>(d_table.get()), d_total.get(),
                             static_cast<int>(table.size() / 4));
  expect(hipGetLastError(), "byte_sum");

  std::vector<int> scores(rows);
  std::vector<char4> packed(rows / 4);
  unsigned int total = 0;
  expect(hipMemcpy(scores.data(), d_scores.get(), rows * sizeof(int), hipMemcpyDeviceToHost), "fetch scores");
  expect(hipMemcpy(packed.data(), d_packed.get(), rows, hipMemcpyDeviceToHost), "fetch packed");
  expect(hipMemcpy(&total, d_total.get(), sizeof(total), hipMemcpyDeviceToHost), "fetch total");

  int wrong = 0, best = 0;
  long long checksum = 0, packedSum = 0;
  for (int r = 0; r < rows; ++r) {
    int want = 0;
    for (int k = 0; k < kDim; ++k) want += table[static_cast<size_t>(r) * kDim + k] * query[k];
    wrong += scores[r] != want;
    const int squeezed = want >> shift;
    const int clamped = squeezed < -128 ? -128 : squeezed > 127 ? 127 : squeezed;
    const char4 quad = packed[r / 4];
    const signed char parts[4] = {quad.x, quad.y, quad.z, quad.w};
    wrong += parts[r % 4] != clamped;
    if (scores[r] > scores[best]) best = r;
    checksum += static_cast<long long>(scores[r]) * (r % 3 + 1);
    packedSum += parts[r % 4];
  }
  unsigned int wantTotal = 0;
  for (int8_t v : table) wantTotal += static_cast<uint8_t>(v);
  wrong += total != wantTotal;

  std::printf("rows %d dim %d best row %d score %d\n", rows, kDim, best, scores[best]);
  std::printf("checksum %lld packed %lld bytes %u wrong %d\n", checksum, packedSum, total, wrong);
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong == 0 ? 0 : 1;
}
