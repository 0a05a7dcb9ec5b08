// Bitonic sort of key/value pairs. Short strides run in shared memory, long
// ones with one launch per step; any length works through padding.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <algorithm>
#include <vector>

typedef unsigned int uint32;
typedef unsigned long long uint64;

const int CHUNK = 1024;            // elements that a block sorts by itself
const int HALF = CHUNK / 2;        // threads per block

static void Fail(hipError_t error, int line)
{
  fprintf(stderr, "bitonic_sort.cu(%d): %s\n", line, hipGetErrorString(error));
  exit(1);
}

#define VERIFY(expr) \
  { hipError_t error_ = (expr); if (hipSuccess != error_) Fail(error_, __LINE__); }

// Key in the upper, value in the lower half: one comparison orders both.
__host__ __device__ inline uint64 MakePair(uint32 key, uint32 value) { return ((uint64)key << 32) | value; }

template<bool ASCENDING>
__device__ inline void CompareSwap(uint64& a, uint64& b)
{
  if ((a > b) == ASCENDING) { uint64 t = a; a = b; b = t; }
}

__device__ inline void CompareSwap(uint64& a, uint64& b, bool ascending)
{
  if (ascending) CompareSwap<true>(a, b);
  else CompareSwap<false>(a, b);
}

// Sorts each chunk, alternately up and down.
__global__ void __launch_bounds__(HALF) SortChunks(uint64* data)
{
  __shared__ uint64 s[CHUNK];
  uint64* chunk = data + (size_t)blockIdx.x * CHUNK;
  s[threadIdx.x] = chunk[threadIdx.x];
  s[threadIdx.x + HALF] = chunk[threadIdx.x + HALF];

  for (int size = 2; size <= CHUNK; size <<= 1)
  {
    for (int stride = size >> 1; stride > 0; stride >>= 1)
    {
      __syncthreads();
      const int i = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      const bool up = size < CHUNK ? (i & size) == 0 : (blockIdx.x & 1) == 0;
      CompareSwap(s[i], s[i + stride], up);
    }
  }
  __syncthreads();
  chunk[threadIdx.x] = s[threadIdx.x];
  chunk[threadIdx.x + HALF] = s[threadIdx.x + HALF];
}

// One step with a stride of at least a chunk.
__global__ void MergeStep(uint64* data, uint32 size, uint32 stride, uint32 pairs)
{
  const uint32 t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < pairs)
  {
    const uint32 i = 2 * t - (t & (stride - 1));
    CompareSwap(data[i], data[i + stride], (i & size) == 0);
  }
}

// All steps with strides below a chunk.
__global__ void __launch_bounds__(HALF) MergeChunks(uint64* data, uint32 size)
{
  __shared__ uint64 s[CHUNK];
  const uint32 base = blockIdx.x * CHUNK;
  s[threadIdx.x] = data[base + threadIdx.x];
  s[threadIdx.x + HALF] = data[base + threadIdx.x + HALF];
  const bool up = (base & size) == 0;
  for (int stride = HALF; stride > 0; stride >>= 1)
  {
    __syncthreads();
    const int i = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
    CompareSwap(s[i], s[i + stride], up);
  }
  __syncthreads();
  data[base + threadIdx.x] = s[threadIdx.x];
  data[base + threadIdx.x + HALF] = s[threadIdx.x + HALF];
}

static void SortOnDevice(std::vector<uint64>& items)
{
  uint32 padded = CHUNK;
  while (padded < items.size()) padded <<= 1;

  uint64* d_items;
  VERIFY(hipMalloc((void**)&d_items, padded * sizeof(uint64)));
  VERIFY(hipMemset(d_items, 0xff, padded * sizeof(uint64)));   // padding sorts last
  VERIFY(hipMemcpy(d_items, &items[0], items.size() * sizeof(uint64), hipMemcpyHostToDevice));

  const int blocks = padded / CHUNK;
  hipLaunchKernelGGL(SortChunks, dim3(blocks), dim3(HALF), 0, 0, d_items);
  for (uint32 size = 2 * CHUNK; size <= padded; size <<= 1)
  {
    for (uint32 stride = size / 2; stride >= (uint32)CHUNK; stride >>= 1)
      hipLaunchKernelGGL(MergeStep, dim3(blocks), dim3(HALF), 0, 0, d_items, size, stride, padded / 2);
    hipLaunchKernelGGL(MergeChunks, dim3(blocks), dim3(HALF), 0, 0, d_items, size);
  }
  VERIFY(hipGetLastError());
  VERIFY(hipMemcpy(&items[0], d_items, items.size() * sizeof(uint64), hipMemcpyDeviceToHost));
  VERIFY(hipFree(d_items));
}

int main()
{
  bool ok = true;
  const size_t lengths[] = { 1, 1000, 1024, 5000, 262144, 300001 };
  for (size_t length : lengths)
  {
    std::vector<uint64> items(length);
    uint32 state = 77u + (uint32)length;
    for (size_t i = 0; i < length; ++i)
    {
      state = state * 747796405u + 2891336453u;
      items[i] = MakePair((state >> 12) % 50000u, (uint32)i);   // keys repeat
    }
    std::vector<uint64> expected(items);
    std::sort(expected.begin(), expected.end());

    SortOnDevice(items);

    uint32 checksum = 0;
    for (size_t i = 0; i < length; ++i)
      checksum = checksum * 31u + (uint32)(items[i] >> 32) + (uint32)items[i];
    const bool same = items == expected;
    printf("%6zu items, checksum %08x, %s\n", length, checksum, same ? "ok" : "WRONG");
    ok = ok && same;
  }
  puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}