// Prefix sums of an array: warps scan with __shfl_up_sync, the block joins its
// warps through shared memory, a second kernel joins the blocks.
#include "hip/hip_runtime.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

const int BLOCK = 256;
const int WARP = 32;
const int WARPS = BLOCK / WARP;

#define gpuErrchk(e) do { hipError_t _e = (e); if (_e != hipSuccess) { \
	printf("GPU error %s, line %d\n", hipGetErrorString(_e), __LINE__); exit(1); } } while (0)

template <typename T>
__device__ __forceinline__ T warpInclusiveScan(T value, int lane)
{
#pragma unroll
	for (int delta = 1; delta < WARP; delta *= 2) {
		T other = __shfl_up(value, delta, 32);
		if (lane >= delta)
			value += other;
	}
	return value;
}

template <typename T>
__global__ void scanBlocks(const T* in, T* out, T* blockSum, int n)
{
	__shared__ T warpSum[WARPS];
	const int i = blockIdx.x * BLOCK + threadIdx.x;
	const int lane = threadIdx.x % WARP;
	const int warp = threadIdx.x / WARP;

	T x = i < n ? in[i] : T(0);
	x = warpInclusiveScan(x, lane);
	if (lane == WARP - 1)
		warpSum[warp] = x;
	__syncthreads();

	if (warp == 0) {
		T s = lane < WARPS ? warpSum[lane] : T(0);
		s = warpInclusiveScan(s, lane);
		if (lane < WARPS)
			warpSum[lane] = s;
	}
	__syncthreads();

	if (warp > 0)
		x += warpSum[warp - 1];
	if (i < n)
		out[i] = x;
	if (threadIdx.x == BLOCK - 1)
		blockSum[blockIdx.x] = x;
}

// One thread is enough for the few sums of the blocks.
template <typename T>
__global__ void exclusive(T* sums, int count)
{
	T running = 0;
	for (int k = 0; k < count; ++k) {
		T here = sums[k];
		sums[k] = running;
		running += here;
	}
}

template <typename T>
__global__ void addOffsets(T* out, const T* blockSum, int n)
{
	int i = blockIdx.x * BLOCK + threadIdx.x;
	if (i < n)
		out[i] += blockSum[blockIdx.x];
}

template <typename T>
int run(const char* name, const char* format, int n)
{
	std::vector<T> in(n), out(n);
	for (int i = 0; i < n; ++i)
		in[i] = T((i * 31) % 17) - T(5);
	const int blocks = (n + BLOCK - 1) / BLOCK;
	T *dIn, *dOut, *dSum;
	gpuErrchk(hipMalloc((void**)&dIn, n * sizeof(T)));
	gpuErrchk(hipMalloc((void**)&dOut, n * sizeof(T)));
	gpuErrchk(hipMalloc((void**)&dSum, blocks * sizeof(T)));
	gpuErrchk(hipMemcpy(dIn, in.data(), n * sizeof(T), hipMemcpyHostToDevice));
	hipLaunchKernelGGL(scanBlocks<T>, dim3(blocks), dim3(BLOCK), 0, 0, dIn, dOut, dSum, n);
	hipLaunchKernelGGL(exclusive<T>, dim3(1), dim3(1), 0, 0, dSum, blocks);
	hipLaunchKernelGGL(addOffsets<T>, dim3(blocks), dim3(BLOCK), 0, 0, dOut, dSum, n);
	gpuErrchk(hipPeekAtLastError());
	gpuErrchk(hipDeviceSynchronize());
	gpuErrchk(hipMemcpy(out.data(), dOut, n * sizeof(T), hipMemcpyDeviceToHost));

	int wrong = 0;
	T sum = 0;
	for (int i = 0; i < n; ++i) {
		sum += in[i];  // whole numbers, exact in float too
		wrong += out[i] != sum;
	}
	printf("%s: n %d, last ", name, n);
	printf(format, out[n - 1]);
	printf(", wrong %d\n", wrong);
	gpuErrchk(hipFree(dIn));
	gpuErrchk(hipFree(dOut));
	gpuErrchk(hipFree(dSum));
	return wrong;
}

int main()
{
	int wrong = 0;
	wrong += run<int>("int", "%d", 70001);
	wrong += run<float>("float", "%.1f", 65536);
	wrong += run<long long>("long long", "%lld", 300);
	wrong += run<double>("double", "%.1f", 17);
	puts(wrong ? "FAIL" : "PASS");
	return wrong != 0;
}
