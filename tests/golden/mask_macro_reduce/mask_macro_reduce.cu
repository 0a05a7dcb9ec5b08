// Row norms of a matrix: one warp per row, the mask of the whole warp behind a macro.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <hip/hip_runtime.h>

#define FULL_MASK 0xffffffff
#define WARP_SIZE 32
#define WARPS_PER_BLOCK 4

#define cudaCheck(ans) gpuAssert((ans), __FILE__, __LINE__)
inline void gpuAssert(hipError_t code, const char *file, int line) {
  if (code != hipSuccess) {
    fprintf(stderr, "GPUassert: %s %s %d\n", hipGetErrorString(code), file, line);
    exit(code);
  }
}

__inline__ __device__ int warpReduceSum(int val) {
  for (int offset = WARP_SIZE / 2; offset > 0; offset /= 2)
    val += __shfl_down(val, offset, 32);
  return val;
}

__inline__ __device__ int warpReduceMax(int val) {
#pragma unroll
  for (int mask = WARP_SIZE / 2; mask > 0; mask /= 2)
    val = max(val, __shfl_xor(val, mask, 32));
  return val;
}

__global__ void rowNorms(const int *a, int *l1, int *linf, int rows, int cols) {
  const int lane = threadIdx.x % WARP_SIZE;
  const int warp = threadIdx.x / WARP_SIZE;
  const int row = blockIdx.x * WARPS_PER_BLOCK + warp;
  if (row >= rows)
    return;

  int sum = 0, largest = 0;
  for (int c = lane; c < cols; c += WARP_SIZE) {
    const int v = abs(a[row * cols + c]);
    sum += v;
    largest = max(largest, v);
  }
  sum = warpReduceSum(sum);
  largest = warpReduceMax(largest);
  if (lane == 0) {
    l1[row] = sum;
    linf[row] = largest;
  }
}

int main() {
  const int rows = 250, cols = 173;
  std::vector<int> a(rows * cols), l1(rows), linf(rows);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<int>((i * 2654435761u) % 2001u) - 1000;

  int *dA, *dL1, *dLinf;
  cudaCheck(hipMalloc(&dA, a.size() * sizeof(int)));
  cudaCheck(hipMalloc(&dL1, rows * sizeof(int)));
  cudaCheck(hipMalloc(&dLinf, rows * sizeof(int)));
  cudaCheck(hipMemcpy(dA, a.data(), a.size() * sizeof(int), hipMemcpyHostToDevice));

  const int blocks = (rows + WARPS_PER_BLOCK - 1) / WARPS_PER_BLOCK;
  hipLaunchKernelGGL(rowNorms, dim3(blocks), dim3(WARPS_PER_BLOCK * WARP_SIZE), 0, 0, dA, dL1, dLinf, rows, cols);
  cudaCheck(hipGetLastError());
  cudaCheck(hipMemcpy(l1.data(), dL1, rows * sizeof(int), hipMemcpyDeviceToHost));
  cudaCheck(hipMemcpy(linf.data(), dLinf, rows * sizeof(int), hipMemcpyDeviceToHost));

  int wrong = 0;
  long total = 0;
  for (int r = 0; r < rows; ++r) {
    int sum = 0, largest = 0;
    for (int c = 0; c < cols; ++c) {
      const int v = std::abs(a[r * cols + c]);
      sum += v;
      largest = v > largest ? v : largest;
    }
    wrong += l1[r] != sum || linf[r] != largest;
    total += l1[r];
  }
  printf("rows %d, sum of norms %ld, first maximum %d, wrong %d\n", rows, total, linf[0], wrong);

  cudaCheck(hipFree(dA));
  cudaCheck(hipFree(dL1));
  cudaCheck(hipFree(dLinf));
  printf(wrong ? "FAIL\n" : "PASS\n");
  return wrong != 0;
}
