// Reductions and atomics in PTX, with fences: a histogram, a work queue and a ticket that tells the last block.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <cstdio>
#include <cstdlib>
#include <vector>

typedef unsigned long long u64;

__device__ __forceinline__ void red_add(int *address, int value) {
  atomicAdd((int*)address, value);
}

__device__ __forceinline__ void red_add_f32(float *address, float value) {
  atomicAdd((float*)address, value);
}

__device__ __forceinline__ unsigned atom_max(unsigned *address, unsigned value) {
  unsigned old;
  old = atomicMax((unsigned*)address, value);
  return old;
}

__device__ __forceinline__ u64 atom_cas64(u64 *address, u64 compare, u64 value) {
  u64 old;
  old = atomicCAS((unsigned long long*)address, compare, value);
  return old;
}

__device__ __forceinline__ unsigned atom_inc(unsigned *address, unsigned limit) {
  unsigned old;
  old = atomicInc((unsigned*)address, limit);
  return old;
}

__device__ __forceinline__ int atom_exch_shared(int *shared, int value) {
  int old;
  const unsigned address = static_cast<unsigned>(hipify::shared_address(shared));
  old = atomicExch(hipify::shared_pointer<unsigned>(address), static_cast<unsigned>(value));
  return old;
}

struct Totals {
  int bins[16];
  float sum;
  unsigned largest;
  unsigned ticket;
  int last_sees;   // the sum of all bins, as the last block reads it
  int firsts;
  u64 packed;      // count in the upper half, xor in the lower
};

__global__ void gather(const unsigned *in, int n, Totals *t) {
  __shared__ int taken;
  if (threadIdx.x == 0)
    taken = 0;
  __syncthreads();
  if (atom_exch_shared(&taken, 1) == 0)
    red_add(&t->firsts, 1);   // one thread of each block

  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    red_add(&t->bins[in[i] % 16], 1);
    red_add_f32(&t->sum, (float)(in[i] % 4));
    atom_max(&t->largest, in[i]);
    if (i % 1000 == 0) {
      u64 seen = t->packed, want;
      do {
        want = seen;
        u64 next = (((want >> 32) + 1) << 32) | ((unsigned)want ^ in[i]);
        seen = atom_cas64(&t->packed, want, next);
      } while (seen != want);
    }
  }

  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    if (atom_inc(&t->ticket, gridDim.x - 1) == gridDim.x - 1) {
      __threadfence();
      int all = 0;
      for (int b = 0; b < 16; ++b)
        all += *(volatile int *)&t->bins[b];
      t->last_sees = all;
    }
  }
}

#define CUDA(call) do { if (hipError_t e = call) { printf("%s\n", hipGetErrorString(e)); exit(1); } } while (0)

int main() {
  const int n = 50000;
  std::vector<unsigned> in(n);
  Totals want{}, got{};
  for (int i = 0; i < n; ++i) {
    in[i] = (unsigned)i * 2891336453u >> 4;
    want.bins[in[i] % 16]++;
    want.sum += (float)(in[i] % 4);
    want.largest = in[i] > want.largest ? in[i] : want.largest;
    if (i % 1000 == 0) want.packed = (((want.packed >> 32) + 1) << 32) | ((unsigned)want.packed ^ in[i]);
  }
  unsigned *d_in;
  Totals *d_totals;
  CUDA(hipMalloc(&d_in, n * sizeof(unsigned)));
  CUDA(hipMalloc(&d_totals, sizeof(Totals)));
  CUDA(hipMemcpy(d_in, in.data(), n * sizeof(unsigned), hipMemcpyHostToDevice));
  CUDA(hipMemset(d_totals, 0, sizeof(Totals)));
  hipLaunchKernelGGL(gather, dim3(30), dim3(128), 0, 0, d_in, n, d_totals);
  CUDA(hipGetLastError());
  CUDA(hipMemcpy(&got, d_totals, sizeof(Totals), hipMemcpyDeviceToHost));

  int wrong = 0;
  for (int b = 0; b < 16; ++b) wrong += got.bins[b] != want.bins[b];
  wrong += got.sum != want.sum;          // small whole numbers: exact in any order
  wrong += got.largest != want.largest;
  wrong += got.packed != want.packed;
  wrong += got.ticket != 0 || got.last_sees != n || got.firsts != 30;
  printf("bin 3: %d, sum %.0f, largest %u, packed %016llx\n", got.bins[3], got.sum, got.largest, got.packed);
  printf("last block sees %d, firsts %d, wrong %d\n", got.last_sees, got.firsts, wrong);
  CUDA(hipFree(d_in));
  CUDA(hipFree(d_totals));
  puts(wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
