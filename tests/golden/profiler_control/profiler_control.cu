// Tuning knobs around one kernel: profiler start/stop, function attributes,
// cache preference, launch bounds, occupancy, inlining hints, read-only loads,
// and device printf that is compiled in only for debugging.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <hip/hip_runtime_api.h>
#include <hip/hip_runtime.h>

#ifdef DEBUG_KERNELS
#  define KERNEL_LOG(...) printf(__VA_ARGS__)
#else
#  define KERNEL_LOG(...) ((void)0)
#endif

#define MAX_THREADS 256
#define MIN_BLOCKS 2

static void check_(hipError_t e, const char *what, int line)
{
  if (e == hipSuccess)
    return;
  fprintf(stderr, "line %d: %s: %s\n", line, what, hipGetErrorString(e));
  exit(1);
}
#define CHECK(e) check_(e, #e, __LINE__)

// Compiled for host and device: the device has an instruction for it.
__host__ __device__ __forceinline__ int bitCount(unsigned v)
{
#ifdef __HIP_DEVICE_COMPILE__
  return __popc(v);
#else
  int n = 0;
  for (; v; v &= v - 1)
    ++n;
  return n;
#endif
}

// Kept out of line so that it shows up in profiles by its own name.
__device__ __noinline__ unsigned mixBits(unsigned v)
{
  v ^= v << 13;
  v ^= v >> 17;
  v ^= v << 5;
  return v;
}

static unsigned mixBitsHost(unsigned v)
{
  v ^= v << 13;
  v ^= v >> 17;
  v ^= v << 5;
  return v;
}

__global__ void __launch_bounds__(MAX_THREADS, MIN_BLOCKS)
popcounts(const unsigned *__restrict__ in, int *__restrict__ out, int n, int rounds)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned v = __ldg(in + i);
  int bits = 0;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) {
    v = mixBits(v);
    bits += bitCount(v);
  }
  KERNEL_LOG("element %d: %d bits\n", i, bits);
  out[i] = bits;
}

__global__ void tileSums(const int *__restrict__ in, int *out, int n)
{
  extern __shared__ int tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      tile[threadIdx.x] += tile[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = tile[0];
}

// Only what lies between the two calls is of interest to a profiler; that some
// platforms have none to control is no error.
static void profiler(bool on)
{
  const hipError_t e = on ? hipProfilerStart() : hipProfilerStop();
  if (e == hipErrorNotSupported)
    (void)hipGetLastError();
  else
    CHECK(e);
}

int main()
{
  const int n = 60000, rounds = 20, tile = MAX_THREADS, tiles = (n + tile - 1) / tile;

  hipFuncAttributes attr;
  CHECK(hipFuncGetAttributes(&attr, (const void *)popcounts));
  bool ok = attr.maxThreadsPerBlock >= MAX_THREADS && attr.numRegs > 0;
  printf("launch bounds %s\n", ok ? "kept" : "lost");

  CHECK(hipFuncSetCacheConfig((const void *)popcounts, hipFuncCachePreferL1));
  CHECK(hipFuncSetCacheConfig((const void *)tileSums, hipFuncCachePreferShared));
  const size_t shared = tile * sizeof(int);
  CHECK(hipFuncSetAttribute((const void *)tileSums, hipFuncAttributeMaxDynamicSharedMemorySize, (int)shared));

  int resident = 0;
  CHECK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&resident, popcounts, MAX_THREADS, 0));
  ok = ok && resident >= MIN_BLOCKS;

  std::vector<unsigned> in(n);
  for (int i = 0; i < n; ++i)
    in[i] = (unsigned)i * 2654435761u + 1u;
  unsigned *d_in;
  int *d_out, *d_sums;
  CHECK(hipMalloc((void **)&d_in, n * sizeof(unsigned)));
  CHECK(hipMalloc((void **)&d_out, n * sizeof(int)));
  CHECK(hipMalloc((void **)&d_sums, tiles * sizeof(int)));
  CHECK(hipMemcpy(d_in, in.data(), n * sizeof(unsigned), hipMemcpyHostToDevice));

  hipLaunchKernelGGL(popcounts, dim3(tiles), dim3(tile), 0, 0, d_in, d_out, n, 1);  // warm-up, not to be profiled
  CHECK(hipGetLastError());
  CHECK(hipDeviceSynchronize());

  profiler(true);
  hipLaunchKernelGGL(popcounts, dim3(tiles), dim3(tile), 0, 0, d_in, d_out, n, rounds);
  CHECK(hipGetLastError());
  hipLaunchKernelGGL(tileSums, dim3(tiles), dim3(tile), shared, 0, d_out, d_sums, n);
  CHECK(hipGetLastError());
  CHECK(hipDeviceSynchronize());
  profiler(false);

  std::vector<int> out(n), sums(tiles);
  CHECK(hipMemcpy(out.data(), d_out, n * sizeof(int), hipMemcpyDeviceToHost));
  CHECK(hipMemcpy(sums.data(), d_sums, tiles * sizeof(int), hipMemcpyDeviceToHost));

  int wrong = 0;
  long total = 0, want = 0;
  for (int i = 0; i < n; ++i) {
    unsigned v = in[i];
    int bits = 0;
    for (int r = 0; r < rounds; ++r) {
      v = mixBitsHost(v);
      bits += bitCount(v);
    }
    wrong += out[i] != bits;
    want += bits;
  }
  for (int s : sums)
    total += s;
  printf("elements %d bits %ld wrong %d\n", n, total, wrong);

  CHECK(hipFree(d_in));
  CHECK(hipFree(d_out));
  CHECK(hipFree(d_sums));
  ok = ok && wrong == 0 && total == want;
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
