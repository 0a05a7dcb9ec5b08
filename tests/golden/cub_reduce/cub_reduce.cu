/* CUB in both of its roles: device-wide algorithms that size their own scratch
 * space first, and block- and warp-wide collectives inside our kernels. */

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include <hipcub/hipcub.hpp>
#include <hip/hip_runtime.h>

#define GPU(stmt)                                                                   \
	do                                                                              \
	{                                                                               \
		const hipError_t status_ = (stmt);                                         \
		if (status_ != hipSuccess)                                                 \
		{                                                                           \
			std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__,                  \
			             hipGetErrorString(status_));                              \
			std::exit(EXIT_FAILURE);                                                \
		}                                                                           \
	} while (false)

struct Larger
{
	template <typename T>
	__host__ __device__ __forceinline__ T operator()(const T &a, const T &b) const
	{
		return b > a ? b : a;
	}
};

/* Sum per block, and the block's maximum through a functor of ours. */
template <int BLOCK_THREADS, int ITEMS>
__global__ void blockSums(const int *in, int *sums, int *peaks)
{
	using BlockReduce = hipcub::BlockReduce<int, BLOCK_THREADS>;
	using BlockLoad = hipcub::BlockLoad<int, BLOCK_THREADS, ITEMS, hipcub::BLOCK_LOAD_TRANSPOSE>;
	__shared__ union
	{
		typename BlockLoad::TempStorage load;
		typename BlockReduce::TempStorage reduce;
	} temp;

	int items[ITEMS];
	BlockLoad(temp.load).Load(in + blockIdx.x * BLOCK_THREADS * ITEMS, items);
	__syncthreads();
	const int sum = BlockReduce(temp.reduce).Sum(items);
	__syncthreads();
	const int peak = BlockReduce(temp.reduce).Reduce(items, Larger());
	if (threadIdx.x == 0)
	{
		sums[blockIdx.x] = sum;
		peaks[blockIdx.x] = peak;
	}
}

/* One sum for every 32 neighbouring values. */
__global__ void rowSums(const int *in, int *out)
{
	constexpr int ROW = 32, ROWS_PER_BLOCK = 4;
	using WarpReduce = hipcub::WarpReduce<int, ROW>;
	__shared__ typename WarpReduce::TempStorage temp[ROWS_PER_BLOCK];

	const int row = threadIdx.x / ROW;
	const int global = blockIdx.x * blockDim.x + threadIdx.x;
	const int sum = WarpReduce(temp[row]).Sum(in[global]);
	if (threadIdx.x % ROW == 0)
		out[blockIdx.x * ROWS_PER_BLOCK + row] = sum;
}

/* Calls a CUB device algorithm twice: once for its size, once for real. */
template <typename F>
static void withScratch(F &&algorithm)
{
	void *scratch = nullptr;
	size_t bytes = 0;
	GPU(algorithm(scratch, bytes));
	GPU(hipMalloc(&scratch, bytes));
	GPU(algorithm(scratch, bytes));
	GPU(hipDeviceSynchronize());
	GPU(hipFree(scratch));
}

template <typename T>
static T *allocate(size_t n)
{
	T *p = nullptr;
	GPU(hipMalloc(&p, n * sizeof(T)));
	return p;
}

template <typename T>
static std::vector<T> fetch(const T *dev, size_t n)
{
	std::vector<T> v(n);
	GPU(hipMemcpy(v.data(), dev, n * sizeof(T), hipMemcpyDeviceToHost));
	return v;
}

int main()
{
	constexpr int threads = 128, items = 4, blocks = 60, n = threads * items * blocks;
	std::vector<int> host(n);
	std::vector<unsigned> keys(n);
	for (int i = 0; i < n; ++i)
	{
		host[i] = (i * 7907) % 1009 - 500;
		keys[i] = static_cast<unsigned>(i) * 2654435769u;
	}
	int *in = allocate<int>(n), *out = allocate<int>(n);
	unsigned *kin = allocate<unsigned>(n), *kout = allocate<unsigned>(n);
	GPU(hipMemcpy(in, host.data(), n * sizeof(int), hipMemcpyHostToDevice));
	GPU(hipMemcpy(kin, keys.data(), n * sizeof(unsigned), hipMemcpyHostToDevice));
	bool ok = true;

	// Whole-array sum, and maximum with our own operator.
	withScratch([&](void *t, size_t &b) { return hipcub::DeviceReduce::Sum(t, b, in, out, n); });
	withScratch([&](void *t, size_t &b) { return hipcub::DeviceReduce::Reduce(t, b, in, out + 1, n, Larger(), -100000); });
	std::vector<int> got = fetch(out, 2);
	const int total = std::accumulate(host.begin(), host.end(), 0);
	ok &= got[0] == total && got[1] == *std::max_element(host.begin(), host.end());
	std::printf("n %d sum %d max %d\n", n, got[0], got[1]);

	// Prefix sums.
	withScratch([&](void *t, size_t &b) { return hipcub::DeviceScan::InclusiveSum(t, b, in, out, n); });
	std::vector<int> prefix(n);
	std::partial_sum(host.begin(), host.end(), prefix.begin());
	got = fetch(out, n);
	ok &= got == prefix;
	std::printf("inclusive scan ends with %d\n", got.back());
	withScratch([&](void *t, size_t &b) { return hipcub::DeviceScan::ExclusiveSum(t, b, in, out, n); });
	got = fetch(out, n);
	ok &= got[0] == 0 && std::equal(got.begin() + 1, got.end(), prefix.begin());

	// Key/value radix sort, and a descending one of the keys alone.
	withScratch([&](void *t, size_t &b) { return hipcub::DeviceRadixSort::SortPairs(t, b, kin, kout, in, out, n); });
	std::vector<std::pair<unsigned, int>> pairs(n);
	for (int i = 0; i < n; ++i) pairs[i] = {keys[i], host[i]};
	std::sort(pairs.begin(), pairs.end());
	std::vector<unsigned> skeys = fetch(kout, n);
	got = fetch(out, n);
	for (int i = 0; i < n; ++i) ok &= skeys[i] == pairs[i].first && got[i] == pairs[i].second;
	std::printf("smallest key carries %d, largest %d\n", got.front(), got.back());
	withScratch([&](void *t, size_t &b) { return hipcub::DeviceRadixSort::SortKeysDescending(t, b, kin, kout, n); });
	skeys = fetch(kout, n);
	ok &= std::is_sorted(skeys.rbegin(), skeys.rend());

	// Collectives in kernels.
	hipLaunchKernelGGL(HIP_KERNEL_NAME(blockSums<threads, items>), dim3(blocks), dim3(threads), 0, 0, in, out, out + blocks);
	GPU(hipPeekAtLastError());
	got = fetch(out, 2 * blocks);
	for (int b = 0; b < blocks; ++b)
	{
		auto from = host.begin() + b * threads * items, to = from + threads * items;
		ok &= got[b] == std::accumulate(from, to, 0) && got[blocks + b] == *std::max_element(from, to);
	}
	std::printf("block 7 sum %d\n", got[7]);

	hipLaunchKernelGGL(rowSums, dim3(n / threads), dim3(threads), 0, 0, in, out);
	GPU(hipPeekAtLastError());
	got = fetch(out, n / 32);
	for (int r = 0; r < n / 32; ++r)
		ok &= got[r] == std::accumulate(host.begin() + 32 * r, host.begin() + 32 * (r + 1), 0);
	std::printf("row 100 sum %d\n", got[100]);

	GPU(hipFree(in));
	GPU(hipFree(out));
	GPU(hipFree(kin));
	GPU(hipFree(kout));
	std::printf(ok ? "PASS\n" : "FAIL\n");
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
