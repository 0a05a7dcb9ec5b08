// Output and checks inside kernels: printf with many formats, assert, and a trap that never comes.
#include <assert.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <hip/hip_runtime.h>

#define DEBUG_LEVEL 2
#if DEBUG_LEVEL > 1
#define DPRINT(fmt, ...) printf("[block %d] " fmt "\n", blockIdx.x, ##__VA_ARGS__)
#else
#define DPRINT(fmt, ...)
#endif

#define DEVICE_ASSERT(condition)                                             \
    do {                                                                     \
        if (!(condition)) {                                                  \
            printf("%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
            __builtin_trap();                                                        \
        }                                                                    \
    } while (0)

static __device__ const char *name_of(int kind)
{
    switch (kind % 3) {
    case 0: return "zero";
    case 1: return "one";
    default: return "two";
    }
}

__global__ void formats(int64_t big, size_t bytes, unsigned long mask)
{
    if (threadIdx.x != 0) return;
    printf("integers %d %u %5d|%-5d|%05d\n", -7, 4000000000u, 42, 42, 42);
    printf("wide %lld %llu %lu %lx\n", (long long)big, (unsigned long long)big * 2u, (unsigned long)bytes, mask);
    printf("hex %08x %#x %X octal %o char %c percent %%\n", 0xbeefu, 255, 0xcafe, 8, 'k');
    printf("floats %.3f %10.4f %e %g\n", 1.0f / 3.0f, 2.0, 12345.678, 0.0001);
    printf("strings %s %10s|%-10s|\n", name_of(1), name_of(2), name_of(0));
    DPRINT("warp size is positive: %d", 32 > 0);
    DPRINT("no arguments");
}

__global__ void count_down(int *left, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(blockDim.x <= 1024 && "blocks have at most 1024 threads");
    if (i < n) {
        DEVICE_ASSERT(left[i] >= 0);
        left[i] -= 1;
        assert(left[i] >= -1);
    }
    if (i == 0) printf("counted down in block %d of %d\n", blockIdx.x, gridDim.x);
}

// One line from each thread, in turn
__global__ void in_turn(const float *x, int n)
{
    for (int t = 0; t < n; ++t) {
        if (threadIdx.x == t) printf("thread %2d has %6.2f\n", threadIdx.x, x[t]);
        __syncthreads();
    }
}

static void sync_or_die(void)
{
    hipError_t e = hipDeviceSynchronize();
    if (e != hipSuccess) {
        fprintf(stderr, "%s\n", hipGetErrorString(e));
        exit(1);
    }
}

int main(void)
{
    const int n = 1000;
    size_t fifo = 0;
    int h[n], *d, wrong = 0;
    float hx[4] = {0.5f, -1.25f, 100.0f, 3.14159f}, *dx;

    if (hipDeviceSetLimit(hipLimitPrintfFifoSize, 1 << 20) != hipSuccess) return 2;
    if (hipDeviceGetLimit(&fifo, hipLimitPrintfFifoSize) != hipSuccess) return 2;
    printf("room for output: %s\n", fifo >= (1u << 20) ? "enough" : "too little");
    fflush(stdout);

    hipLaunchKernelGGL(formats, dim3(1), dim3(64), 0, 0, -1234567890123LL, sizeof(h), 0xf0f0f0f0ul);
    sync_or_die();

    for (int i = 0; i < n; i++) h[i] = i % 10;
    hipMalloc((void **)&d, sizeof h);
    hipMemcpy(d, h, sizeof h, hipMemcpyHostToDevice);
    hipLaunchKernelGGL(count_down, dim3((n + 127) / 128), dim3(128), 0, 0, d, n);
    sync_or_die();
    hipMemcpy(h, d, sizeof h, hipMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) wrong += h[i] != i % 10 - 1;

    hipMalloc((void **)&dx, sizeof hx);
    hipMemcpy(dx, hx, sizeof hx, hipMemcpyHostToDevice);
    hipLaunchKernelGGL(in_turn, dim3(1), dim3(4), 0, 0, dx, 4);
    sync_or_die();

    hipFree(d);
    hipFree(dx);
    printf("wrong %d\n", wrong);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
