#ifdef WITH_CUDA
#include <cuda_runtime.h>
void scale(float *data, float by, int count);
#endif

int main()
{
#ifdef WITH_CUDA
    float *data = nullptr;
    cudaMalloc(&data, 1024 * sizeof(float));
    scale(data, 2.0f, 1024);
#endif
    return 0;
}
