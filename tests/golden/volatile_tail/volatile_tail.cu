// Reductions in the old style: shared memory, unrolled last warp, volatile pointers.
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <float.h>

typedef unsigned int uint;

#define CUDA_SAFE_CALL(call) {                                              \
    hipError_t err = call;                                                   \
    if (hipSuccess != err) {                                               \
        fprintf(stderr, "Cuda error in file '%s' in line %i : %s.\n",       \
                __FILE__, __LINE__, hipGetErrorString(err));               \
        exit(EXIT_FAILURE);                                                 \
    } }

template <class T>
struct SharedMemory {
    __device__ inline operator T *() {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};

template <class T, unsigned int blockSize>
__device__ void lastWarp(volatile T *sdata, unsigned int tid)
{
    if (blockSize >= 64) { sdata[tid] += sdata[tid + 32]; __syncwarp(); }
    if (blockSize >= 32) { sdata[tid] += sdata[tid + 16]; __syncwarp(); }
    if (blockSize >= 16) { sdata[tid] += sdata[tid +  8]; __syncwarp(); }
    if (blockSize >=  8) { sdata[tid] += sdata[tid +  4]; __syncwarp(); }
    if (blockSize >=  4) { sdata[tid] += sdata[tid +  2]; __syncwarp(); }
    if (blockSize >=  2) { sdata[tid] += sdata[tid +  1]; __syncwarp(); }
}

template <class T, unsigned int blockSize>
__global__ void reduceSum(const T *g_idata, T *g_odata, unsigned int n)
{
    T *sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    T mySum = 0;
    while (i < n) {
        mySum += g_idata[i];
        if (i + blockSize < n) mySum += g_idata[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = mySum;
    __syncthreads();
    if (blockSize >= 512) { if (tid < 256) sdata[tid] += sdata[tid + 256]; __syncthreads(); }
    if (blockSize >= 256) { if (tid < 128) sdata[tid] += sdata[tid + 128]; __syncthreads(); }
    if (blockSize >= 128) { if (tid <  64) sdata[tid] += sdata[tid +  64]; __syncthreads(); }
    if (tid < 32) lastWarp<T, blockSize>(sdata, tid);
    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}

// Maximum with the tail written out in the kernel.
__global__ void reduceMax(const float *in, float *out, int n)
{
    __shared__ volatile float best[128];
    const int tid = threadIdx.x;
    float m = -FLT_MAX;
    for (int k = blockIdx.x * 128 + tid; k < n; k += 128 * gridDim.x)
        m = fmaxf(m, in[k]);
    best[tid] = m;
    __syncthreads();
    if (tid < 64) best[tid] = fmaxf(best[tid], best[tid + 64]);
    __syncthreads();
    if (tid < 32) {
        best[tid] = m = fmaxf(best[tid], best[tid + 32]); __syncwarp();
        best[tid] = m = fmaxf(m, best[tid + 16]); __syncwarp();
        best[tid] = m = fmaxf(m, best[tid + 8]); __syncwarp();
        best[tid] = m = fmaxf(m, best[tid + 4]); __syncwarp();
        best[tid] = m = fmaxf(m, best[tid + 2]); __syncwarp();
        best[tid] = m = fmaxf(m, best[tid + 1]);
    }
    if (tid == 0) out[blockIdx.x] = m;
}

template <class T>
static T sumOnDevice(const T *d_in, uint n, int threads, int blocks)
{
    T *d_part, *h_part = (T *)malloc(blocks * sizeof(T)), sum = 0;
    size_t smem = (threads <= 32 ? 2 : 1) * threads * sizeof(T);
    CUDA_SAFE_CALL(hipMalloc((void **)&d_part, blocks * sizeof(T)));
    switch (threads) {
    case 512: hipLaunchKernelGGL(HIP_KERNEL_NAME(reduceSum<T, 512>), dim3(blocks), dim3(threads), smem, 0, d_in, d_part, n); break;
    case 128: hipLaunchKernelGGL(HIP_KERNEL_NAME(reduceSum<T, 128>), dim3(blocks), dim3(threads), smem, 0, d_in, d_part, n); break;
    case  64: hipLaunchKernelGGL(HIP_KERNEL_NAME(reduceSum<T,  64>), dim3(blocks), dim3(threads), smem, 0, d_in, d_part, n); break;
    case  32: hipLaunchKernelGGL(HIP_KERNEL_NAME(reduceSum<T,  32>), dim3(blocks), dim3(threads), smem, 0, d_in, d_part, n); break;
    }
    CUDA_SAFE_CALL(hipGetLastError());
    CUDA_SAFE_CALL(hipMemcpy(h_part, d_part, blocks * sizeof(T), hipMemcpyDeviceToHost));
    for (int b = 0; b < blocks; b++) sum += h_part[b];
    CUDA_SAFE_CALL(hipFree(d_part));
    free(h_part);
    return sum;
}

int main(int argc, char **argv)
{
    const uint n = 123457;
    int *h = (int *)malloc(n * sizeof(int)), *d, want = 0, failures = 0;
    float *hf = (float *)malloc(n * sizeof(float)), *df, *dmax, part[20], most = -FLT_MAX, got = -FLT_MAX;
    for (uint i = 0; i < n; i++) {
        h[i] = (int)(i * 37u % 255u) - 100;
        hf[i] = (float)((i * 40503u) % 65521u) - 70000.0f;
        want += h[i];
        most = hf[i] > most ? hf[i] : most;
    }
    CUDA_SAFE_CALL(hipMalloc((void **)&d, n * sizeof(int)));
    CUDA_SAFE_CALL(hipMalloc((void **)&df, n * sizeof(float)));
    CUDA_SAFE_CALL(hipMalloc((void **)&dmax, sizeof part));
    CUDA_SAFE_CALL(hipMemcpy(d, h, n * sizeof(int), hipMemcpyHostToDevice));
    CUDA_SAFE_CALL(hipMemcpy(df, hf, n * sizeof(float), hipMemcpyHostToDevice));

    const int sizes[] = {512, 128, 64, 32};
    for (int k = 0; k < 4; k++) {
        int sum = sumOnDevice(d, n, sizes[k], 40);
        printf("%3d threads: sum %d\n", sizes[k], sum);
        failures += sum != want;
    }
    hipLaunchKernelGGL(reduceMax, dim3(20), dim3(128), 0, 0, df, dmax, n);
    CUDA_SAFE_CALL(hipMemcpy(part, dmax, sizeof part, hipMemcpyDeviceToHost));
    for (int b = 0; b < 20; b++) got = part[b] > got ? part[b] : got;
    printf("maximum %.1f\n", got);
    failures += got != most;

    CUDA_SAFE_CALL(hipFree(d));
    CUDA_SAFE_CALL(hipFree(df));
    CUDA_SAFE_CALL(hipFree(dmax));
    free(h);
    free(hf);
    printf("%s\n", failures ? "FAIL" : "PASS");
    return failures;
}
