// Arithmetic in half precision: scalar and packed intrinsics, conversions, and
// a dot product that accumulates in float.  Most inputs are chosen so that each
// result is representable and can be compared for equality.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kThreads = 128;

void ensure(hipError_t result, const char* step) {
  if (result == hipSuccess) return;
  std::fprintf(stderr, "%s: %s\n", step, hipGetErrorString(result));
  std::exit(EXIT_FAILURE);
}

// y = a*x + y, two values in each instruction
__global__ void axpyPacked(__half a, const __half2* x, __half2* y, int pairs) {
  const __half2 aa = __half2half2(a);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x)
    y[i] = __hfma2(aa, x[i], y[i]);
}

// Every scalar operation once; four results for each pair of inputs.
__global__ void scalarOps(const __half* x, const __half* y, __half* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half a = x[i], b = y[i];
  out[4 * i + 0] = __hadd(a, b);
  out[4 * i + 1] = __hmul(a, b);
  out[4 * i + 2] = __hgt(a, b) ? __hsub(a, b) : __hsub(b, a);
  out[4 * i + 3] = __hfma(a, b, __float2half(0.5f));
}

// sqrt(|x|), packed, with the halves of each pair exchanged
__global__ void rootsSwapped(const __half2* x, __half2* out, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const __half2 root = h2sqrt(__hmul2(x[i], x[i]));
  out[i] = __halves2half2(__high2half(root), __low2half(root));
}

__global__ void dotFloat(const __half2* x, const __half2* y, float* result, int pairs) {
  __shared__ float partial[kThreads];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
    const float2 a = __half22float2(x[i]);
    const float2 b = __half22float2(y[i]);
    sum += a.x * b.x + a.y * b.y;
  }
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int step = kThreads / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) partial[threadIdx.x] += partial[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(result, partial[0]);
}

__global__ void toInts(const __half* x, int* rounded, unsigned short* bits, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half quarter = __float2half_rn(0.25f);
  rounded[i] = __half2int_rn(__hmul(x[i], quarter));  // ties to even
  bits[i] = __half_as_ushort(__hneg(x[i]));
}

template <typename T>
T* deviceCopy(const std::vector<T>& host) {
  T* dev = nullptr;
  ensure(hipMalloc(reinterpret_cast<void**>(&dev), host.size() * sizeof(T)), "cudaMalloc");
  ensure(hipMemcpy(dev, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice), "upload");
  return dev;
}

template <typename T>
std::vector<T> hostCopy(const T* dev, size_t n) {
  std::vector<T> host(n);
  ensure(hipMemcpy(host.data(), dev, n * sizeof(T), hipMemcpyDeviceToHost), "download");
  return host;
}

}  // namespace

int main() {
  const int n = 8192, pairs = n / 2, blocks = n / kThreads;
  std::vector<__half> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = __float2half(static_cast<float>(i % 31 - 15));
    y[i] = __float2half(0.25f * static_cast<float>(i % 23 - 11));
  }
  __half* dx = deviceCopy(x);
  __half* dy = deviceCopy(y);
  __half* dout = deviceCopy(std::vector<__half>(4 * n, __float2half(0.0f)));
  float* ddot = deviceCopy(std::vector<float>(1, 0.0f));
  int* dints = deviceCopy(std::vector<int>(n));
  unsigned short* dbits = deviceCopy(std::vector<unsigned short>(n));
  __half2* dx2 = reinterpret_cast<__half2*>(dx);
  __half2* dy2 = reinterpret_cast<__half2*>(dy);

  int wrong = 0;

  hipLaunchKernelGGL(scalarOps, dim3(blocks), dim3(kThreads), 0, 0, dx, dy, dout, n);
  ensure(hipGetLastError(), "scalarOps");
  std::vector<__half> ops = hostCopy(dout, 4 * n);
  for (int i = 0; i < n; ++i) {
    const float a = __half2float(x[i]), b = __half2float(y[i]);
    const float want[4] = {a + b, a * b, std::fabs(a - b), a * b + 0.5f};
    for (int k = 0; k < 4; ++k) wrong += __half2float(ops[4 * i + k]) != want[k];
  }
  std::printf("scalar operations: wrong %d\n", wrong);

  hipLaunchKernelGGL(dotFloat, dim3(16), dim3(kThreads), 0, 0, dx2, dy2, ddot, pairs);
  ensure(hipGetLastError(), "dotFloat");
  const float dot = hostCopy(ddot, 1)[0];
  double wantDot = 0;
  for (int i = 0; i < n; ++i) wantDot += double(__half2float(x[i])) * __half2float(y[i]);
  std::printf("dot %.2f\n", dot);
  wrong += dot != static_cast<float>(wantDot);

  hipLaunchKernelGGL(rootsSwapped, dim3(blocks), dim3(kThreads), 0, 0, dx2, reinterpret_cast<__half2*>(dout), pairs);
  ensure(hipGetLastError(), "rootsSwapped");
  std::vector<__half> roots = hostCopy(dout, n);
  int off = 0;
  for (int i = 0; i < n; ++i)
    off += std::fabs(__half2float(roots[i]) - std::fabs(__half2float(x[i ^ 1]))) > 0.01f;
  std::printf("packed roots: off %d\n", off);

  hipLaunchKernelGGL(toInts, dim3(blocks), dim3(kThreads), 0, 0, dx, dints, dbits, n);
  ensure(hipGetLastError(), "toInts");
  const std::vector<int> ints = hostCopy(dints, n);
  const std::vector<unsigned short> bits = hostCopy(dbits, n);
  long intSum = 0;
  unsigned long bitSum = 0;
  for (int i = 0; i < n; ++i) {
    const float v = __half2float(x[i]);
    wrong += ints[i] != static_cast<int>(std::nearbyint(v / 4));
    if (v != 0.0f) wrong += (bits[i] >> 15) != (v > 0.0f);  // the sign has been flipped
    intSum += ints[i] * (i % 3);
    if (v != 0.0f) bitSum += bits[i];
  }
  std::printf("rounded sum %ld bit sum %lu\n", intSum, bitSum);

  hipLaunchKernelGGL(axpyPacked, dim3(8), dim3(kThreads), 0, 0, __float2half(-2.0f), dx2, dy2, pairs);
  ensure(hipGetLastError(), "axpyPacked");
  std::vector<__half> axpy = hostCopy(dy, n);
  for (int i = 0; i < n; ++i)
    wrong += __half2float(axpy[i]) != -2.0f * __half2float(x[i]) + __half2float(y[i]);
  std::printf("after packed axpy: wrong %d\n", wrong);

  ensure(hipFree(dx), "cudaFree");
  ensure(hipFree(dy), "cudaFree");
  ensure(hipFree(dout), "cudaFree");
  ensure(hipFree(ddot), "cudaFree");
  ensure(hipFree(dints), "cudaFree");
  ensure(hipFree(dbits), "cudaFree");
  const bool ok = wrong == 0 && off == 0;
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
