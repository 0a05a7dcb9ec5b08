// Sum, minimum and maximum of an array: warps reduce by shuffles, the first warp reduces what the warps found.
#include <cstdio>
#include <cfloat>
#include <vector>
#include <cuda_runtime.h>

constexpr int kWarpSize = 32;
constexpr unsigned kFullMask = 0xffffffffu;

struct Sum {
    template <typename T> __device__ T operator()(T a, T b) const { return a + b; }
};
struct Min {
    template <typename T> __device__ T operator()(T a, T b) const { return a < b ? a : b; }
};
struct Max {
    template <typename T> __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

template <typename T, typename Op>
__device__ __forceinline__ T warp_reduce(T value, Op op) {
#pragma unroll
    for (int offset = kWarpSize / 2; offset > 0; offset /= 2)
        value = op(value, __shfl_down_sync(kFullMask, value, offset));
    return value;
}

template <typename T, typename Op>
__device__ T block_reduce(T value, T identity, Op op) {
    __shared__ T partial[32];
    const int lane = threadIdx.x % kWarpSize;
    const int warp = threadIdx.x / kWarpSize;
    value = warp_reduce(value, op);
    __syncthreads();
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    value = threadIdx.x < blockDim.x / kWarpSize ? partial[lane] : identity;
    if (warp == 0) value = warp_reduce(value, op);
    return value;
}

template <typename T>
__global__ void summarise(const T *in, int n, T low, T high, T *out) {
    T sum = 0, least = high, most = low;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        sum += in[i];
        least = min(least, in[i]);
        most = max(most, in[i]);
    }
    sum = block_reduce(sum, T(0), Sum());
    least = block_reduce(least, high, Min());
    most = block_reduce(most, low, Max());
    if (threadIdx.x == 0) {
        out[0] = sum;
        out[1] = least;
        out[2] = most;
    }
}

template <typename T>
int check(int n, int threads, T low, T high) {
    std::vector<T> host(n);
    T want[3] = {0, high, low}, got[3];
    for (int i = 0; i < n; ++i) {
        host[i] = T((i * 7919) % 1009) + T(3);
        want[0] += host[i];
        want[1] = host[i] < want[1] ? host[i] : want[1];
        want[2] = host[i] > want[2] ? host[i] : want[2];
    }
    T *in, *out;
    cudaMalloc(&in, n * sizeof(T));
    cudaMalloc(&out, sizeof(got));
    cudaMemcpy(in, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    summarise<T><<<1, threads>>>(in, n, low, high, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    int errors = 0;
    for (int i = 0; i < 3; ++i) errors += got[i] != want[i];
    return errors;
}

int main() {
    int errors = 0;
    for (int threads : {32, 96, 128, 160}) {
        errors += check<int>(1000, threads, -1000000, 1000000);
        errors += check<double>(777, threads, -1e30, 1e30);
        errors += check<long long>(50, threads, -(1ll << 40), 1ll << 40);
        errors += check<float>(300, threads, -FLT_MAX, FLT_MAX);
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
