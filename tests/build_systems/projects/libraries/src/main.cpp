#include "../include/math.hpp"

int main()
{
    cublasHandle_t handle;
    float *data = nullptr;
    cudaMalloc(reinterpret_cast<void **>(&data), 4096);
    scale(data, 1024);
    return create(&handle);
}
