// Half of the block produces, the other half consumes: named barriers, and fences between blocks.
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { HALF = 64, ROUNDS = 20, BLOCKS = 12 };

template <int Name, int Threads>
__device__ __forceinline__ void bar_sync()
{
    asm volatile("bar.sync %0, %1;" : : "n"(Name), "n"(Threads) : "memory");
}

__device__ __forceinline__ void block_barrier()
{
    __syncthreads();
}

__device__ __forceinline__ int barrier_count(int predicate)
{
    int count;
    do {
        bool p;
        p = predicate != 0;
        count = __syncthreads_count(p);
    } while (0);
    return count;
}

// Two teams of 64 threads, each with a barrier of its own, count in step.
__global__ void teams(int *out)
{
    __shared__ int ring[2][HALF];
    const int team = threadIdx.x / HALF, me = threadIdx.x % HALF;
    ring[team][me] = me + team * 1000;
    for (int r = 0; r < ROUNDS + 3 * team; ++r) {
        if (team == 0) bar_sync<1, HALF>(); else bar_sync<2, HALF>();
        const int next = ring[team][(me + 1) % HALF];
        if (team == 0) bar_sync<1, HALF>(); else bar_sync<2, HALF>();
        ring[team][me] = next;
    }
    block_barrier();
    out[blockIdx.x * 2 * HALF + threadIdx.x] = ring[team][me];
}

__global__ void count_odd(const int *in, int *counts)
{
    const int total = barrier_count(in[blockIdx.x * blockDim.x + threadIdx.x] & 1);
    if (threadIdx.x == blockDim.x - 1) counts[blockIdx.x] = total;
}

// A chain of blocks that hand a running sum on, in the order of tickets.
__global__ void chain(const int *in, volatile int *running, unsigned *ticket, volatile int *ready, int *out)
{
    __shared__ unsigned place;
    __shared__ int before;
    if (threadIdx.x == 0) place = atomicAdd(ticket, 1u);
    block_barrier();
    if (threadIdx.x == 0) {
        while (place != 0 && ready[place - 1] == 0) { }
        __threadfence();
        before = place ? running[place - 1] : 0;
        running[place] = before + in[place];
        __threadfence();
        ready[place] = 1;
    }
    block_barrier();
    out[place * blockDim.x + threadIdx.x] = before + (int)threadIdx.x;
}

#define TRY(x) { hipError_t e = x; if (e != hipSuccess) { printf("%s: %s\n", #x, hipGetErrorString(e)); exit(1); } }

int main(void)
{
    const int n = BLOCKS * 2 * HALF;
    static int in[n], out[n], counts[BLOCKS];
    for (int i = 0; i < n; i++) in[i] = i * i % 19;
    int *d_in, *d_out, *d_state;
    TRY(hipMalloc(&d_in, sizeof in));
    TRY(hipMalloc(&d_out, sizeof out));
    TRY(hipMalloc(&d_state, (2 * BLOCKS + 1) * sizeof(int)));
    TRY(hipMemset(d_state, 0, (2 * BLOCKS + 1) * sizeof(int)));
    TRY(hipMemcpy(d_in, in, sizeof in, hipMemcpyHostToDevice));

    int wrong[3] = {0, 0, 0};
    hipLaunchKernelGGL(teams, dim3(BLOCKS), dim3(2 * HALF), 0, 0, d_out);
    TRY(hipGetLastError());
    TRY(hipMemcpy(out, d_out, sizeof out, hipMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        const int team = i / HALF % 2;
        wrong[0] += out[i] != (i % HALF + ROUNDS + 3 * team) % HALF + team * 1000;
    }

    hipLaunchKernelGGL(count_odd, dim3(BLOCKS), dim3(2 * HALF), 0, 0, d_in, d_out);
    TRY(hipGetLastError());
    TRY(hipMemcpy(counts, d_out, sizeof counts, hipMemcpyDeviceToHost));
    for (int b = 0; b < BLOCKS; b++) {
        int odd = 0;
        for (int t = 0; t < 2 * HALF; t++) odd += in[b * 2 * HALF + t] & 1;
        wrong[1] += counts[b] != odd;
    }

    hipLaunchKernelGGL(chain, dim3(BLOCKS), dim3(2 * HALF), 0, 0, d_in, d_state, (unsigned *)d_state + 2 * BLOCKS, d_state + BLOCKS, d_out);
    TRY(hipGetLastError());
    TRY(hipMemcpy(out, d_out, sizeof out, hipMemcpyDeviceToHost));
    for (int b = 0, sum = 0; b < BLOCKS; sum += in[b], b++)
        for (int t = 0; t < 2 * HALF; t++) wrong[2] += out[b * 2 * HALF + t] != sum + t;

    printf("teams: wrong %d\ncounts: first %d, wrong %d\nchain: last %d, wrong %d\n", wrong[0], counts[0], wrong[1], out[n - 1], wrong[2]);
    TRY(hipFree(d_in));
    TRY(hipFree(d_out));
    TRY(hipFree(d_state));
    const bool failed = wrong[0] || wrong[1] || wrong[2];
    puts(failed ? "FAIL" : "PASS");
    return failed;
}
