// Loads and stores with cache hints as intrinsics: __ldg, __ldcg, __ldcs, __ldca, __ldlu, __ldcv, __stcs, __stcg, __stwt.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <hip/hip_fp16.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define ASSERT_CUDA(x) if ((x) != hipSuccess) { fprintf(stderr, "line %d\n", __LINE__); exit(1); }

template <typename T>
__device__ __forceinline__ T read_once(const T *p)
{
#if defined(__HIP_DEVICE_COMPILE__)
    return hipify::load_streaming(p);
#else
    return *p;
#endif
}

// 16 bytes a thread, streamed in and out
__global__ void axpy(const float4 *__restrict__ x, float4 *__restrict__ y, float a, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 u = read_once(x + i);
    float4 v = hipify::load_past_l1(y + i);
    v.x = fmaf(a, u.x, v.x);
    v.y = fmaf(a, u.y, v.y);
    v.z = fmaf(a, u.z, v.z);
    v.w = fmaf(a, u.w, v.w);
    hipify::store_streaming(y + i, v);
}

// A table read by everybody through the read-only path, other data read once
__global__ void gather(const int *__restrict__ table, const int *__restrict__ index, int *__restrict__ out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int k = __builtin_nontemporal_load(&index[i]);
        const int2 pair = __ldg(reinterpret_cast<const int2 *>(table) + k);
        *(&out[i]) = pair.x - pair.y + (*(&table[0]));
    }
}

__global__ void halves(const half2 *in, double *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float2 f = __half22float2(__ldg(in + i));
    hipify::store_through(out + i, (double)f.x * f.y);
}

// Polls a flag that another block sets: never from a cache
__global__ void relay(int *flag, int *value, int *result)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        hipify::store_through(value, 4711);
        __threadfence();
        hipify::store_through(flag, 1);
    } else {
        while (hipify::load_uncached(flag) == 0) { }
        __threadfence();
        *result = hipify::load_uncached(value) + 1;
    }
}

int main()
{
    const int quads = 25000, n = 4 * quads, entries = 512;
    std::vector<float> x(n), y(n), got(n);
    std::vector<int> table(2 * entries), index(n), gathered(n);
    std::vector<half> h(n);
    std::vector<double> products(n / 2);
    for (int i = 0; i < n; i++) {
        x[i] = (float)(i % 33);
        y[i] = (float)(i % 7) - 3.0f;
        index[i] = (i * 97) % entries;
        h[i] = __float2half((float)(i % 21 - 10) * 0.5f);
    }
    for (int i = 0; i < 2 * entries; i++) table[i] = i * i % 1009;

    float4 *d_x, *d_y;
    int *d_table, *d_index, *d_out, *d_state;
    half2 *d_h;
    double *d_products;
    ASSERT_CUDA(hipMalloc(&d_x, n * sizeof(float)));
    ASSERT_CUDA(hipMalloc(&d_y, n * sizeof(float)));
    ASSERT_CUDA(hipMalloc(&d_table, table.size() * sizeof(int)));
    ASSERT_CUDA(hipMalloc(&d_index, n * sizeof(int)));
    ASSERT_CUDA(hipMalloc(&d_out, n * sizeof(int)));
    ASSERT_CUDA(hipMalloc(&d_state, 3 * sizeof(int)));
    ASSERT_CUDA(hipMalloc(&d_h, n * sizeof(half)));
    ASSERT_CUDA(hipMalloc(&d_products, n / 2 * sizeof(double)));
    ASSERT_CUDA(hipMemset(d_state, 0, 3 * sizeof(int)));
    ASSERT_CUDA(hipMemcpy(d_x, x.data(), n * sizeof(float), hipMemcpyHostToDevice));
    ASSERT_CUDA(hipMemcpy(d_y, y.data(), n * sizeof(float), hipMemcpyHostToDevice));
    ASSERT_CUDA(hipMemcpy(d_table, table.data(), table.size() * sizeof(int), hipMemcpyHostToDevice));
    ASSERT_CUDA(hipMemcpy(d_index, index.data(), n * sizeof(int), hipMemcpyHostToDevice));
    ASSERT_CUDA(hipMemcpy(d_h, h.data(), n * sizeof(half), hipMemcpyHostToDevice));

    hipLaunchKernelGGL(axpy, dim3((quads + 127) / 128), dim3(128), 0, 0, d_x, d_y, 1.5f, quads);
    hipLaunchKernelGGL(gather, dim3(50), dim3(256), 0, 0, d_table, d_index, d_out, n);
    hipLaunchKernelGGL(halves, dim3((n / 2 + 255) / 256), dim3(256), 0, 0, d_h, d_products, n / 2);
    hipLaunchKernelGGL(relay, dim3(2), dim3(32), 0, 0, d_state, d_state + 1, d_state + 2);
    ASSERT_CUDA(hipDeviceSynchronize());
    int relayed = 0;
    ASSERT_CUDA(hipMemcpy(got.data(), d_y, n * sizeof(float), hipMemcpyDeviceToHost));
    ASSERT_CUDA(hipMemcpy(gathered.data(), d_out, n * sizeof(int), hipMemcpyDeviceToHost));
    ASSERT_CUDA(hipMemcpy(products.data(), d_products, n / 2 * sizeof(double), hipMemcpyDeviceToHost));
    ASSERT_CUDA(hipMemcpy(&relayed, d_state + 2, sizeof relayed, hipMemcpyDeviceToHost));

    int wrong = relayed != 4712;
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        wrong += got[i] != 1.5f * x[i] + y[i];
        wrong += gathered[i] != table[2 * index[i]] - table[2 * index[i] + 1] + table[0];
        sum += got[i];
    }
    for (int i = 0; i < n / 2; i++)
        wrong += products[i] != 0.25 * ((2 * i) % 21 - 10) * ((2 * i + 1) % 21 - 10);
    printf("sum %.1f, relayed %d, wrong %d\n", sum, relayed, wrong);
    void *all[] = {d_x, d_y, d_table, d_index, d_out, d_state, d_h, d_products};
    for (void *p : all) ASSERT_CUDA(hipFree(p));
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
