#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <hip/hip_cooperative_groups.h>
#include <hipblas/hipblas.h>
#include <hipcub/hipcub.hpp>
#include <thrust/sort.h>

namespace cg = cooperative_groups;

__constant__ float table[4];

template <typename T, int N>
__global__ void scale(T *data, int n) {
  extern __shared__ unsigned char buffer[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  cg::thread_block block = cg::this_thread_block();
  block.sync();
  if (i < n) data[i] *= T(N) * table[i % 4];
  __syncthreads();
}

void run(float *data, int n, hipStream_t stream) {
  const float host[4] = {1, 2, 3, 4};
  hipMemcpyToSymbol(HIP_SYMBOL(table), host, sizeof host);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<float, 3>), dim3((n + 255) / 256), dim3(256), 0, stream, data, n);
  hipEvent_t event;
  hipEventCreateWithFlags(&event, hipEventDisableTiming);
  hipcub::DeviceReduce::Sum(nullptr, reinterpret_cast<size_t &>(n), data, data, n);
  float *pinned;
  hipHostMalloc(&pinned, n, hipHostMallocDefault);
  if (hipGetLastError() != hipSuccess) hipDeviceReset();
}
