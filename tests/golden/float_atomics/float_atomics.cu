// Atomic minimum and maximum of floats by compare-and-swap, and atomicAdd of doubles for old architectures.
#include <hip/hip_runtime.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#if 1 /* !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600 */
#else
#ifndef __HIP__  // HIP has it
__device__ double atomicAdd(double *address, double val)
{
    unsigned long long int *address_as_ull = (unsigned long long int *)address;
    unsigned long long int old = *address_as_ull, assumed;
    do {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
#endif
#endif

#ifndef __HIP__  // HIP has it
__device__ static float atomicMax(float *address, float val)
{
    int *address_as_i = (int *)address;
    int old = *address_as_i, assumed;
    do {
        assumed = old;
        old = ::atomicCAS(address_as_i, assumed, __float_as_int(::fmaxf(val, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}

__device__ static float atomicMin(float *address, float val)
{
    int *address_as_i = (int *)address;
    int old = *address_as_i, assumed;
    do {
        assumed = old;
        old = ::atomicCAS(address_as_i, assumed, __float_as_int(::fminf(val, __int_as_float(assumed))));
    } while (assumed != old);
    return __int_as_float(old);
}
#endif

__device__ double atomicMaxDouble(double *address, double value)
{
    unsigned long long *p = reinterpret_cast<unsigned long long *>(address);
    unsigned long long seen = *p;
    while (value > __longlong_as_double(seen)) {
        const unsigned long long before = seen;
        seen = atomicCAS(p, before, __double_as_longlong(value));
        if (seen == before) break;
    }
    return __longlong_as_double(seen);
}

struct Range { float low, high; double sum, peak; };

__global__ void clear(Range *r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        r[i].low = FLT_MAX;
        r[i].high = -FLT_MAX;
        r[i].sum = 0.0;
        r[i].peak = -DBL_MAX;
    }
}

__global__ void ranges(const float *x, const int *group, Range *r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Range *mine = &r[group[i]];
    atomicMin(&mine->low, x[i]);
    atomicMax(&mine->high, x[i]);
    atomicAdd(&mine->sum, (double)x[i]);
    atomicMaxDouble(&mine->peak, (double)x[i] * x[i]);
}

#define gpu(x) if (hipError_t e = (x)) { fprintf(stderr, "%s\n", hipGetErrorString(e)); exit(1); }

int main()
{
    const int n = 30000, groups = 12;
    float *x = new float[n];
    int *group = new int[n];
    Range want[groups], got[groups];
    for (int g = 0; g < groups; g++) want[g] = {FLT_MAX, -FLT_MAX, 0.0, -DBL_MAX};
    for (int i = 0; i < n; i++) {
        x[i] = (float)((int)((i * 69069u + 5u) >> 12 & 0x3fff) - 9000) / 64.0f;
        group[i] = (i / 7) % groups;
        Range &w = want[group[i]];
        w.low = fminf(w.low, x[i]);
        w.high = fmaxf(w.high, x[i]);
        w.sum += x[i];  // 64ths: exact in any order
        w.peak = fmax(w.peak, (double)x[i] * x[i]);
    }
    float *d_x;
    int *d_group;
    Range *d_range;
    gpu(hipMalloc(&d_x, n * sizeof(float)));
    gpu(hipMalloc(&d_group, n * sizeof(int)));
    gpu(hipMalloc(&d_range, groups * sizeof(Range)));
    gpu(hipMemcpy(d_x, x, n * sizeof(float), hipMemcpyHostToDevice));
    gpu(hipMemcpy(d_group, group, n * sizeof(int), hipMemcpyHostToDevice));
    hipLaunchKernelGGL(clear, dim3(1), dim3(groups), 0, 0, d_range, groups);
    hipLaunchKernelGGL(ranges, dim3((n + 255) / 256), dim3(256), 0, 0, d_x, d_group, d_range, n);
    gpu(hipGetLastError());
    gpu(hipMemcpy(got, d_range, sizeof got, hipMemcpyDeviceToHost));

    int wrong = 0;
    for (int g = 0; g < groups; g++)
        wrong += got[g].low != want[g].low || got[g].high != want[g].high || got[g].sum != want[g].sum || got[g].peak != want[g].peak;
    printf("group 5: %.3f to %.3f, sum %.3f, peak %.1f\n", got[5].low, got[5].high, got[5].sum, got[5].peak);
    printf("groups %d, wrong %d\n", groups, wrong);
    gpu(hipFree(d_x));
    gpu(hipFree(d_group));
    gpu(hipFree(d_range));
    delete[] x;
    delete[] group;
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
