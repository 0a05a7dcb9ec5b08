#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>

#include "ops_kernel.h"

__global__ void doubled_kernel(const float* input, float* output, int count) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count) output[index] = 2 * input[index];
}

torch::Tensor doubled_cuda(torch::Tensor input) {
  const at::cuda::OptionalCUDAGuard guard(device_of(input));
  auto output = torch::empty_like(input);
  const int count = input.numel();
  cudaStream_t stream = at::cuda::getCurrentCUDAStream();
  doubled_kernel<<<(count + 255) / 256, 256, 0, stream>>>(input.data_ptr<float>(), output.data_ptr<float>(), count);
  AT_CUDA_CHECK(cudaGetLastError());
  return output;
}
