/**
 * Exclusive prefix sum over an array of any length.
 *
 * Each block scans 2 * kThreads elements with an up-sweep and a down-sweep in
 * shared memory; the block totals are scanned recursively and added back.
 */
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int kThreads = 256;
constexpr int kChunk = 2 * kThreads;

// One spare word for every 32 keeps the strided accesses off the same bank.
__host__ __device__ constexpr int padded(int i) { return i + (i >> 5); }

void require(hipError_t status, const std::string &what)
{
  if (status != hipSuccess)
    throw std::runtime_error(what + ": " + hipGetErrorString(status));
}

__global__ void scan_chunks(const unsigned *in, unsigned *out, unsigned *totals, int n)
{
  __shared__ unsigned temp[kChunk + kChunk / 32];

  const int tid = threadIdx.x;
  const int base = blockIdx.x * kChunk;

  // Out-of-range elements count as zero.
  for (int k = tid; k < kChunk; k += kThreads)
    temp[padded(k)] = base + k < n ? in[base + k] : 0u;

  int stride = 1;
  for (int active = kChunk / 2; active > 0; active /= 2)
  {
    __syncthreads();
    if (tid < active)
    {
      const int left = padded(stride * (2 * tid + 1) - 1);
      const int right = padded(stride * (2 * tid + 2) - 1);
      temp[right] += temp[left];
    }
    stride *= 2;
  }

  if (tid == 0)
  {
    const int last = padded(kChunk - 1);
    if (totals != nullptr)
      totals[blockIdx.x] = temp[last];
    temp[last] = 0u;
  }

  for (int active = 1; active < kChunk; active *= 2)
  {
    stride /= 2;
    __syncthreads();
    if (tid < active)
    {
      const int left = padded(stride * (2 * tid + 1) - 1);
      const int right = padded(stride * (2 * tid + 2) - 1);
      const unsigned carry = temp[left];
      temp[left] = temp[right];
      temp[right] += carry;
    }
  }
  __syncthreads();

  for (int k = tid; k < kChunk; k += kThreads)
    if (base + k < n)
      out[base + k] = temp[padded(k)];
}

__global__ void add_offsets(unsigned *data, const unsigned *offsets, int n)
{
  const unsigned offset = offsets[blockIdx.x];
  const int base = blockIdx.x * kChunk;
  for (int k = threadIdx.x; k < kChunk; k += blockDim.x)
    if (base + k < n)
      data[base + k] += offset;
}

void exclusive_scan(const unsigned *d_in, unsigned *d_out, int n)
{
  const int blocks = (n + kChunk - 1) / kChunk;
  if (blocks == 1)
  {
    hipLaunchKernelGGL(scan_chunks, dim3(1), dim3(kThreads), 0, 0, d_in, d_out, nullptr, n);
    require(hipGetLastError(), "scan_chunks (last level)");
    return;
  }

  unsigned *d_totals = nullptr;
  unsigned *d_offsets = nullptr;
  require(hipMalloc(&d_totals, sizeof(unsigned) * blocks), "cudaMalloc totals");
  require(hipMalloc(&d_offsets, sizeof(unsigned) * blocks), "cudaMalloc offsets");

  hipLaunchKernelGGL(scan_chunks, dim3(blocks), dim3(kThreads), 0, 0, d_in, d_out, d_totals, n);
  require(hipGetLastError(), "scan_chunks");
  exclusive_scan(d_totals, d_offsets, blocks);
  hipLaunchKernelGGL(add_offsets, dim3(blocks), dim3(kThreads), 0, 0, d_out, d_offsets, n);
  require(hipGetLastError(), "add_offsets");

  require(hipFree(d_totals), "cudaFree totals");
  require(hipFree(d_offsets), "cudaFree offsets");
}

bool run_case(int n)
{
  std::vector<unsigned> input(n), expected(n), got(n);
  unsigned running = 0;
  for (int i = 0; i < n; ++i)
  {
    input[i] = (i * 7u + i / 13u) % 10u;
    expected[i] = running;
    running += input[i];
  }

  unsigned *d_in = nullptr, *d_out = nullptr;
  const size_t bytes = sizeof(unsigned) * n;
  require(hipMalloc((void **)&d_in, bytes), "cudaMalloc in");
  require(hipMalloc((void **)&d_out, bytes), "cudaMalloc out");
  require(hipMemcpy(d_in, input.data(), bytes, hipMemcpyHostToDevice), "copy in");
  exclusive_scan(d_in, d_out, n);
  require(hipMemcpy(got.data(), d_out, bytes, hipMemcpyDeviceToHost), "copy out");
  require(hipFree(d_in), "cudaFree in");
  require(hipFree(d_out), "cudaFree out");

  const bool same = got == expected;
  std::printf("n = %7d  last = %u  %s\n", n, got.back(), same ? "ok" : "WRONG");
  return same;
}

} // namespace

int main()
{
  bool ok = true;
  try
  {
    // One chunk, exactly one chunk, two levels, and three levels.
    for (int n : {1, 37, kChunk, kChunk + 1, 100000, 1000003})
      ok = run_case(n) && ok;
  }
  catch (const std::exception &e)
  {
    std::fprintf(stderr, "error: %s\n", e.what());
    ok = false;
  }
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
