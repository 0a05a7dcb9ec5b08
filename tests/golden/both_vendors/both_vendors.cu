// What a project that knows both vendors says of them, and what it asks of nvcc: branches of its own for AMD GPUs, the
// compiler in composite conditions and in macros, numbers of architectures and versions, bounds of a kernel.
#include <hip/hip_runtime.h>
#include <cstdio>

#if !defined(__HIPCC__)
#error "this is device code"
#endif

#if defined(__HIPCC__) || defined(__HIPCC__)
#define HD __host__ __device__
#else
#define HD
#endif

// AMD's own: nvcc has no such built-in functions.
#if defined(__HIP_PLATFORM_AMD__) || defined(USE_ROCM)
__device__ inline unsigned long long ticks() { return __clock64(); }
#define VENDOR_LANES static_cast<int>(warpSize)
#elif defined(__HIPCC__)
__device__ inline unsigned long long ticks() { return clock64(); }
#define VENDOR_LANES warpSize
#endif

#ifdef __HIPCC__
__device__ inline unsigned first_lane(unsigned value) { return __builtin_amdgcn_readfirstlane(value); }
#else
__device__ inline unsigned first_lane(unsigned value) { return __shfl_sync(0xffffffffu, value, 0); }
#endif

#define IN_DEVICE_CODE defined(__HIP_DEVICE_COMPILE__)
#define HAS_DOUBLE_ATOMICS (__HIP_DEVICE_COMPILE__)
#define NEW_ENOUGH (HIP_VERSION >= 9000)

HD inline const char *side()
{
#if IN_DEVICE_CODE
    return "device";
#else
    return "host";
#endif
}

__device__ void add(double *to, double value)
{
#if HAS_DOUBLE_ATOMICS && NEW_ENOUGH
    atomicAdd(to, value);
#else
    unsigned long long *bits = (unsigned long long *)to, old = *bits, seen;
    do {
        seen = old;
        old = atomicCAS(bits, seen, __double_as_longlong(value + __longlong_as_double(seen)));
    } while (old != seen);
#endif
}

__global__ void __launch_bounds__(64, 4) sums(double *total, unsigned *firsts, int *tooFast)
{
    unsigned long long start = ticks();
    add(total, threadIdx.x + 0.5);
    unsigned first = first_lane(threadIdx.x / VENDOR_LANES * 10 + 7);
    if (threadIdx.x == 0) firsts[0] = first;
    if (ticks() < start) *tooFast = 1;
#if 0 /* defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 300 || (!defined(__CUDACC__) && __CUDA_ARCH__ < 500)) */
    *tooFast = 2;
#endif
    if (threadIdx.x == 63) printf("%s\n", side());
}

int main()
{
    double *total;
    unsigned *firsts;
    int *tooFast;
    hipMallocManaged(&total, sizeof *total);
    hipMallocManaged(&firsts, sizeof *firsts);
    hipMallocManaged(&tooFast, sizeof *tooFast);
    *total = 0, *firsts = 0, *tooFast = 0;
    hipLaunchKernelGGL(sums, dim3(1), dim3(64), 0, 0, total, firsts, tooFast);
    if (hipDeviceSynchronize() != hipSuccess) return 1;
    printf("sums: %.1f %u %d\n", *total, *firsts, *tooFast);
    bool isRight = *total == 2048.0 && *firsts == 7 && *tooFast == 0;
    hipFree(total), hipFree(firsts), hipFree(tooFast);
    puts(isRight ? "PASS" : "FAIL");
    return isRight ? 0 : 1;
}
