// Histogram with atomics aggregated per warp: lanes that hold the same key find
// each other with __match_any_sync, and the lowest of them adds for all.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kBins = 61;
constexpr unsigned kAllLanes = 0xffffffffu;

void must(hipError_t status, const char* what)
{
    if (status == hipSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, hipGetErrorName(status));
    std::exit(1);
}

__device__ inline int lane()
{
    return threadIdx.x & (32 - 1);
}

__global__ void histogram(const uint8_t* keys, int n, unsigned long long* bins, unsigned int* leaders)
{
    for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
        const int i = base + threadIdx.x;
        const unsigned active = hipify::warp32::ballot_sync(kAllLanes, i < n);
        if (i < n) {
            const int key = keys[i] % kBins;
            const unsigned peers = hipify::warp32::match_any_sync(active, key);
            const int leader = __ffs(peers) - 1;
            if (lane() == leader) {
                atomicAdd(&bins[key], (unsigned long long)__popc(peers));
                atomicAdd(leaders, 1u);
            }
        }
        __syncwarp();
    }
}

// Counts the warps whose keys are all the same.
__global__ void uniform_warps(const uint8_t* keys, int n, int* uniform)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int same = 0;
    const unsigned mask = hipify::warp32::match_all_sync(hipify::warp32::activemask(), (int)(keys[i] / 200), &same);
    if (same && lane() == __ffs(mask) - 1) atomicAdd(uniform, __popc(mask));
}

}  // namespace

int main()
{
    const int n = 1 << 17, threads = 128;
    std::vector<uint8_t> keys(n);
    std::vector<unsigned long long> want(kBins), got(kBins);
    uint32_t state = 12345;
    for (int i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        keys[i] = i % 4096 < 2048 ? 7 : state >> 24;  // long runs of one key, then noise
        ++want[keys[i] % kBins];
    }

    uint8_t* d_keys;
    unsigned long long* d_bins;
    unsigned* d_leaders;
    int* d_uniform;
    must(hipMalloc(&d_keys, n), "keys");
    must(hipMalloc(&d_bins, sizeof(unsigned long long) * kBins), "bins");
    must(hipMalloc(&d_leaders, sizeof(unsigned)), "leaders");
    must(hipMalloc(&d_uniform, sizeof(int)), "uniform");
    must(hipMemcpy(d_keys, keys.data(), n, hipMemcpyHostToDevice), "copy");
    must(hipMemset(d_bins, 0, sizeof(unsigned long long) * kBins), "clear");
    must(hipMemset(d_leaders, 0, sizeof(unsigned)), "clear");
    must(hipMemset(d_uniform, 0, sizeof(int)), "clear");

    hipLaunchKernelGGL(histogram, dim3(64), dim3(threads), 0, 0, d_keys, n, d_bins, d_leaders);
    must(hipGetLastError(), "histogram");
    hipLaunchKernelGGL(uniform_warps, dim3(n / threads), dim3(threads), 0, 0, d_keys, n, d_uniform);
    must(hipGetLastError(), "uniform_warps");

    unsigned leaders = 0;
    int uniform = 0;
    must(hipMemcpy(got.data(), d_bins, sizeof(unsigned long long) * kBins, hipMemcpyDeviceToHost), "copy");
    must(hipMemcpy(&leaders, d_leaders, sizeof leaders, hipMemcpyDeviceToHost), "copy");
    must(hipMemcpy(&uniform, d_uniform, sizeof uniform, hipMemcpyDeviceToHost), "copy");

    int wrong = 0;
    for (int b = 0; b < kBins; ++b) wrong += got[b] != want[b];
    const bool fewer = leaders < unsigned(n) / 2;    // half of the keys come in runs
    const bool half = uniform >= n / 2 && uniform < n;
    std::printf("bin 7 holds %llu, wrong bins %d\n", got[7], wrong);
    std::printf("aggregated: %s, uniform half found: %s\n", fewer ? "yes" : "no", half ? "yes" : "no");

    for (void* p : {(void*)d_keys, (void*)d_bins, (void*)d_leaders, (void*)d_uniform}) must(hipFree(p), "free");
    const bool ok = wrong == 0 && fewer && half;
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
