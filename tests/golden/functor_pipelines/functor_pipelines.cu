// Thrust and CUB with functors of our own: fused reductions, a scan by an operator, block- and warp-wide primitives.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>
#include <hipcub/hipcub.hpp>

#include <cstdio>
#include <limits>
#include <vector>

struct MinMax
{
    int low, high;
};

struct ToMinMax
{
    __host__ __device__ MinMax operator()(int x) const { return MinMax{x, x}; }
};

struct Join
{
    __host__ __device__ MinMax operator()(const MinMax& a, const MinMax& b) const
    {
        return MinMax{a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
    }
};

struct Linear  // x -> a x + b
{
    long long a, b;
};

struct Compose
{
    __host__ __device__ __forceinline__ Linear operator()(const Linear& first, const Linear& then) const
    {
        return Linear{first.a * then.a % 10007, (first.b * then.a + then.b) % 10007};
    }
};

struct CloserTo
{
    int centre;
    __device__ bool operator()(const thrust::tuple<int, int>& p, const thrust::tuple<int, int>& q) const
    {
        const int dp = abs(thrust::get<0>(p) - centre), dq = abs(thrust::get<0>(q) - centre);
        return dp != dq ? dp < dq : thrust::get<1>(p) < thrust::get<1>(q);
    }
};

template <int THREADS, int ITEMS>
__global__ void block_sums(const int* in, int* out)
{
    typedef hipcub::BlockReduce<int, THREADS, hipcub::BLOCK_REDUCE_WARP_REDUCTIONS> BlockReduce;
    __shared__ typename BlockReduce::TempStorage temp;
    int items[ITEMS];
#pragma unroll
    for (int k = 0; k < ITEMS; ++k) items[k] = in[(blockIdx.x * THREADS + threadIdx.x) * ITEMS + k];
    const int sum = BlockReduce(temp).Sum(items);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Exclusive sums within groups of 32 threads
__global__ void warp_offsets(const int* in, int* out)
{
    using WarpScan = hipcub::WarpScan<int, 32>;
    __shared__ typename WarpScan::TempStorage temp[4];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int before;
    WarpScan(temp[threadIdx.x / 32]).ExclusiveSum(in[i], before);
    out[i] = before;
}

int main()
{
    const int n = 1 << 14;
    thrust::host_vector<int> h(n);
    for (int i = 0; i < n; ++i) h[i] = static_cast<int>((i * 69621u) % 65537u) - 30000;
    thrust::device_vector<int> d = h;
    int wrong = 0;

    const MinMax none{std::numeric_limits<int>::max(), std::numeric_limits<int>::min()};
    const MinMax range = thrust::transform_reduce(d.begin(), d.end(), ToMinMax(), none, Join());
    MinMax want = none;
    for (int x : h) want = Join()(want, ToMinMax()(x));
    std::printf("range %d to %d\n", range.low, range.high);
    wrong += range.low != want.low || range.high != want.high;

    thrust::host_vector<Linear> steps(1000);
    for (int i = 0; i < 1000; ++i) steps[i] = Linear{i % 5 + 2, i % 7};
    thrust::device_vector<Linear> d_steps = steps;
    thrust::inclusive_scan(thrust::device, d_steps.begin(), d_steps.end(), d_steps.begin(), Compose());
    const Linear last = d_steps.back();
    Linear all = steps[0];
    for (int i = 1; i < 1000; ++i) all = Compose()(all, steps[i]);
    std::printf("composed %lld x + %lld\n", last.a, last.b);
    wrong += last.a != all.a || last.b != all.b;

    thrust::device_vector<int> keys = d, index(n);
    thrust::copy(thrust::make_counting_iterator(0), thrust::make_counting_iterator(n), index.begin());
    auto pairs = thrust::make_zip_iterator(thrust::make_tuple(keys.begin(), index.begin()));
    thrust::sort(pairs, pairs + n, CloserTo{100});
    const int nearest = keys[0], at = index[0];
    wrong += h[at] != nearest;
    for (int x : h) wrong += std::abs(x - 100) < std::abs(nearest - 100);

    thrust::device_vector<int> total(1);
    size_t bytes = 0;
    hipcub::DeviceReduce::Sum(nullptr, bytes, d.begin(), total.begin(), n);
    thrust::device_vector<char> temporary(bytes);
    hipcub::DeviceReduce::Sum(thrust::raw_pointer_cast(temporary.data()), bytes, d.begin(), total.begin(), n);
    long long sum = 0;
    for (int x : h) sum += x;
    std::printf("nearest %d, total %d\n", nearest, static_cast<int>(total[0]));
    wrong += total[0] != static_cast<int>(sum);

    thrust::device_vector<int> blocks(n / 512), offsets(n);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(block_sums<128, 4>), dim3(n / 512), dim3(128), 0, 0, thrust::raw_pointer_cast(d.data()), thrust::raw_pointer_cast(blocks.data()));
    hipLaunchKernelGGL(warp_offsets, dim3(n / 128), dim3(128), 0, 0, thrust::raw_pointer_cast(d.data()), thrust::raw_pointer_cast(offsets.data()));
    wrong += hipDeviceSynchronize() != hipSuccess;
    thrust::host_vector<int> hb = blocks, ho = offsets;
    for (int b = 0; b < n / 512; ++b) {
        int s = 0;
        for (int k = 0; k < 512; ++k) s += h[b * 512 + k];
        wrong += hb[b] != s;
    }
    for (int i = 0, before = 0; i < n; ++i) {
        if (i % 32 == 0) before = 0;
        wrong += ho[i] != before;
        before += h[i];
    }
    std::printf("wrong %d\n", wrong);
    std::puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
