/* Stream compaction: keep the elements that pass a test.
 * Order within a warp comes from the ballot; a warp reserves its room with one atomic. */
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <vector>

static void die(hipError_t e, int line)
{
    fprintf(stderr, "line %d: %s\n", line, hipGetErrorString(e));
    exit(EXIT_FAILURE);
}
#define SAFE(call) do { hipError_t e_ = (call); if (e_ != hipSuccess) die(e_, __LINE__); } while (0)

__device__ __forceinline__ bool keep(unsigned x) { return (x % 7u) < 3u; }

__global__ void compact(const unsigned *in, unsigned *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    bool mine = i < n && keep(in[i]);

    unsigned mask = hipify::warp32::ballot_sync(0xFFFFFFFFu, mine);
    int base = 0;
    if (lane == 0)
        base = atomicAdd(count, __popc(mask));
    base = __shfl(base, 0, 32);
    if (mine)
        out[base + __popc(mask & ((1u << lane) - 1))] = in[i];
}

// Two passes, so that the order of the input is kept: sizes first, positions after.
__global__ void count_kept(const unsigned *in, int *warp_count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned mask = hipify::warp32::ballot_sync(~0u, i < n && keep(in[i]));
    if ((threadIdx.x & 31) == 0)
        warp_count[i >> 5] = __popc(mask);
}

__global__ void place_kept(const unsigned *in, unsigned *out, const int *warp_first, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool mine = i < n && keep(in[i]);
    unsigned mask = hipify::warp32::ballot_sync(~0u, mine);
    unsigned below = mask & ((1u << (threadIdx.x & 31)) - 1u);
    if (mine)
        out[warp_first[i >> 5] + __popc(below)] = in[i];
}

int main(void)
{
    const int n = 100003, threads = 256, blocks = (n + threads - 1) / threads;
    const int warps = blocks * threads / 32;
    std::vector<unsigned> in(n), want, got(n);
    for (int i = 0; i < n; i++)
        in[i] = (unsigned)i * 2246822519u ^ 0x9e3779b9u;
    for (int i = 0; i < n; i++)
        if (in[i] % 7u < 3u)
            want.push_back(in[i]);

    unsigned *d_in, *d_out;
    int *d_count, *d_warp;
    SAFE(hipMalloc((void **)&d_in, n * sizeof(unsigned)));
    SAFE(hipMalloc((void **)&d_out, n * sizeof(unsigned)));
    SAFE(hipMalloc((void **)&d_count, sizeof(int)));
    SAFE(hipMalloc((void **)&d_warp, warps * sizeof(int)));
    SAFE(hipMemcpy(d_in, in.data(), n * sizeof(unsigned), hipMemcpyHostToDevice));

    // stable
    std::vector<int> warp(warps);
    SAFE(hipMemset(d_warp, 0, warps * sizeof(int)));
    hipLaunchKernelGGL(count_kept, dim3(blocks), dim3(threads), 0, 0, d_in, d_warp, n);
    SAFE(hipMemcpy(warp.data(), d_warp, warps * sizeof(int), hipMemcpyDeviceToHost));
    int running = 0;
    for (int w = 0; w < warps; w++) {
        int here = warp[w];
        warp[w] = running;
        running += here;
    }
    SAFE(hipMemcpy(d_warp, warp.data(), warps * sizeof(int), hipMemcpyHostToDevice));
    hipLaunchKernelGGL(place_kept, dim3(blocks), dim3(threads), 0, 0, d_in, d_out, d_warp, n);
    SAFE(hipGetLastError());
    SAFE(hipMemcpy(got.data(), d_out, n * sizeof(unsigned), hipMemcpyDeviceToHost));
    bool stable_ok = running == (int)want.size() && std::equal(want.begin(), want.end(), got.begin());
    printf("stable: kept %d of %d, %s\n", running, n, stable_ok ? "in order" : "wrong");

    // any order
    int kept = 0;
    SAFE(hipMemset(d_count, 0, sizeof(int)));
    hipLaunchKernelGGL(compact, dim3(blocks), dim3(threads), 0, 0, d_in, d_out, d_count, n);
    SAFE(hipGetLastError());
    SAFE(hipMemcpy(&kept, d_count, sizeof(int), hipMemcpyDeviceToHost));
    SAFE(hipMemcpy(got.data(), d_out, n * sizeof(unsigned), hipMemcpyDeviceToHost));
    std::sort(want.begin(), want.end());
    std::sort(got.begin(), got.begin() + std::min(kept, n));
    bool any_ok = kept == (int)want.size() && std::equal(want.begin(), want.end(), got.begin());
    printf("unordered: kept %d, %s\n", kept, any_ok ? "same set" : "wrong");

    SAFE(hipFree(d_in));
    SAFE(hipFree(d_out));
    SAFE(hipFree(d_count));
    SAFE(hipFree(d_warp));
    puts(stable_ok && any_ok ? "PASS" : "FAIL");
    return !(stable_ok && any_ok);
}
