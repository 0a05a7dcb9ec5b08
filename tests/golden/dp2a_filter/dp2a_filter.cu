// Fixed-point filters on packed integers: __dp4a, __dp2a_lo/hi and the SIMD-in-a-word intrinsics.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define TAPS 8

__constant__ int taps8[TAPS / 4];

static void check(hipError_t e) { if (e != hipSuccess) { printf("%s\n", hipGetErrorString(e)); exit(1); } }

// Eight bytes from any position: two words, shifted together
__device__ inline int bytes_at(const int8_t *p)
{
    int v = 0;
    for (int k = 0; k < 4; k++) v |= (int)(uint8_t)p[k] << (8 * k);
    return v;
}

__global__ void filter_bytes(const int8_t *in, int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + TAPS > n) return;
    int sum = 0;
    sum = hipify::dp4a(bytes_at(in + i), taps8[0], sum);
    sum = hipify::dp4a(bytes_at(in + i + 4), taps8[1], sum);
    out[i] = sum;
}

// Shorts times bytes: the lower and the upper two bytes of a word
__global__ void filter_mixed(const short2 *in, int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + TAPS / 2 > n) return;
    int sum = 1 << 5;
    for (int k = 0; k < TAPS / 4; k++) {
        const int low = *reinterpret_cast<const int *>(&in[i + 2 * k]);
        const int high = *reinterpret_cast<const int *>(&in[i + 2 * k + 1]);
        sum = hipify::dp2a_lo(low, taps8[k], sum);
        sum = hipify::dp2a_hi(high, taps8[k], sum);
    }
    out[i] = sum >> 6;
}

// Four unsigned bytes at once
__global__ void blend(const unsigned *a, const unsigned *b, unsigned *out, unsigned *distance, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned brighter = hipify::vmaxu4(a[i], b[i]), average = hipify::vavgu4(a[i], b[i]);
    out[i] = hipify::vadd4(hipify::vsub4(brighter, average), hipify::vcmpgtu4(a[i], b[i]) & 0x01010101u);
    distance[i] = hipify::vsadu4(a[i], b[i]) + __usad(a[i] & 0xff, b[i] & 0xff, 1u);
}

int main()
{
    const int n = 6000;
    std::vector<int8_t> bytes(n);
    std::vector<short2> pairs(n);
    std::vector<unsigned> a(n), b(n), blended(n), distance(n);
    std::vector<int> out8(n), out16(n);
    const int8_t taps[TAPS] = {-3, 9, -27, 80, 80, -27, 9, -3};
    int packed8[TAPS / 4] = {0, 0};
    for (int k = 0; k < TAPS; k++) packed8[k / 4] |= (int)(uint8_t)taps[k] << (8 * (k % 4));
    for (int i = 0; i < n; i++) {
        bytes[i] = (int8_t)(i * 37 % 256 - 128);
        pairs[i] = make_short2((short)(i * 101 % 5000 - 2500), (short)(i * 59 % 7000 - 3500));
        a[i] = i * 2654435761u;
        b[i] = ~(i * 2246822519u);
    }
    int8_t *d_bytes;
    short2 *d_pairs;
    int *d_out;
    unsigned *d_a, *d_b, *d_c, *d_d;
    check(hipMemcpyToSymbol(HIP_SYMBOL(taps8), packed8, sizeof packed8));
    check(hipMalloc(&d_bytes, n));
    check(hipMalloc(&d_pairs, n * sizeof(short2)));
    check(hipMalloc(&d_out, n * sizeof(int)));
    for (unsigned **p : {&d_a, &d_b, &d_c, &d_d}) check(hipMalloc(p, n * sizeof(unsigned)));
    check(hipMemcpy(d_bytes, bytes.data(), n, hipMemcpyHostToDevice));
    check(hipMemcpy(d_pairs, pairs.data(), n * sizeof(short2), hipMemcpyHostToDevice));
    check(hipMemcpy(d_a, a.data(), n * sizeof(unsigned), hipMemcpyHostToDevice));
    check(hipMemcpy(d_b, b.data(), n * sizeof(unsigned), hipMemcpyHostToDevice));

    const int grid = (n + 127) / 128;
    hipLaunchKernelGGL(filter_bytes, dim3(grid), dim3(128), 0, 0, d_bytes, d_out, n);
    check(hipMemcpy(out8.data(), d_out, n * sizeof(int), hipMemcpyDeviceToHost));
    hipLaunchKernelGGL(filter_mixed, dim3(grid), dim3(128), 0, 0, d_pairs, d_out, n);
    check(hipMemcpy(out16.data(), d_out, n * sizeof(int), hipMemcpyDeviceToHost));
    hipLaunchKernelGGL(blend, dim3(grid), dim3(128), 0, 0, d_a, d_b, d_c, d_d, n);
    check(hipGetLastError());
    check(hipMemcpy(blended.data(), d_c, n * sizeof(unsigned), hipMemcpyDeviceToHost));
    check(hipMemcpy(distance.data(), d_d, n * sizeof(unsigned), hipMemcpyDeviceToHost));

    int wrong[3] = {0, 0, 0};
    for (int i = 0; i + TAPS <= n; i++) {
        int want = 0;
        for (int k = 0; k < TAPS; k++) want += bytes[i + k] * taps[k];
        wrong[0] += out8[i] != want;
    }
    for (int i = 0; i + TAPS / 2 <= n; i++) {
        int want = 1 << 5;
        for (int k = 0; k < TAPS / 2; k++) want += pairs[i + k].x * taps[2 * k] + pairs[i + k].y * taps[2 * k + 1];
        wrong[1] += out16[i] != want >> 6;
    }
    for (int i = 0; i < n; i++) {
        unsigned want = 0, sad = 1u + (unsigned)abs((int)(a[i] & 0xff) - (int)(b[i] & 0xff));
        for (int k = 0; k < 32; k += 8) {
            const int x = a[i] >> k & 0xff, y = b[i] >> k & 0xff;
            want |= (unsigned)(((x > y ? x : y) - (x + y + 1) / 2 + (x > y)) & 0xff) << k;
            sad += abs(x - y);
        }
        wrong[2] += blended[i] != want || distance[i] != sad;
    }
    printf("bytes: out[9] %d, wrong %d\nmixed: out[9] %d, wrong %d\nblend: %08x, wrong %d\n", out8[9], wrong[0], out16[9], wrong[1], blended[9], wrong[2]);
    check(hipFree(d_bytes));
    check(hipFree(d_pairs));
    check(hipFree(d_out));
    for (unsigned *p : {d_a, d_b, d_c, d_d}) check(hipFree(p));
    const int failed = wrong[0] + wrong[1] + wrong[2];
    puts(failed ? "FAIL" : "PASS");
    return failed != 0;
}
