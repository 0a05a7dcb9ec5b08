// Warp operations inside device lambdas and functors that are handed to a general warp loop.
#include <cstdio>
#include <cuda_runtime.h>

template <typename F>
__device__ void for_each_in_warp(int begin, int end, F f) {
    for (int i = begin + (threadIdx.x & 31); i < end + 31 - (end - begin + 31) % 32; i += 32) f(i, i < end);
}

template <typename T, typename Combine>
__device__ T warp_all_reduce(T v, Combine combine) {
    for (int d = 1; d < 32; d <<= 1) v = combine(v, __shfl_xor_sync(0xffffffff, v, d));
    return v;
}

struct CountAbove {
    int limit;
    __device__ unsigned operator()(int v, bool valid) const { return __ballot_sync(0xffffffff, valid && v > limit); }
};

__global__ void segments(const int *offsets, const int *values, int *best, int *above, CountAbove count) {
    const int segment = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int begin = offsets[segment], end = offsets[segment + 1];
    int largest = -1, total = 0;
    auto visit = [&](int i, bool valid) {
        int v = valid ? values[i] : -1;
        auto larger = [](int a, int b) { return a > b ? a : b; };
        largest = larger(largest, warp_all_reduce(v, larger));
        total += __popc(count(v, valid));
    };
    for_each_in_warp(begin, end, visit);
    if (threadIdx.x % 32 == 0) {
        best[segment] = largest;
        above[segment] = total;
    }
}

int main() {
    const int segments_n = 9, n = 400;
    int offsets[segments_n + 1] = {0, 1, 33, 33, 97, 150, 200, 263, 300, 400}, values[n], *d_o, *d_v, *d_b, *d_a;
    int best[segments_n], above[segments_n];
    for (int i = 0; i < n; ++i) values[i] = (i * 131) % 1000;
    cudaMalloc(&d_o, sizeof(offsets));
    cudaMalloc(&d_v, sizeof(values));
    cudaMalloc(&d_b, sizeof(best));
    cudaMalloc(&d_a, sizeof(above));
    cudaMemcpy(d_o, offsets, sizeof(offsets), cudaMemcpyHostToDevice);
    cudaMemcpy(d_v, values, sizeof(values), cudaMemcpyHostToDevice);
    segments<<<3, 96>>>(d_o, d_v, d_b, d_a, CountAbove{500});
    cudaMemcpy(best, d_b, sizeof(best), cudaMemcpyDeviceToHost);
    cudaMemcpy(above, d_a, sizeof(above), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int s = 0; s < segments_n; ++s) {
        int b = -1, a = 0;
        for (int i = offsets[s]; i < offsets[s + 1]; ++i) {
            b = values[i] > b ? values[i] : b;
            a += values[i] > 500;
        }
        errors += best[s] != b || above[s] != a;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
