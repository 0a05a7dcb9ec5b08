// Dynamic shared memory: several arrays carved out of one block, more than
// 48 KiB after asking for it, and launch sizes from the occupancy API.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CU(call)                                                       \
  if (auto cu_rc = (call); cu_rc != cudaSuccess) {                     \
    std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(cu_rc)); \
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
  CU(cudaMalloc(&d_in, n * sizeof(int)));
  CU(cudaMalloc(&d_out, (n + 1) * sizeof(int)));
  CU(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));

  const size_t shared = bins * sizeof(int) + threads * sizeof(short) + sizeof(unsigned char);
  void (*kernel)(const int*, int*, int) = counting_rebuild<bins>;
  kernel<<<1, threads, shared>>>(d_in, d_out, n);
  CU(cudaGetLastError());
  CU(cudaMemcpy(out.data(), d_out, (n + 1) * sizeof(int), cudaMemcpyDeviceToHost));
  CU(cudaFree(d_in));
  CU(cudaFree(d_out));

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
  CU(cudaMalloc(&d_data, host.size() * sizeof(double)));
  CU(cudaMemcpy(d_data, host.data(), host.size() * sizeof(double), cudaMemcpyHostToDevice));

  auto kernel = reverse_segment<double>;
  CU(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  CU(cudaFuncSetCacheConfig(reverse_segment<double>, cudaFuncCachePreferShared));
  reverse_segment<double><<<segments, 256, bytes>>>(d_data, length);
  CU(cudaGetLastError());
  CU(cudaMemcpy(got.data(), d_data, host.size() * sizeof(double), cudaMemcpyDeviceToHost));
  CU(cudaFree(d_data));

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
  CU(cudaOccupancyMaxPotentialBlockSize(&min_grid, &block, axpy, 0, 0));
  CU(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, axpy, block, 0));

  cudaFuncAttributes attributes;
  std::memset(&attributes, 0, sizeof(attributes));
  CU(cudaFuncGetAttributes(&attributes, axpy));

  std::vector<float> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 128);
    y[i] = 1.0f;
  }
  float *d_x, *d_y;
  CU(cudaMalloc(&d_x, n * sizeof(float)));
  CU(cudaMalloc(&d_y, n * sizeof(float)));
  CU(cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CU(cudaMemcpy(d_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  axpy<<<min_grid, block>>>(0.5f, d_x, d_y, n);
  CU(cudaGetLastError());
  CU(cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost));
  CU(cudaFree(d_x));
  CU(cudaFree(d_y));

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
