// Histogram with atomics aggregated per warp: lanes that hold the same key find
// each other with __match_any_sync, and the lowest of them adds for all.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kBins = 61;
constexpr unsigned kAllLanes = 0xffffffffu;

void must(cudaError_t status, const char* what)
{
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorName(status));
    std::exit(1);
}

__device__ inline int lane()
{
    return threadIdx.x & (warpSize - 1);
}

__global__ void histogram(const uint8_t* keys, int n, unsigned long long* bins, unsigned int* leaders)
{
    for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
        const int i = base + threadIdx.x;
        const unsigned active = __ballot_sync(kAllLanes, i < n);
        if (i < n) {
            const int key = keys[i] % kBins;
            const unsigned peers = __match_any_sync(active, key);
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
    const unsigned mask = __match_all_sync(__activemask(), (int)(keys[i] / 200), &same);
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
    must(cudaMalloc(&d_keys, n), "keys");
    must(cudaMalloc(&d_bins, sizeof(unsigned long long) * kBins), "bins");
    must(cudaMalloc(&d_leaders, sizeof(unsigned)), "leaders");
    must(cudaMalloc(&d_uniform, sizeof(int)), "uniform");
    must(cudaMemcpy(d_keys, keys.data(), n, cudaMemcpyHostToDevice), "copy");
    must(cudaMemset(d_bins, 0, sizeof(unsigned long long) * kBins), "clear");
    must(cudaMemset(d_leaders, 0, sizeof(unsigned)), "clear");
    must(cudaMemset(d_uniform, 0, sizeof(int)), "clear");

    histogram<<<64, threads>>>(d_keys, n, d_bins, d_leaders);
    must(cudaGetLastError(), "histogram");
    uniform_warps<<<n / threads, threads>>>(d_keys, n, d_uniform);
    must(cudaGetLastError(), "uniform_warps");

    unsigned leaders = 0;
    int uniform = 0;
    must(cudaMemcpy(got.data(), d_bins, sizeof(unsigned long long) * kBins, cudaMemcpyDeviceToHost), "copy");
    must(cudaMemcpy(&leaders, d_leaders, sizeof leaders, cudaMemcpyDeviceToHost), "copy");
    must(cudaMemcpy(&uniform, d_uniform, sizeof uniform, cudaMemcpyDeviceToHost), "copy");

    int wrong = 0;
    for (int b = 0; b < kBins; ++b) wrong += got[b] != want[b];
    const bool fewer = leaders < unsigned(n) / 2;    // half of the keys come in runs
    const bool half = uniform >= n / 2 && uniform < n;
    std::printf("bin 7 holds %llu, wrong bins %d\n", got[7], wrong);
    std::printf("aggregated: %s, uniform half found: %s\n", fewer ? "yes" : "no", half ? "yes" : "no");

    for (void* p : {(void*)d_keys, (void*)d_bins, (void*)d_leaders, (void*)d_uniform}) must(cudaFree(p), "free");
    const bool ok = wrong == 0 && fewer && half;
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
