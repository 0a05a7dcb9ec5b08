// 256-bit sums, differences and products by carry chains, against 64-bit arithmetic on the CPU.
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>
#include "uint256.cuh"

#define CUDA_CHECK(action) if ((action) != hipSuccess) { fprintf(stderr, "error in line %d\n", __LINE__); exit(1); }

struct result { uint256 sum, difference; uint32_t carry, borrow, product[16]; };

__global__ void kernel_arith(result *out, const uint256 *a, const uint256 *b, int count)
{
  int instance = blockIdx.x * blockDim.x + threadIdx.x;
  if (instance >= count)
    return;
  result r;
  r.carry = add256(r.sum, a[instance], b[instance]);
  r.borrow = sub256(r.difference, a[instance], b[instance]);
  mul256(r.product, a[instance], b[instance]);
  out[instance] = r;
}

static uint32_t next_word(uint64_t &state)
{
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (uint32_t)(state >> 32);
}

int main()
{
  const int count = 5000;
  std::vector<uint256> a(count), b(count);
  std::vector<result> got(count);
  uint64_t state = 42;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 8; k++) {
      a[i].v[k] = i % 5 == 0 ? 0xffffffffu : next_word(state);
      b[i].v[k] = i % 7 == 0 ? (k == 0) : i % 11 == 0 ? 0xffffffffu : next_word(state);
    }

  uint256 *da, *db;
  result *dr;
  CUDA_CHECK(hipMalloc((void **)&da, sizeof(uint256) * count));
  CUDA_CHECK(hipMalloc((void **)&db, sizeof(uint256) * count));
  CUDA_CHECK(hipMalloc((void **)&dr, sizeof(result) * count));
  CUDA_CHECK(hipMemcpy(da, a.data(), sizeof(uint256) * count, hipMemcpyHostToDevice));
  CUDA_CHECK(hipMemcpy(db, b.data(), sizeof(uint256) * count, hipMemcpyHostToDevice));
  hipLaunchKernelGGL(kernel_arith, dim3((count + 127) / 128), dim3(128), 0, 0, dr, da, db, count);
  CUDA_CHECK(hipGetLastError());
  CUDA_CHECK(hipMemcpy(got.data(), dr, sizeof(result) * count, hipMemcpyDeviceToHost));

  int wrong_sum = 0, wrong_difference = 0, wrong_product = 0;
  uint32_t top = 0;
  for (int i = 0; i < count; i++) {
    uint64_t carry = 0;
    int64_t borrow = 0;
    uint32_t product[16] = {0};
    for (int k = 0; k < 8; k++) {
      carry += (uint64_t)a[i].v[k] + b[i].v[k];
      wrong_sum += got[i].sum.v[k] != (uint32_t)carry;
      carry >>= 32;
      borrow += (int64_t)a[i].v[k] - b[i].v[k];
      wrong_difference += got[i].difference.v[k] != (uint32_t)borrow;
      borrow >>= 32;
      uint64_t high = 0;
      for (int j = 0; j < 8; j++) {
        high += (uint64_t)a[i].v[j] * b[i].v[k] + product[k + j];
        product[k + j] = (uint32_t)high;
        high >>= 32;
      }
      product[k + 8] = (uint32_t)high;
    }
    wrong_sum += got[i].carry != (uint32_t)carry;
    wrong_difference += got[i].borrow != (uint32_t)borrow;
    for (int k = 0; k < 16; k++) wrong_product += got[i].product[k] != product[k];
    top ^= got[i].product[15];
  }
  printf("sums wrong %d, differences wrong %d, products wrong %d, top limbs %08x\n", wrong_sum, wrong_difference, wrong_product, top);
  CUDA_CHECK(hipFree(da));
  CUDA_CHECK(hipFree(db));
  CUDA_CHECK(hipFree(dr));
  int failed = wrong_sum + wrong_difference + wrong_product;
  puts(failed ? "FAIL" : "PASS");
  return failed != 0;
}
