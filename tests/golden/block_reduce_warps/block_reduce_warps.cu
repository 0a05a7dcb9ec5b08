// Layer normalisation statistics: a block per row, mean and variance in one pass.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#include <hip/hip_runtime.h>

#include "block_reduce.cuh"

#define check_cuda_error(val) check((val), #val, __LINE__)
static void check(hipError_t result, char const *const func, int const line)
{
    if (result) {
        fprintf(stderr, "CUDA error %d at line %d: %s\n", (int)result, line, func);
        exit(1);
    }
}

template <typename T>
__global__ void rowStatistics(const T *input, float *mean, float *rstd, int width, float eps)
{
    __shared__ float s_mean;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < width; i += blockDim.x)
        sum += (float)input[blockIdx.x * width + i];
    sum = blockReduceSum<float>(sum);
    if (threadIdx.x == 0)
        s_mean = sum / width;
    __syncthreads();

    float squares = 0.0f;
    for (int i = threadIdx.x; i < width; i += blockDim.x) {
        float diff = (float)input[blockIdx.x * width + i] - s_mean;
        squares += diff * diff;
    }
    squares = blockReduceSum<float>(squares);
    if (threadIdx.x == 0) {
        mean[blockIdx.x] = s_mean;
        rstd[blockIdx.x] = rsqrtf(squares / width + eps);
    }
}

__global__ void countNegative(const float *input, long long *total, int n)
{
    long long mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += input[i] < 0.0f;
    mine = blockReduceSum(mine);
    if (threadIdx.x == 0)
        atomicAdd((unsigned long long *)total, (unsigned long long)mine);
}

int main()
{
    const int rows = 100, width = 1500;
    const float eps = 1e-5f;
    std::vector<float> in(rows * width), mean(rows), rstd(rows);
    for (int i = 0; i < rows * width; i++)
        in[i] = (float)((i * 7919LL) % 4001 - 1900) / 500.0f + (float)(i / width) * 0.01f;

    float *d_in, *d_mean, *d_rstd;
    long long *d_total, total = 0, want_total = 0;
    check_cuda_error(hipMalloc(&d_in, in.size() * sizeof(float)));
    check_cuda_error(hipMalloc(&d_mean, rows * sizeof(float)));
    check_cuda_error(hipMalloc(&d_rstd, rows * sizeof(float)));
    check_cuda_error(hipMalloc(&d_total, sizeof(long long)));
    check_cuda_error(hipMemset(d_total, 0, sizeof(long long)));
    check_cuda_error(hipMemcpy(d_in, in.data(), in.size() * sizeof(float), hipMemcpyHostToDevice));

    int wrong = 0;
    for (int threads : {1024, 512, 128, 64}) {
        hipLaunchKernelGGL(rowStatistics<float>, dim3(rows), dim3(threads), 0, 0, d_in, d_mean, d_rstd, width, eps);
        check_cuda_error(hipGetLastError());
        check_cuda_error(hipMemcpy(mean.data(), d_mean, rows * sizeof(float), hipMemcpyDeviceToHost));
        check_cuda_error(hipMemcpy(rstd.data(), d_rstd, rows * sizeof(float), hipMemcpyDeviceToHost));
        int bad = 0;
        for (int r = 0; r < rows; r++) {
            double m = 0, v = 0;
            for (int i = 0; i < width; i++) m += in[r * width + i];
            m /= width;
            for (int i = 0; i < width; i++) v += (in[r * width + i] - m) * (in[r * width + i] - m);
            bad += fabs(mean[r] - m) > 1e-4 || fabs(rstd[r] - 1.0 / sqrt(v / width + eps)) > 1e-4;
        }
        printf("%4d threads: %d rows, wrong %d\n", threads, rows, bad);
        wrong += bad;
    }

    hipLaunchKernelGGL(countNegative, dim3(33), dim3(320), 0, 0, d_in, d_total, rows * width);
    check_cuda_error(hipMemcpy(&total, d_total, sizeof total, hipMemcpyDeviceToHost));
    for (float x : in) want_total += x < 0.0f;
    printf("negative: %lld\n", total);
    wrong += total != want_total;

    check_cuda_error(hipFree(d_in));
    check_cuda_error(hipFree(d_mean));
    check_cuda_error(hipFree(d_rstd));
    check_cuda_error(hipFree(d_total));
    printf("%s\n", wrong ? "FAIL" : "PASS");
    return wrong ? 1 : 0;
}
