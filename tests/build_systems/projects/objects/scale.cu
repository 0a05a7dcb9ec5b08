__global__ void scale(float* x, float by) { x[threadIdx.x] *= by; }

void scale_on_gpu(float* x, int n, float by)
{
  float* device;
  cudaMalloc(&device, n * sizeof(float));
  cudaMemcpy(device, x, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<1, n>>>(device, by);
  cudaMemcpy(x, device, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(device);
}
