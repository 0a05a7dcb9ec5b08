// Sum of a large integer array with three kernels that differ in how the
// last steps inside a block are done.
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(hipError_t status, const char* what, int line) {
    if (status == hipSuccess) return;
    std::fprintf(stderr, "line %d: %s: %s (%s)\n", line, what, hipGetErrorName(status),
                 hipGetErrorString(status));
    std::exit(1);
}
#define CK(expr) check((expr), #expr, __LINE__)

// Every lane of a (32-wide) warp takes part.
constexpr unsigned kAllLanes = 0xffffffffu;

// 1. Plain shared-memory tree with dynamic shared memory.
__global__ void sum_tree(const int* in, long long* out, int n) {
    extern __shared__ long long partial[];
    const int tid = threadIdx.x;
    long long acc = 0;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += gridDim.x * blockDim.x) acc += in[i];
    partial[tid] = acc;
    __syncthreads();

    for (unsigned half = blockDim.x / 2; half > 0; half >>= 1) {
        if (tid < static_cast<int>(half)) partial[tid] += partial[tid + half];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = partial[0];
}

// Sum over groups of 32 lanes; the result is valid in the first lane of each.
__device__ __forceinline__ long long warp_sum(long long v) {
#pragma unroll
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down(v, offset, 32);
    return v;
}

// 2. Shuffles inside each warp, then one more round over the warps' sums.
__global__ void sum_shuffle(const int* __restrict__ in, long long* __restrict__ out, int n) {
    __shared__ long long per_warp[32];
    const int lane = threadIdx.x & 31;
    const int warp = threadIdx.x >> 5;

    long long acc = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) acc += in[i];

    acc = warp_sum(acc);
    if (lane == 0) per_warp[warp] = acc;
    __syncthreads();

    if (warp == 0) {
        const int warps = (blockDim.x + 31) / 32;
        acc = lane < warps ? per_warp[lane] : 0;
        acc = warp_sum(acc);
        if (lane == 0) out[blockIdx.x] = acc;
    }
}

// 3. Block size known at compile time: the tree unrolls fully and the last
//    32 values are folded with shuffles.
template <unsigned BLOCK>
__global__ void __launch_bounds__(BLOCK) sum_templated(const int* in, long long* out, int n) {
    static_assert(BLOCK >= 64 && (BLOCK & (BLOCK - 1)) == 0, "power of two of at least 64");
    __shared__ long long s[BLOCK];
    const unsigned tid = threadIdx.x;
    long long acc = 0;
    for (unsigned i = blockIdx.x * BLOCK + tid; i < static_cast<unsigned>(n); i += gridDim.x * BLOCK) acc += in[i];
    s[tid] = acc;
    __syncthreads();

    if constexpr (BLOCK >= 512) { if (tid < 256) s[tid] += s[tid + 256]; __syncthreads(); }
    if constexpr (BLOCK >= 256) { if (tid < 128) s[tid] += s[tid + 128]; __syncthreads(); }
    if constexpr (BLOCK >= 128) { if (tid < 64) s[tid] += s[tid + 64]; __syncthreads(); }
    if (tid < 32) {
        acc = warp_sum(s[tid] + s[tid + 32]);
        if (tid == 0) out[blockIdx.x] = acc;
    }
}

static long long finish(const long long* d_partial, int blocks) {
    std::vector<long long> h(blocks);
    CK(hipGetLastError());
    CK(hipMemcpy(h.data(), d_partial, blocks * sizeof(long long), hipMemcpyDeviceToHost));
    long long total = 0;
    for (long long v : h) total += v;
    return total;
}

int main() {
    const int n = (1 << 22) + 12345;
    const int blocks = 120;

    std::vector<int> h_in(n);
    std::uint32_t state = 2463534242u;
    long long expected = 0;
    for (int& v : h_in) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        v = static_cast<int>(state % 2001u) - 900;
        expected += v;
    }

    int* d_in = nullptr;
    long long* d_partial = nullptr;
    CK(hipMalloc(&d_in, n * sizeof(int)));
    CK(hipMalloc(&d_partial, blocks * sizeof(long long)));
    CK(hipMemcpy(d_in, h_in.data(), n * sizeof(int), hipMemcpyHostToDevice));

    bool ok = true;
    auto report = [&](const char* name, long long got) {
        std::printf("%-14s %lld\n", name, got);
        ok = ok && got == expected;
    };

    std::printf("elements       %d\n", n);
    hipLaunchKernelGGL(sum_tree, dim3(blocks), dim3(256), 256 * sizeof(long long), 0, d_in, d_partial, n);
    report("tree", finish(d_partial, blocks));

    hipLaunchKernelGGL(sum_shuffle, dim3(blocks), dim3(512), 0, 0, d_in, d_partial, n);
    report("shuffle", finish(d_partial, blocks));

    hipLaunchKernelGGL(sum_templated<64>, dim3(blocks), dim3(64), 0, 0, d_in, d_partial, n);
    report("templated 64", finish(d_partial, blocks));

    hipLaunchKernelGGL(sum_templated<128>, dim3(blocks), dim3(128), 0, 0, d_in, d_partial, n);
    report("templated 128", finish(d_partial, blocks));

    hipLaunchKernelGGL(sum_templated<512>, dim3(blocks), dim3(512), 0, 0, d_in, d_partial, n);
    report("templated 512", finish(d_partial, blocks));

    CK(hipFree(d_partial));
    CK(hipFree(d_in));
    std::printf("expected       %lld\n", expected);
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
