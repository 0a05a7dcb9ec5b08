/* Most of the atomic operations once, each with a result that does not depend
 * on the order in which the threads come. */
#include <hip/hip_runtime.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCKS   48
#define THREADS  128
#define N        (BLOCKS * THREADS)

struct Totals
{
    int sum, minimum, maximum;
    unsigned int all_bits, any_bits, parity, wrapped, tickets;
    unsigned long long big_sum;
    float float_sum;
    float float_max;
    double double_sum;
    double cas_sum;
    int last_writer;
    int lock;
    int guarded;
};

/* The hardware has this for double from compute capability 6.0 on. */
#if 0 /* defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600 */
#ifndef __HIP__  // HIP has it
static __device__ double atomicAdd(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long old = *bits, assumed;
    do
    {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
#endif
#endif

__device__ double add_with_cas(double *address, double value)
{
    unsigned long long int *bits = (unsigned long long int *)address;
    unsigned long long int seen = *bits;
    for (;;)
    {
        const unsigned long long int wanted = __double_as_longlong(__longlong_as_double(seen) + value);
        const unsigned long long int found = atomicCAS(bits, seen, wanted);
        if (found == seen)
            return __longlong_as_double(seen);
        seen = found;
    }
}

/* Floats that are not negative have the order of their bit patterns. */
__device__ float max_float(float *address, float value)
{
    return __int_as_float(atomicMax((int *)address, __float_as_int(value)));
}

__device__ int value_of(int i)
{
    return (i * 37) % 1001 - 300;
}

__global__ void everything(Totals *t, unsigned char *seen)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int v = value_of(i);

    atomicAdd(&t->sum, v);
    atomicSub(&t->sum, 1);
    atomicMin(&t->minimum, v);
    atomicMax(&t->maximum, v);
    atomicAnd(&t->all_bits, ~(1u << (i % 5)));
    atomicOr(&t->any_bits, 1u << (i % 20));
    atomicXor(&t->parity, (unsigned int)i);
    atomicInc(&t->wrapped, 999u);               /* counts 0..999, then 0 again */
    atomicAdd(&t->big_sum, (unsigned long long)i << 20);
    atomicAdd(&t->float_sum, 0.5f);             /* exact up to 2^23 */
    atomicAdd(&t->double_sum, 0.25 * (double)i);
    add_with_cas(&t->cas_sum, 0.125 * (double)i);
    max_float(&t->float_max, 0.25f * (float)((i * 11) % 4096));
    atomicExch(&t->last_writer, i);

    /* Every thread gets a ticket of its own. */
    const unsigned int ticket = atomicAdd(&t->tickets, 1u);
    seen[ticket] = 1;

    /* A lock, taken by one thread of each block only. */
    __syncthreads();
    if (threadIdx.x == 0)
    {
        while (atomicCAS(&t->lock, 0, 1) != 0)
            ;
        __threadfence();
        *(volatile int *)&t->guarded = *(volatile int *)&t->guarded + (int)blockIdx.x;
        __threadfence();
        atomicExch(&t->lock, 0);
    }
}

static int g_bad = 0;
#define EXPECT(condition, name) \
    do { int yes = (condition); printf("%-12s %s\n", name, yes ? "ok" : "WRONG"); g_bad += !yes; } while (0)

static void must(hipError_t err)
{
    if (err != hipSuccess)
    {
        fprintf(stderr, "CUDA: %s\n", hipGetErrorString(err));
        exit(1);
    }
}

int main(void)
{
    Totals t = {};
    t.minimum = 1 << 30;
    t.maximum = -(1 << 30);
    t.all_bits = 0xffffffffu;
    t.last_writer = -1;

    Totals *d_t;
    unsigned char *d_seen, *seen = (unsigned char *)malloc(N);
    must(hipMalloc((void **)&d_t, sizeof(Totals)));
    must(hipMalloc((void **)&d_seen, N));
    must(hipMemset(d_seen, 0, N));
    must(hipMemcpy(d_t, &t, sizeof(Totals), hipMemcpyHostToDevice));
    hipLaunchKernelGGL(everything, dim3(BLOCKS), dim3(THREADS), 0, 0, d_t, d_seen);
    must(hipGetLastError());
    must(hipMemcpy(&t, d_t, sizeof(Totals), hipMemcpyDeviceToHost));
    must(hipMemcpy(seen, d_seen, N, hipMemcpyDeviceToHost));
    must(hipFree(d_t));
    must(hipFree(d_seen));

    int sum = 0, low = 1 << 30, high = -(1 << 30), tickets = 0;
    unsigned int parity = 0;
    unsigned long long big = 0;
    double triangle = 0.0;
    for (int i = 0; i < N; i++)
    {
        const int v = (i * 37) % 1001 - 300;
        sum += v - 1;
        if (v < low) low = v;
        if (v > high) high = v;
        parity ^= (unsigned int)i;
        big += (unsigned long long)i << 20;
        triangle += (double)i;
        tickets += seen[i];
    }
    free(seen);

    printf("threads: %d, sum: %d, range: %d..%d\n", N, t.sum, t.minimum, t.maximum);
    EXPECT(t.sum == sum, "add/sub");
    EXPECT(t.minimum == low && t.maximum == high, "min/max");
    EXPECT(t.all_bits == 0xffffffe0u, "and");
    EXPECT(t.any_bits == 0x000fffffu, "or");
    EXPECT(t.parity == parity, "xor");
    EXPECT(t.wrapped == N % 1000, "inc");
    EXPECT(t.big_sum == big, "64 bits");
    EXPECT(t.float_sum == 0.5f * N, "float");
    EXPECT(t.float_max == 0.25f * 4095.0f, "float max");
    EXPECT(t.double_sum == 0.25 * triangle, "double");
    EXPECT(t.cas_sum == 0.125 * triangle, "double cas");
    EXPECT(t.last_writer >= 0 && t.last_writer < N, "exch");
    EXPECT(t.tickets == N && tickets == N, "tickets");
    EXPECT(t.guarded == BLOCKS * (BLOCKS - 1) / 2, "lock");
    puts(g_bad ? "FAIL" : "PASS");
    return g_bad ? 1 : 0;
}
