// Loads and stores with cache hints as intrinsics: __ldg, __ldcg, __ldcs, __ldca, __ldlu, __ldcv, __stcs, __stcg, __stwt.
#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define ASSERT_CUDA(x) if ((x) != cudaSuccess) { fprintf(stderr, "line %d\n", __LINE__); exit(1); }

template <typename T>
__device__ __forceinline__ T read_once(const T *p)
{
#if __CUDA_ARCH__ >= 350
    return __ldcs(p);
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
    float4 v = __ldcg(y + i);
    v.x = fmaf(a, u.x, v.x);
    v.y = fmaf(a, u.y, v.y);
    v.z = fmaf(a, u.z, v.z);
    v.w = fmaf(a, u.w, v.w);
    __stcs(y + i, v);
}

// A table read by everybody through the read-only path, other data read once
__global__ void gather(const int *__restrict__ table, const int *__restrict__ index, int *__restrict__ out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const int k = __ldlu(&index[i]);
        const int2 pair = __ldg(reinterpret_cast<const int2 *>(table) + k);
        __stcg(&out[i], pair.x - pair.y + __ldca(&table[0]));
    }
}

__global__ void halves(const half2 *in, double *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float2 f = __half22float2(__ldg(in + i));
    __stwt(out + i, (double)f.x * f.y);
}

// Polls a flag that another block sets: never from a cache
__global__ void relay(int *flag, int *value, int *result)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        __stwt(value, 4711);
        __threadfence();
        __stwt(flag, 1);
    } else {
        while (__ldcv(flag) == 0) { }
        __threadfence();
        *result = __ldcv(value) + 1;
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
    ASSERT_CUDA(cudaMalloc(&d_x, n * sizeof(float)));
    ASSERT_CUDA(cudaMalloc(&d_y, n * sizeof(float)));
    ASSERT_CUDA(cudaMalloc(&d_table, table.size() * sizeof(int)));
    ASSERT_CUDA(cudaMalloc(&d_index, n * sizeof(int)));
    ASSERT_CUDA(cudaMalloc(&d_out, n * sizeof(int)));
    ASSERT_CUDA(cudaMalloc(&d_state, 3 * sizeof(int)));
    ASSERT_CUDA(cudaMalloc(&d_h, n * sizeof(half)));
    ASSERT_CUDA(cudaMalloc(&d_products, n / 2 * sizeof(double)));
    ASSERT_CUDA(cudaMemset(d_state, 0, 3 * sizeof(int)));
    ASSERT_CUDA(cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    ASSERT_CUDA(cudaMemcpy(d_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    ASSERT_CUDA(cudaMemcpy(d_table, table.data(), table.size() * sizeof(int), cudaMemcpyHostToDevice));
    ASSERT_CUDA(cudaMemcpy(d_index, index.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    ASSERT_CUDA(cudaMemcpy(d_h, h.data(), n * sizeof(half), cudaMemcpyHostToDevice));

    axpy<<<(quads + 127) / 128, 128>>>(d_x, d_y, 1.5f, quads);
    gather<<<50, 256>>>(d_table, d_index, d_out, n);
    halves<<<(n / 2 + 255) / 256, 256>>>(d_h, d_products, n / 2);
    relay<<<2, 32>>>(d_state, d_state + 1, d_state + 2);
    ASSERT_CUDA(cudaDeviceSynchronize());
    int relayed = 0;
    ASSERT_CUDA(cudaMemcpy(got.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost));
    ASSERT_CUDA(cudaMemcpy(gathered.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost));
    ASSERT_CUDA(cudaMemcpy(products.data(), d_products, n / 2 * sizeof(double), cudaMemcpyDeviceToHost));
    ASSERT_CUDA(cudaMemcpy(&relayed, d_state + 2, sizeof relayed, cudaMemcpyDeviceToHost));

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
    for (void *p : all) ASSERT_CUDA(cudaFree(p));
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
