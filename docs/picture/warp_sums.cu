#include <cublas_v2.h>

// Each warp adds up 32 values; cuBLAS adds up the sums.
__global__ void warp_sums(const float *in, float *sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = in[i];
    for (int lanes = 16; lanes > 0; lanes /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, lanes);
    if (threadIdx.x % 32 == 0) sums[i / 32] = sum;
}

void total(cublasHandle_t handle, const float *in, float *sums, int n, float *out) {
    warp_sums<<<n / 256, 256>>>(in, sums);
    cublasSetSmCountTarget(handle, 16);
    cublasSasum(handle, n / 32, sums, 1, out);
}
