#include <cuda_runtime.h>

void scale(float *data, float by, int count);

int main(void)
{
    float *data = 0;
    cudaMalloc((void **)&data, 1024 * sizeof(float));
    scale(data, 2.0f, 1024);
    cudaFree(data);
    return 0;
}
