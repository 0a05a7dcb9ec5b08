#include <cuda_runtime.h>

int devices()
{
    int count = 0;
    cudaGetDeviceCount(&count);
    return count;
}
