// Dynamic shared memory: several arrays carved out of one block, more than
// 48 KiB after asking for it, and launch sizes from the occupancy API.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CU(call)                                                       \
  if (auto cu_rc = (call); cu_rc != hipSuccess) {                     \
    std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorString(cu_rc)); \
    std::exit(1);                                                      \
  }

extern __shared__ unsigned char raw_shared[];

// Sorts nothing and loses nothing: keys are counted, then rebuilt in order.
// Shared layout: [BINS counters][blockDim.x staged values][one flag].
template <int BINS>
__global__ void counting_rebuild(const int* in, int* out, int n) {
  int* counter = reinterpret_cast<int*>(raw_shared);
  short* staged = reinterpret_cast<short*>(counter + BINS);
  unsigned char* flag = reinterpret_cast<unsigned char*>(staged + blockDim.x);

  for (int b = threadIdx.x; b < BINS; b += blockDim.x) counter[b] = 0;
  if (threadIdx.x == 0) *flag = 0;
  __syncthreads();

  for (int base = 0; base < n; base += blockDim.x) {
    const int i = base + threadIdx.x;
    staged[threadIdx.x] = static_cast<short>(i < n ? in[i] : -1);
    __syncthreads();
    if (staged[threadIdx.x] >= 0) atomicAdd(&counter[staged[threadIdx.x] % BINS], 1);
    __syncthreads();
  }

  if (threadIdx.x == 0) {
    int at = 0;
    for (int b = 0; b < BINS; ++b)
      for (int k = 0; k < counter[b]; ++k) out[at++] = b;
    *flag = at == n;
  }
  __syncthreads();
  if (threadIdx.x == 1) out[n] = *flag;
}

// Reverses a whole segment that is held in shared memory at once.
template <typename T>
__global__ void reverse_segment(T* data, int length) {
  T* segment = reinterpret_cast<T*>(raw_shared);
  T* mine = data + static_cast<size_t>(blockIdx.x) * length;
  for (int i = threadIdx.x; i < length; i += blockDim.x) segment[i] = mine[i];
  __syncthreads();
  for (int i = threadIdx.x; i < length; i += blockDim.x) mine[i] = segment[length - 1 - i];
}

__global__ void axpy(float a, const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) y[i] += a * x[i];
}

static bool test_counting() {
  constexpr int bins = 64;
  const int n = 3000, threads = 96;
  std::vector<int> in(n), out(n + 1);
  std::vector<int> expected_count(bins, 0);
  for (int i = 0; i < n; ++i) {
    in[i] = (i * i) % 61;
    ++expected_count[in[i]];
  }
  int *d_in, *d_out;
  CU(hipMalloc(&d_in, n * sizeof(int)));
  CU(hipMalloc(&d_out, (n + 1) * sizeof(int)));
  CU(hipMemcpy(d_in, in.data(), n * sizeof(int), hipMemcpyHostToDevice));

  const size_t shared = bins * sizeof(int) + threads * sizeof(short) + sizeof(unsigned char);
  void (*kernel)(const int*, int*, int) = counting_rebuild<bins>;
  hipLaunchKernelGGL(kernel, dim3(1), dim3(threads), shared, 0, d_in, d_out, n);
  CU(hipGetLastError());
  CU(hipMemcpy(out.data(), d_out, (n + 1) * sizeof(int), hipMemcpyDeviceToHost));
  CU(hipFree(d_in));
  CU(hipFree(d_out));

  bool ok = out[n] == 1;
  for (int i = 1; i < n; ++i) ok = ok && out[i - 1] <= out[i];
  for (int i = 0; i < n; ++i) --expected_count[out[i] % bins];
  for (int c : expected_count) ok = ok && c == 0;
  std::printf("counting: %d keys, %s\n", n, ok ? "ok" : "WRONG");
  return ok;
}

static bool test_large_segment() {
  const int length = 7168, segments = 5;  // 56 KiB of doubles per block
  const size_t bytes = length * sizeof(double);
  std::vector<double> host(length * segments), got(host.size());
  for (size_t i = 0; i < host.size(); ++i) host[i] = 0.5 * static_cast<double>(i);

  double* d_data;
  CU(hipMalloc(&d_data, host.size() * sizeof(double)));
  CU(hipMemcpy(d_data, host.data(), host.size() * sizeof(double), hipMemcpyHostToDevice));

  auto kernel = reverse_segment<double>;
  CU(hipFuncSetAttribute(reinterpret_cast<const void*>(kernel), hipFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  CU(hipFuncSetCacheConfig(reinterpret_cast<const void*>(reverse_segment<double>), hipFuncCachePreferShared));
  hipLaunchKernelGGL(reverse_segment<double>, dim3(segments), dim3(256), bytes, 0, d_data, length);
  CU(hipGetLastError());
  CU(hipMemcpy(got.data(), d_data, host.size() * sizeof(double), hipMemcpyDeviceToHost));
  CU(hipFree(d_data));

  int wrong = 0;
  for (int s = 0; s < segments; ++s)
    for (int i = 0; i < length; ++i)
      wrong += got[s * length + i] != host[s * length + length - 1 - i];
  std::printf("segments: %d x %d doubles, wrong %d\n", segments, length, wrong);
  return wrong == 0;
}

static bool test_occupancy() {
  const int n = 200000;
  int min_grid = 0, block = 0, resident = 0;
  CU(hipOccupancyMaxPotentialBlockSize(&min_grid, &block, axpy, 0, 0));
  CU(hipOccupancyMaxActiveBlocksPerMultiprocessor(&resident, axpy, block, 0));

  hipFuncAttributes attributes;
  std::memset(&attributes, 0, sizeof(attributes));
  CU(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(axpy)));

  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 128);
    y[i] = 1.0f;
  }
  float *d_x, *d_y;
  CU(hipMalloc(&d_x, n * sizeof(float)));
  CU(hipMalloc(&d_y, n * sizeof(float)));
  CU(hipMemcpy(d_x, x.data(), n * sizeof(float), hipMemcpyHostToDevice));
  CU(hipMemcpy(d_y, y.data(), n * sizeof(float), hipMemcpyHostToDevice));
  hipLaunchKernelGGL(axpy, dim3(min_grid), dim3(block), 0, 0, 0.5f, d_x, d_y, n);
  CU(hipGetLastError());
  CU(hipMemcpy(y.data(), d_y, n * sizeof(float), hipMemcpyDeviceToHost));
  CU(hipFree(d_x));
  CU(hipFree(d_y));

  double sum = 0;
  bool ok = true;
  for (int i = 0; i < n; ++i) {
    ok = ok && y[i] == 1.0f + 0.5f * (i % 128);
    sum += y[i];
  }
  const bool plausible = min_grid >= 1 && resident >= 1 && block >= 32 && block <= attributes.maxThreadsPerBlock;
  std::printf("occupancy: sizes plausible: %s, sum %.1f\n", plausible ? "yes" : "no", sum);
  return ok && plausible;
}

int main() {
  bool ok = test_counting();
  ok = test_large_segment() && ok;
  ok = test_occupancy() && ok;
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
