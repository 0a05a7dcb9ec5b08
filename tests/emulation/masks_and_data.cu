// Masks beside data: what each thread of a block of 64 gets is worked out in test_masks_and_data.py.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define NONE 0xFFFFFFFF

// One variable for data first, and for a mask then.
__global__ void reused(const int *in, unsigned *out) {
  unsigned r = in[threadIdx.x];
  unsigned top = r >> 28;
  r = __ballot_sync(0xffffffff, in[threadIdx.x] & 1);
  out[threadIdx.x] = top * 1000 + __popc(r);
}

// A mask first, its count then, which may be -1.
__global__ void counted(const int *in, unsigned *out) {
  int r = __ballot_sync(0xffffffff, in[threadIdx.x] > 1000);
  r = __ffs(r) - 1;
  out[threadIdx.x] = r < 0 ? 7 : 8;
}

// The halves of 64 bits, shuffled one by one.
__device__ unsigned long long from_below(unsigned long long value) {
  unsigned low = __shfl_up_sync(0xffffffff, (int)value, 1, 32);
  unsigned high = __shfl_up_sync(0xffffffff, (int)(value >> 32), 1, 32);
  return ((unsigned long long)high << 32) | low;
}

__global__ void halves(const int *in, unsigned *out) {
  unsigned long long lanes = __ballot_sync(0xffffffff, in[threadIdx.x] > 1000);
  lanes = from_below(lanes);
  unsigned long long value = (unsigned long long)(in[threadIdx.x] + 100) * 0x300000005ull;
  out[threadIdx.x] = (unsigned)(from_below(value) >> 20) + __popcll(lanes);
}

// 0xFFFFFFFF as a mask, and as no key.
__global__ void sentinel(const int *in, unsigned *out) {
  unsigned best = NONE;
  if (in[threadIdx.x] % 3 == 0) best = in[threadIdx.x] + 100;
  int found = __any_sync(NONE, best != NONE);
  out[threadIdx.x] = best == NONE ? 1 : 2 + found;
}

// A mask from a lambda, through a template.
template <class F>
__device__ int count(F vote) {
  auto lanes = vote();
  return __popc(lanes);
}

__global__ void behind_lambda(const int *in, unsigned *out) {
  int value = in[threadIdx.x];
  out[threadIdx.x] = count([=] { return __ballot_sync(0xffffffff, value < 1000); });
}

// A type that is a mask's only by what it is taken from.
__global__ void taken_type(const int *in, unsigned *out) {
  decltype(__activemask()) lanes = 0;
  for (int lane = 0; lane < 31; ++lane) lanes |= 1u << lane;
  out[threadIdx.x] = __popc(lanes & __ballot_sync(0xffffffff, in[threadIdx.x] < 1000));
}

// A type that a template or an alias names.
typedef unsigned word;

template <typename T>
__device__ T vote(int value) {
  return (T)__ballot_sync(0xffffffff, value < 1000);
}

__global__ void named_type(const int *in, unsigned *out) {
  word first = (word)__ballot_sync(0xffffffff, in[threadIdx.x] < 1000);
  unsigned second = vote<unsigned>(in[threadIdx.x]);
  out[threadIdx.x] = __popc(first) * 100 + __popc(second);
}

// Keys that are swapped by reference, in a source with masks.
__device__ void exchange(unsigned &a, unsigned &b) {
  unsigned kept = a;
  a = b;
  b = kept;
}

__global__ void keys(const int *in, unsigned *out) {
  unsigned low = in[threadIdx.x] * 3, high = low << 7;
  if (low > high) exchange(low, high);
  unsigned lanes = __ballot_sync(0xffffffff, high > low);
  out[threadIdx.x] = (high >> 9) + (low >> 30) + (lanes != 0);
}

// The lanes with the same key, one after the other; the variable held the key's hash.
__global__ void peers(const int *in, unsigned *out) {
  unsigned x = in[threadIdx.x] * 2654435761u;
  unsigned hash = x ^ (x >> 15);
  x = __match_any_sync(0xffffffff, in[threadIdx.x] & 1);
  unsigned steps = 0;
  while (x) {
    x &= x - 1;
    ++steps;
  }
  out[threadIdx.x] = hash % 1000 * 100 + steps;
}

int main(int, char **arguments) {
  int in[64];
  for (int i = 0; i < 64; ++i) in[i] = i - 40;
  int *input;
  unsigned *output, host[64];
  cudaMalloc(&input, sizeof in);
  cudaMalloc(&output, sizeof host);
  cudaMemcpy(input, in, sizeof in, cudaMemcpyHostToDevice);
  const char *name = arguments[1];
#define RUN(kernel) \
  if (!strcmp(name, #kernel)) kernel<<<1, 64>>>(input, output)
  RUN(reused);
  RUN(counted);
  RUN(halves);
  RUN(sentinel);
  RUN(behind_lambda);
  RUN(taken_type);
  RUN(named_type);
  RUN(keys);
  RUN(peers);
  cudaMemcpy(host, output, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) printf("%u\n", host[i]);
  return cudaDeviceSynchronize() != cudaSuccess;
}
