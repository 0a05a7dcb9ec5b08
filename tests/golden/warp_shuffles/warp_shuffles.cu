// Warp-level primitives, each checked against a host model of 32 lanes.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#define FULL_MASK 0xffffffff
#define WARP_SIZE 32

#define CUDA_EXIT_ON_ERROR(call)                                                         \
	do {                                                                                 \
		const hipError_t cuda_status__ = call;                                          \
		if (hipSuccess != cuda_status__) {                                              \
			std::fprintf(stderr, "CUDA error: %s\n", hipGetErrorString(cuda_status__)); \
			std::exit(1);                                                                \
		}                                                                                \
	} while (0)

__device__ __forceinline__ int lane_id() { return threadIdx.x % WARP_SIZE; }

// The value of the next lane, around the end.
__global__ void rotate(const int *in, int *out) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = __shfl(in[i], (lane_id() + 1) % WARP_SIZE, 32);
}

// Inclusive prefix sum of each warp.
__global__ void prefix(const int *in, int *out) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = in[i];
	for (int d = 1; d < WARP_SIZE; d <<= 1) {
		const int below = __shfl_up(v, d, 32);
		if (lane_id() >= d)
			v += below;
	}
	out[i] = v;
}

// Sum of groups of 8 lanes, left in the first lane of each group.
__global__ void octets(const int *in, int *out) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = in[i];
	for (int d = 4; d >= 1; d /= 2)
		v += __shfl_down(v, d, 8);
	out[i] = lane_id() % 8 == 0 ? v : -1;
}

// Maximum of the warp in every lane.
template <typename T>
__global__ void all_max(const T *in, T *out) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	T v = in[i];
#pragma unroll
	for (int m = WARP_SIZE / 2; m > 0; m >>= 1)
		v = max(v, __shfl_xor(v, m, 32));
	out[i] = v;
}

// Position among the odd values of the warp, or -1.
__global__ void rank_odd(const int *in, int *out) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	const bool odd = in[i] & 1;
	const unsigned int votes = hipify::warp32::ballot_sync(FULL_MASK, odd);
	const unsigned int lower = (1u << lane_id()) - 1u;
	out[i] = odd ? __popc(votes & lower) : -1;
}

// 1: any value above 90; 2: all values above 2; 4: the first lane is active.
__global__ void votes(const int *in, int *out) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	int bits = 0;
	if (hipify::warp32::any_sync(FULL_MASK, in[i] > 90))
		bits |= 1;
	if (hipify::warp32::all_sync(FULL_MASK, in[i] > 2))
		bits |= 2;
	const unsigned int active = hipify::warp32::activemask();
	if (active & 1u)
		bits |= 4;
	__syncwarp();
	out[i] = bits;
}

// Only the lower half of the warp takes part, with a mask of its own.
__global__ void lower_half(const int *in, int *out) {
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	const unsigned mask = hipify::warp32::ballot_sync(FULL_MASK, lane_id() < 16);
	int v = 0;
	if (lane_id() < 16) {
		v = in[i];
		for (int m = 8; m > 0; m >>= 1)
			v += __shfl_xor(v, m, 16);
	}
	out[i] = v + __ffs(mask) + 100 * __clz(mask);
}

using Model = std::function<int(const int *warp, int lane)>;
using Kernel = void (*)(const int *, int *);

int main() {
	const int n = 1024, block = 128;
	std::vector<int> in(n), out(n);
	for (int i = 0; i < n; ++i)
		in[i] = (i * i + 3 * i) % 97;

	int *d_in = nullptr, *d_out = nullptr;
	CUDA_EXIT_ON_ERROR(hipMalloc(&d_in, n * sizeof(int)));
	CUDA_EXIT_ON_ERROR(hipMalloc(&d_out, n * sizeof(int)));
	CUDA_EXIT_ON_ERROR(hipMemcpy(d_in, in.data(), n * sizeof(int), hipMemcpyHostToDevice));

	auto sum_of = [](const int *w, int from, int to) {
		int s = 0;
		for (int l = from; l < to; ++l) s += w[l];
		return s;
	};
	struct Case {
		const char *name;
		Kernel kernel;
		Model model;
	} cases[] = {
		{"shfl", rotate, [](const int *w, int l) { return w[(l + 1) % 32]; }},
		{"shfl_up", prefix, [&](const int *w, int l) { return sum_of(w, 0, l + 1); }},
		{"shfl_down", octets, [&](const int *w, int l) { return l % 8 ? -1 : sum_of(w, l, l + 8); }},
		{"shfl_xor", all_max<int>, [](const int *w, int) {
			int m = w[0];
			for (int l = 1; l < 32; ++l) m = w[l] > m ? w[l] : m;
			return m;
		}},
		{"ballot", rank_odd, [](const int *w, int l) {
			int r = 0;
			for (int k = 0; k < l; ++k) r += w[k] & 1;
			return w[l] & 1 ? r : -1;
		}},
		{"any/all", votes, [](const int *w, int) {
			bool any = false, all = true;
			for (int k = 0; k < 32; ++k) {
				any = any || w[k] > 90;
				all = all && w[k] > 2;
			}
			return (any ? 1 : 0) + (all ? 2 : 0) + 4;
		}},
		{"half mask", lower_half, [&](const int *w, int l) { return (l < 16 ? sum_of(w, 0, 16) : 0) + 1 + 1600; }},
	};

	int failures = 0;
	for (const Case &c : cases) {
		CUDA_EXIT_ON_ERROR(hipMemset(d_out, 0, n * sizeof(int)));
		hipLaunchKernelGGL(c.kernel, dim3(n / block), dim3(block), 0, 0, d_in, d_out);
		CUDA_EXIT_ON_ERROR(hipGetLastError());
		CUDA_EXIT_ON_ERROR(hipMemcpy(out.data(), d_out, n * sizeof(int), hipMemcpyDeviceToHost));
		int wrong = 0;
		long long sum = 0;
		for (int i = 0; i < n; ++i) {
			wrong += out[i] != c.model(&in[i / 32 * 32], i % 32);
			sum += out[i];
		}
		std::printf("%-10s sum %lld, wrong %d\n", c.name, sum, wrong);
		failures += wrong != 0;
	}

	CUDA_EXIT_ON_ERROR(hipFree(d_in));
	CUDA_EXIT_ON_ERROR(hipFree(d_out));
	std::puts(failures ? "FAIL" : "PASS");
	return failures ? 1 : 0;
}
