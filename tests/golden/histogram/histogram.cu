// Byte histogram: global atomics versus per-block histograms in shared memory.
// (This file starts with a byte-order mark, as some editors write it – keep it.)
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <array>
#include <numeric>
#include <vector>

constexpr int NumBins = 256;

template <typename Status>
void ensure(Status status, const char *action)
{
    if (status != hipSuccess)
    {
        std::fprintf(stderr, "%s failed: %s\n", action, hipGetErrorString(status));
        std::exit(1);
    }
}

__global__ void histogramGlobal(const unsigned char *data, size_t count, unsigned int *bins)
{
    const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
    for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
        atomicAdd(&bins[data[i]], 1u);
}

__global__ void histogramShared(const unsigned char *data, size_t count, unsigned int *bins)
{
    __shared__ unsigned int local[NumBins];
    for (int b = threadIdx.x; b < NumBins; b += blockDim.x)
        local[b] = 0;
    __syncthreads();

    const size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
    for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
        atomicAdd(local + data[i], 1u);
    __syncthreads();

    for (int b = threadIdx.x; b < NumBins; b += blockDim.x)
    {
        if (local[b] != 0)
            atomicAdd(bins + b, local[b]);
    }
}

// Smallest and largest bin that is not empty, and the number of such bins.
__global__ void summarize(const unsigned int *bins, int *lowest, int *highest, int *used)
{
    const int b = threadIdx.x;
    if (b < NumBins && bins[b] > 0)
    {
        atomicMin(lowest, b);
        atomicMax(highest, b);
        atomicAdd(used, 1);
    }
}

struct Summary
{
    int lowest = NumBins;
    int highest = -1;
    int used = 0;
};

int main()
{
    const size_t count = 3'000'017;
    std::vector<unsigned char> data(count);
    std::array<unsigned int, NumBins> expected{};

    // A lumpy distribution between 10 and 229.
    unsigned int seed = 12345;
    for (auto &value : data)
    {
        seed = seed * 1664525u + 1013904223u;
        const unsigned int a = (seed >> 24) % 110, b = (seed >> 16) % 110;
        value = static_cast<unsigned char>(10 + a + b);
        ++expected[value];
    }

    unsigned char *dData = nullptr;
    unsigned int *dBins = nullptr;
    Summary *dSummary = nullptr;
    ensure(hipMalloc(&dData, count), "allocating data");
    ensure(hipMalloc(&dBins, sizeof(expected)), "allocating bins");
    ensure(hipMalloc(&dSummary, sizeof(Summary)), "allocating summary");
    ensure(hipMemcpy(dData, data.data(), count, hipMemcpyHostToDevice), "copying data");

    bool ok = true;
    std::array<unsigned int, NumBins> bins{};
    for (int useShared = 0; useShared <= 1; ++useShared)
    {
        ensure(hipMemset(dBins, 0, sizeof(bins)), "clearing bins");
        if (useShared)
            hipLaunchKernelGGL(histogramShared, dim3(96), dim3(256), 0, 0, dData, count, dBins);
        else
            hipLaunchKernelGGL(histogramGlobal, dim3(96), dim3(256), 0, 0, dData, count, dBins);
        ensure(hipPeekAtLastError(), "launching histogram");
        ensure(hipMemcpy(bins.data(), dBins, sizeof(bins), hipMemcpyDeviceToHost), "copying bins");
        const bool same = bins == expected;
        std::printf("%s histogram: %s\n", useShared ? "shared" : "global", same ? "matches" : "DIFFERS");
        ok = ok && same;
    }

    Summary summary;
    ensure(hipMemcpy(dSummary, &summary, sizeof(summary), hipMemcpyHostToDevice), "copying summary in");
    hipLaunchKernelGGL(summarize, dim3(1), dim3(NumBins), 0, 0, dBins, &dSummary->lowest, &dSummary->highest, &dSummary->used);
    ensure(hipGetLastError(), "launching summarize");
    ensure(hipMemcpy(&summary, dSummary, sizeof(summary), hipMemcpyDeviceToHost), "copying summary out");

    Summary want;
    for (int b = 0; b < NumBins; ++b)
    {
        if (expected[b] == 0)
            continue;
        want.lowest = b < want.lowest ? b : want.lowest;
        want.highest = b;
        ++want.used;
    }
    ok = ok && summary.lowest == want.lowest && summary.highest == want.highest && summary.used == want.used;

    ensure(hipFree(dData), "freeing data");
    ensure(hipFree(dBins), "freeing bins");
    ensure(hipFree(dSummary), "freeing summary");

    const unsigned long long counted = std::accumulate(bins.begin(), bins.end(), 0ull);
    std::printf("counted %llu of %zu\n", counted, count);
    std::printf("bins %d..%d, %d in use\n", summary.lowest, summary.highest, summary.used);
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
