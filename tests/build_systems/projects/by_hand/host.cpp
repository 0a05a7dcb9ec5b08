#include <cuda_runtime.h>

__global__ void run(int *data) { *data = 1; }

int main()
{
    int *data = nullptr;
    cudaMalloc(&data, sizeof(int));
    run<<<1, 1>>>(data);
    return 0;
}
