// One function, several bodies: __CUDA_ARCH__ chooses by feature, and tells host from device.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <hip/hip_fp16.h>
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <vector>

#ifdef __HIPCC__
#define HD __host__ __device__ __forceinline__
#else
#define HD inline
#endif

#if 0 /* defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 530) */
#error "half arithmetic wants compute capability 5.3"
#endif

// Host: a loop. Device: the instruction.
HD int bit_count(uint64_t v)
{
#if defined(__HIP_DEVICE_COMPILE__)
    return __popcll(v);
#else
    int n = 0;
    for (; v; v &= v - 1) ++n;
    return n;
#endif
}

HD int leading_zeros(uint32_t v)
{
#ifdef __HIP_DEVICE_COMPILE__
    return __clz(v);
#else
    int n = 32;
    while (v) { v >>= 1; --n; }
    return n;
#endif
}

// Dot product of four bytes: an instruction from 6.1 on.
__device__ __forceinline__ int dot4(int a, int b, int c)
{
#if defined(__HIP_DEVICE_COMPILE__)
    return hipify::dp4a(a, b, c);
#else
    const int8_t *pa = (const int8_t *)&a, *pb = (const int8_t *)&b;
    return c + pa[0] * pb[0] + pa[1] * pb[1] + pa[2] * pb[2] + pa[3] * pb[3];
#endif
}

// Sum over the warp: one instruction from 8.0 on, shuffles before.
__device__ __forceinline__ unsigned warp_sum(unsigned v)
{
#if (0 /* __CUDA_ARCH__ >= 800 */)
    return hipify::warp32::reduce_add_sync(0xffffffffu, v);
#else
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor(v, d, 32);
    return v;
#endif
}

__device__ __forceinline__ float half_sum(__half a, __half b)
{
#if defined(__HIP_DEVICE_COMPILE__)
    return __half2float(__hadd(a, b));
#else
    return __half2float(a) + __half2float(b);
#endif
}

__device__ __forceinline__ void add_double(double *p, double v)
{
#if defined(__HIP_DEVICE_COMPILE__)
    atomicAdd(p, v);
#else
    unsigned long long *q = (unsigned long long *)p, old = *q, seen;
    do {
        seen = old;
        old = atomicCAS(q, seen, (unsigned long long)__double_as_longlong(v + __longlong_as_double(seen)));
    } while (old != seen);
#endif
}

struct Sums { unsigned bits, zeros, warp; int dot; double total; };

__global__ void features(const uint32_t *in, Sums *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const uint32_t v = i < n ? in[i] : 0;
    const unsigned sum = warp_sum(v & 0xff);
    if (threadIdx.x % 32 == 0) atomicAdd(&out->warp, sum);
    if (i >= n) return;
    atomicAdd(&out->bits, (unsigned)bit_count((uint64_t)v << 20 | i));
    atomicAdd(&out->zeros, (unsigned)leading_zeros(v >> (i % 32)));
    atomicAdd(&out->dot, dot4((int)v, (int)(v * 3u), 1));
    add_double(&out->total, half_sum(__float2half(float(i % 100)), __float2half(0.5f)));
}

int main()
{
    const int n = 10000;
    std::vector<uint32_t> in(n);
    Sums want = {}, got = {};
    for (int i = 0; i < n; ++i) {
        const uint32_t v = in[i] = (uint32_t)i * 2246822519u;
        const uint32_t w = v * 3u;
        want.bits += bit_count((uint64_t)v << 20 | i);
        want.zeros += leading_zeros(v >> (i % 32));
        want.warp += v & 0xff;
        want.dot += 1;
        for (int k = 0; k < 32; k += 8) want.dot += (int8_t)(v >> k) * (int8_t)(w >> k);
        want.total += i % 100 + 0.5;
    }
    uint32_t *d_in;
    Sums *d_out;
    hipError_t e = hipMalloc(&d_in, n * sizeof(uint32_t));
    if (e == hipSuccess) e = hipMalloc(&d_out, sizeof(Sums));
    if (e == hipSuccess) e = hipMemset(d_out, 0, sizeof(Sums));
    if (e == hipSuccess) e = hipMemcpy(d_in, in.data(), n * sizeof(uint32_t), hipMemcpyHostToDevice);
    if (e == hipSuccess) hipLaunchKernelGGL(features, dim3((n + 255) / 256), dim3(256), 0, 0, d_in, d_out, n);
    if (e == hipSuccess) e = hipMemcpy(&got, d_out, sizeof(Sums), hipMemcpyDeviceToHost);
    if (e != hipSuccess) {
        std::printf("%s\n", hipGetErrorString(e));
        return 1;
    }
    const bool ok = got.bits == want.bits && got.zeros == want.zeros && got.warp == want.warp && got.dot == want.dot && got.total == want.total;
    std::printf("bits %u, zeros %u, warps %u, dot %d, total %.1f\n", got.bits, got.zeros, got.warp, got.dot, got.total);
    hipFree(d_in);
    hipFree(d_out);
    std::puts(ok ? "PASS" : "FAIL");
    return !ok;
}
