// Streaming copies and a stencil with cache operators on the loads and stores.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CK(x) do { hipError_t e = (x); if (e) { fprintf(stderr, "%d: %s\n", __LINE__, hipGetErrorName(e)); exit(1); } } while (0)

// Four words through the read-only path, not kept in the first cache
static __device__ __forceinline__ int4 load_streaming(const int4 *addr)
{
    int4 v;
    do {
        const int4 value = *(const int4*)addr;
        v.x = value.x;
        v.y = value.y;
        v.z = value.z;
        v.w = value.w;
    } while (0);
    return v;
}

static __device__ __forceinline__ void store_streaming(int4 *addr, int4 v)
{
    *(int4*)addr = make_int4(v.x, v.y, v.z, v.w);
}

static __device__ __forceinline__ float load_nc(const float *addr)
{
    float v;
    v = *(const float*)addr;
    return v;
}

static __device__ __forceinline__ float load_cg(const float *addr)
{
    float v;
    v = *(const volatile float*)addr;
    return v;
}

static __device__ __forceinline__ float2 load_ca_pair(const float2 *addr)
{
    float2 v;
    do {
        const float2 value = hipify::load_volatile((const float2*)addr);
        v.x = value.x;
        v.y = value.y;
    } while (0);
    return v;
}

static __device__ __forceinline__ void store_wt(float *addr, float v)
{
    *(float*)addr = v;
}

static __device__ __forceinline__ void prefetch(const void *addr)
{
    __builtin_prefetch((const unsigned char*)addr);
}

__global__ void copy_reversed(const int4 *in, int4 *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (i + 1024 < n) prefetch(in + i + 1024);
        int4 v = load_streaming(in + i);
        store_streaming(out + (n - 1 - i), make_int4(v.w, v.z, v.y, v.x));
    }
}

__global__ void smooth(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float left = load_nc(in + (i ? i - 1 : 0)), right = load_nc(in + (i + 1 < n ? i + 1 : i));
    store_wt(out + i, 0.25f * left + 0.5f * load_cg(in + i) + 0.25f * right);
}

__global__ void pair_products(const float2 *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float2 p = load_ca_pair(&in[i]);
        out[i] = p.x * p.y;
    }
}

int main(void)
{
    const int quads = 30000, n = quads * 4;
    int *h = (int *)malloc(n * sizeof(int)), *r = (int *)malloc(n * sizeof(int));
    float *f = (float *)malloc(n * sizeof(float)), *g = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < n; i++) {
        h[i] = (int)((unsigned)i * 2654435761u >> 3);
        f[i] = (float)(i % 64) * 0.25f;  // exact in every step
    }
    int *d_in, *d_out;
    float *d_f, *d_g;
    CK(hipMalloc(&d_in, n * sizeof(int)));
    CK(hipMalloc(&d_out, n * sizeof(int)));
    CK(hipMalloc(&d_f, n * sizeof(float)));
    CK(hipMalloc(&d_g, n * sizeof(float)));
    CK(hipMemcpy(d_in, h, n * sizeof(int), hipMemcpyHostToDevice));
    CK(hipMemcpy(d_f, f, n * sizeof(float), hipMemcpyHostToDevice));

    int reversed = 0, smoothed = 0, products = 0;
    hipLaunchKernelGGL(copy_reversed, dim3(40), dim3(256), 0, 0, (const int4 *)d_in, (int4 *)d_out, quads);
    CK(hipGetLastError());
    CK(hipMemcpy(r, d_out, n * sizeof(int), hipMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) reversed += r[i] != h[n - 1 - i];

    hipLaunchKernelGGL(smooth, dim3((n + 255) / 256), dim3(256), 0, 0, d_f, d_g, n);
    CK(hipGetLastError());
    CK(hipMemcpy(g, d_g, n * sizeof(float), hipMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        smoothed += g[i] != 0.25f * f[i ? i - 1 : 0] + 0.5f * f[i] + 0.25f * f[i + 1 < n ? i + 1 : i];

    hipLaunchKernelGGL(pair_products, dim3((n / 2 + 255) / 256), dim3(256), 0, 0, (const float2 *)d_f, d_g, n / 2);
    CK(hipGetLastError());
    CK(hipMemcpy(g, d_g, n / 2 * sizeof(float), hipMemcpyDeviceToHost));
    for (int i = 0; i < n / 2; i++) products += g[i] != f[2 * i] * f[2 * i + 1];

    printf("reversed: wrong %d\nsmoothed: wrong %d\nproducts: wrong %d\n", reversed, smoothed, products);
    CK(hipFree(d_in));
    CK(hipFree(d_out));
    CK(hipFree(d_f));
    CK(hipFree(d_g));
    free(h), free(r), free(f), free(g);
    int failed = reversed + smoothed + products;
    puts(failed ? "FAIL" : "PASS");
    return failed != 0;
}
