// PTX with predicates and registers of its own: clamps, saturating sums, guarded loads, a loop-free select.
#include <hip/hip_runtime.h>
#include <climits>
#include <cstdio>
#include <vector>

// Loads only where the guard holds; keeps the default elsewhere, and never touches the address.
__device__ __forceinline__ int guarded_load(const int *p, bool guard, int otherwise) {
  int value;
  do {
    const unsigned in2 = (int)guard;
    bool p_;
    unsigned out0;
    p_ = in2 != 0u;
    out0 = otherwise;
    if (p_) out0 = *(const volatile unsigned*)p;
    value = out0;
  } while (0);
  return value;
}

__device__ __forceinline__ void guarded_store(int *p, int value, bool guard) {
  do {
    const unsigned in2 = (int)guard;
    bool p_;
    p_ = in2 != 0u;
    if (p_) *(int*)p = value;
  } while (0);
}

// low <= x <= high by setp and selp
__device__ __forceinline__ int clamp_selp(int x, int low, int high) {
  int r;
  do {
    const unsigned in1 = x;
    const unsigned in2 = low;
    const unsigned in3 = high;
    bool a, b;
    int t;
    a = static_cast<int>(in1) < static_cast<int>(in2);
    t = a ? static_cast<int>(in2) : static_cast<int>(in1);
    b = t > static_cast<int>(in3);
    r = b ? static_cast<int>(in3) : t;
  } while (0);
  return r;
}

__device__ __forceinline__ int saturating_add(int a, int b) {
  int r;
  r = __builtin_elementwise_add_sat(a, b);
  return r;
}

// |a - b| + c
__device__ __forceinline__ unsigned sum_of_differences(int a, int b, unsigned c) {
  unsigned r;
  r = (a < b ? 0u + b - a : 0u + a - b) + c;
  return r;
}

// 64-bit product through a wide multiplication, added to an accumulator
__device__ __forceinline__ long long mad_wide(int a, int b, long long c) {
  long long r;
  r = static_cast<long long>(a) * b + (unsigned long long)c;
  return r;
}

// 1 when x is strictly inside, by combined predicates
__device__ __forceinline__ int inside(int x, int low, int high) {
  int r;
  do {
    const unsigned in1 = x;
    bool p, q;
    p = static_cast<int>(in1) > low;
    q = (static_cast<int>(in1) < high) && p;
    r = q ? 1u : 0u;
  } while (0);
  return r;
}

struct Out { int loaded, clamped, added, within; unsigned distance; long long product; };

__global__ void run(const int *in, int n, Out *out, int *evens) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int a = in[i];
  const int b = guarded_load(in + i + 1, i + 1 < n, -7);
  Out o;
  o.loaded = b;
  o.clamped = clamp_selp(a, -1000, 2000);
  o.added = saturating_add(a, b);
  o.within = inside(a, -1000, 2000);
  o.distance = sum_of_differences(a / 2, b / 2, 5u);
  o.product = mad_wide(a, b, 1000000007ll);
  out[i] = o;
  guarded_store(evens + i, a, a % 2 == 0);
}

int main() {
  const int n = 3001;
  std::vector<int> in(n), evens(n, -1);
  std::vector<Out> out(n);
  unsigned state = 99;
  for (int i = 0; i < n; ++i) {
    state = state * 1103515245u + 12345u;
    in[i] = i % 10 == 0 ? INT_MAX - i : i % 10 == 1 ? INT_MIN + i : (int)state >> (i % 20);
  }
  int *d_in, *d_evens;
  Out *d_out;
  hipMalloc(&d_in, n * sizeof(int));
  hipMalloc(&d_evens, n * sizeof(int));
  hipMalloc(&d_out, n * sizeof(Out));
  hipMemcpy(d_in, in.data(), n * sizeof(int), hipMemcpyHostToDevice);
  hipMemcpy(d_evens, evens.data(), n * sizeof(int), hipMemcpyHostToDevice);
  hipLaunchKernelGGL(run, dim3((n + 63) / 64), dim3(64), 0, 0, d_in, n, d_out, d_evens);
  hipMemcpy(out.data(), d_out, n * sizeof(Out), hipMemcpyDeviceToHost);
  hipMemcpy(evens.data(), d_evens, n * sizeof(int), hipMemcpyDeviceToHost);
  if (hipGetLastError() != hipSuccess) {
    std::printf("the device failed\n");
    return 1;
  }

  int wrong = 0, stored = 0, within = 0;
  for (int i = 0; i < n; ++i) {
    const int a = in[i], b = i + 1 < n ? in[i + 1] : -7;
    const long long s = (long long)a + b, d = (long long)(a / 2) - b / 2;
    wrong += out[i].loaded != b;
    wrong += out[i].clamped != (a < -1000 ? -1000 : a > 2000 ? 2000 : a);
    wrong += out[i].added != (s > INT_MAX ? INT_MAX : s < INT_MIN ? INT_MIN : (int)s);
    wrong += out[i].within != (a > -1000 && a < 2000);
    wrong += out[i].distance != (unsigned)((d < 0 ? -d : d) + 5);
    wrong += out[i].product != (long long)a * b + 1000000007ll;
    wrong += evens[i] != (a % 2 == 0 ? a : -1);
    stored += a % 2 == 0;
    within += out[i].within;
  }
  std::printf("stored %d, within %d, wrong %d\n", stored, within, wrong);
  hipFree(d_in);
  hipFree(d_evens);
  hipFree(d_out);
  std::puts(wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
