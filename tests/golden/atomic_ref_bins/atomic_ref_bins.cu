// libcu++: atomic references over plain memory, scopes and orders, and cuda::std in device code.
#include <array>
#include <limits>
#include <type_traits>
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

template <typename T>
struct Statistics {
    static_assert(std::is_arithmetic<T>::value, "numbers only");
    T low, high;
    unsigned long long count;
};

template <typename T>
__global__ void start(Statistics<T>* s)
{
    s->low = std::numeric_limits<T>::max();
    s->high = std::numeric_limits<T>::lowest();
    s->count = 0;
}

template <typename T>
__global__ void gather(const T* in, int n, Statistics<T>* s, unsigned* bins)
{
    using Counter = hipify::atomic_ref<unsigned, hipify::thread_scope_block>;
    __shared__ unsigned local[8];
    if (threadIdx.x < 8) local[threadIdx.x] = 0;
    __syncthreads();
    std::array<T, 2> mine = {std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest()};
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const T v = in[i];
        mine[0] = v < mine[0] ? v : mine[0];
        mine[1] = v > mine[1] ? v : mine[1];
        Counter(local[static_cast<int>(v) & 7]).fetch_add(1u, hipify::memory_order_relaxed);
        hipify::atomic_ref<unsigned long long, hipify::thread_scope_device>(s->count).fetch_add(1, hipify::memory_order_relaxed);
    }
    hipify::atomic_ref<T, hipify::thread_scope_device> low(s->low), high(s->high);
    low.fetch_min(mine[0], hipify::memory_order_relaxed);
    high.fetch_max(mine[1]);
    __syncthreads();
    if (threadIdx.x < 8) hipify::atomic_ref<unsigned, hipify::thread_scope_device>(bins[threadIdx.x]).fetch_add(local[threadIdx.x]);
}

// A flag between blocks: the one that counts last publishes, by release and acquire.
__global__ void publish(int* data, hipify::atomic<int, hipify::thread_scope_device>* arrived, int* seen)
{
    if (threadIdx.x != 0) return;
    data[blockIdx.x] = static_cast<int>(blockIdx.x) * 3;
    if (arrived->fetch_add(1, hipify::memory_order_acq_rel) == static_cast<int>(gridDim.x) - 1) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; ++b) sum += data[b];
        *seen = sum;
    }
}

#define RT(call) do { hipError_t e_ = call; if (e_ != hipSuccess) { std::fprintf(stderr, "%s\n", hipGetErrorString(e_)); std::exit(1); } } while (0)

int main()
{
    const int n = 40000;
    std::vector<int> in(n);
    unsigned want[8] = {}, bins[8];
    int low = std::numeric_limits<int>::max(), high = std::numeric_limits<int>::lowest();
    for (int i = 0; i < n; ++i) {
        in[i] = static_cast<int>((i * 40503u) % 100003u);
        ++want[in[i] & 7];
        low = in[i] < low ? in[i] : low;
        high = in[i] > high ? in[i] : high;
    }
    int *d_in, *d_data;
    unsigned* d_bins;
    Statistics<int>* d_stats;
    Statistics<int> stats;
    RT(hipMalloc(&d_in, n * sizeof(int)));
    RT(hipMalloc(&d_bins, sizeof bins));
    RT(hipMalloc(&d_stats, sizeof stats));
    RT(hipMalloc(&d_data, 65 * sizeof(int)));
    RT(hipMemset(d_bins, 0, sizeof bins));
    RT(hipMemcpy(d_in, in.data(), n * sizeof(int), hipMemcpyHostToDevice));
    hipLaunchKernelGGL(start, dim3(1), dim3(1), 0, 0, d_stats);
    hipLaunchKernelGGL(gather, dim3(20), dim3(256), 0, 0, d_in, n, d_stats, d_bins);
    RT(hipGetLastError());
    RT(hipMemcpy(&stats, d_stats, sizeof stats, hipMemcpyDeviceToHost));
    RT(hipMemcpy(bins, d_bins, sizeof bins, hipMemcpyDeviceToHost));

    hipify::atomic<int, hipify::thread_scope_device>* arrived;
    int seen = 0;
    RT(hipMalloc((void**)&arrived, sizeof(*arrived)));
    RT(hipMemset((void*)arrived, 0, sizeof(*arrived)));
    hipLaunchKernelGGL(publish, dim3(64), dim3(32), 0, 0, d_data, arrived, d_data + 64);
    RT(hipGetLastError());
    RT(hipMemcpy(&seen, d_data + 64, sizeof seen, hipMemcpyDeviceToHost));

    int wrong = stats.low != low || stats.high != high || stats.count != static_cast<unsigned long long>(n);
    for (int b = 0; b < 8; ++b) wrong += bins[b] != want[b];
    wrong += seen != 3 * 64 * 63 / 2;
    std::printf("from %d to %d, counted %llu, published %d, wrong %d\n", stats.low, stats.high, stats.count, seen, wrong);
    RT(hipFree(d_in));
    RT(hipFree(d_bins));
    RT(hipFree(d_stats));
    RT(hipFree(d_data));
    RT(hipFree(arrived));
    std::puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
