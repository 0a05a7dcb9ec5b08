#include <cuda_runtime.h>

extern __device__ float twice(float value);

__global__ void run(float *data) { data[threadIdx.x] = twice(data[threadIdx.x]); }

int main()
{
    float *data = nullptr;
    cudaMalloc(&data, 256 * sizeof(float));
    run<<<1, 256>>>(data);
    return 0;
}
