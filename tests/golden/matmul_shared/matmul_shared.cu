// C = A * B with square tiles in shared memory. Entries are small integers,
// so that float, double and int results are all exact.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

template <typename... Args>
[[noreturn]] static void fail(const char* format, Args... args) {
	std::fprintf(stderr, format, args...);
	std::fputc('\n', stderr);
	std::exit(1);
}

static inline void ok_or_exit(hipError_t e, const char* where) {
	if (e != hipSuccess)
		fail("%s: %s", where, hipGetErrorString(e));
}

template <int TILE, typename T>
__global__ void matmul(const T* __restrict__ a, const T* __restrict__ b, T* __restrict__ c,
                       int m, int n, int k) {
	__shared__ T tile_a[TILE][TILE];
	__shared__ T tile_b[TILE][TILE];

	const int row = blockIdx.y * TILE + threadIdx.y;
	const int col = blockIdx.x * TILE + threadIdx.x;
	T acc = T(0);

	for (int base = 0; base < k; base += TILE) {
		const int ka = base + threadIdx.x;
		const int kb = base + threadIdx.y;
		tile_a[threadIdx.y][threadIdx.x] = row < m && ka < k ? a[row * k + ka] : T(0);
		tile_b[threadIdx.y][threadIdx.x] = kb < k && col < n ? b[kb * n + col] : T(0);
		__syncthreads();

#pragma unroll
		for (int i = 0; i < TILE; ++i)
			acc += tile_a[threadIdx.y][i] * tile_b[i][threadIdx.x];
		__syncthreads();
	}

	if (row < m && col < n)
		c[row * n + col] = acc;
}

template <typename T>
static std::vector<T> reference(const std::vector<T>& a, const std::vector<T>& b, int m, int n, int k) {
	std::vector<T> c(static_cast<size_t>(m) * n, T(0));
	for (int i = 0; i < m; ++i)
		for (int p = 0; p < k; ++p) {
			const T left = a[i * k + p];
			for (int j = 0; j < n; ++j)
				c[i * n + j] += left * b[p * n + j];
		}
	return c;
}

template <typename T>
struct Problem {
	int m, n, k;
	std::vector<T> a, b, want;
	T *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;

	Problem(int m_, int n_, int k_) : m(m_), n(n_), k(k_), a(m_ * k_), b(k_ * n_) {
		for (size_t i = 0; i < a.size(); ++i)
			a[i] = T(int(i * 7 % 11) - 5);
		for (size_t i = 0; i < b.size(); ++i)
			b[i] = T(int(i * 5 % 13) - 6);
		want = reference(a, b, m, n, k);

		ok_or_exit(hipMalloc(&d_a, a.size() * sizeof(T)), "cudaMalloc A");
		ok_or_exit(hipMalloc(&d_b, b.size() * sizeof(T)), "cudaMalloc B");
		ok_or_exit(hipMalloc(&d_c, want.size() * sizeof(T)), "cudaMalloc C");
		ok_or_exit(hipMemcpy(d_a, a.data(), a.size() * sizeof(T), hipMemcpyHostToDevice), "copy A");
		ok_or_exit(hipMemcpy(d_b, b.data(), b.size() * sizeof(T), hipMemcpyHostToDevice), "copy B");
	}
	Problem(const Problem&) = delete;
	Problem& operator=(const Problem&) = delete;
	~Problem() {
		hipFree(d_a);
		hipFree(d_b);
		hipFree(d_c);
	}

	dim3 grid(int tile) const { return dim3((n + tile - 1) / tile, (m + tile - 1) / tile); }
	void clear() { ok_or_exit(hipMemset(d_c, 0x5a, want.size() * sizeof(T)), "cudaMemset"); }

	bool verify(const char* label) {
		std::vector<T> got(want.size());
		ok_or_exit(hipGetLastError(), label);
		ok_or_exit(hipDeviceSynchronize(), label);
		ok_or_exit(hipMemcpy(got.data(), d_c, got.size() * sizeof(T), hipMemcpyDeviceToHost), "copy C");
		double trace = 0;
		for (int i = 0; i < m && i < n; ++i)
			trace += got[i * n + i];
		const bool same = got == want;
		std::printf("%-12s %d x %d x %d  trace %.0f  %s\n", label, m, n, k, trace, same ? "ok" : "WRONG");
		return same;
	}
};

int main() {
	bool good = true;

	{
		Problem<float> p(200, 150, 170);
		p.clear();
		hipLaunchKernelGGL(HIP_KERNEL_NAME(matmul<16, float>), p.grid(16), dim3(16, 16), 0, 0, p.d_a, p.d_b, p.d_c, p.m, p.n, p.k);
		good &= p.verify("float/16");

		p.clear();
		hipLaunchKernelGGL(HIP_KERNEL_NAME(matmul<32, float>), p.grid(32), dim3(32, 32), 0, 0,
			p.d_a, p.d_b, p.d_c,
			p.m, p.n, p.k);
		good &= p.verify("float/32");
	}
	{
		Problem<double> p(65, 64, 63);
		p.clear();
		hipLaunchKernelGGL(matmul<8>, p.grid(8), dim3(8, 8), 0, 0, p.d_a, p.d_b, p.d_c, p.m, p.n, p.k); // T deduced
		good &= p.verify("double/8");
	}
	{
		Problem<int> p(1, 300, 77);
		p.clear();
		hipLaunchKernelGGL(HIP_KERNEL_NAME(matmul<16, int>), p.grid(16), dim3(16, 16), 0, 0, p.d_a, p.d_b, p.d_c, p.m, p.n, p.k);
		good &= p.verify("int/16");
	}

	std::puts(good ? "PASS" : "FAIL");
	return good ? 0 : 1;
}
