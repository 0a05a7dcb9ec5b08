// Masks in wider types: complements, pairs of warps in words of 64 bits, size_t, bitwise members.
#include <cstdio>
#include <cuda_runtime.h>

#include <cstdint>
__global__ void work(const int *in, int *out) {
    __shared__ uint64_t pairs[2];
    const int v = in[threadIdx.x], warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    if (threadIdx.x < 2) pairs[threadIdx.x] = 0;
    __syncthreads();
    const unsigned votes = __ballot_sync(~0u, v > 9);
    if (lane == 0) reinterpret_cast<uint32_t *>(pairs)[warp] = votes;
    __syncthreads();
    const uint64_t rest = ~__ballot_sync(0xffffffff, v & 1);
    const size_t odd = __ballot_sync(0xffffffff, v & 1);
    auto even = __ballot_sync(0xffffffff, v & 1);
    even = ~even;
    const auto all = ~decltype(__ballot_sync(0, 0))(0);
    out[threadIdx.x] = __popcll(pairs[0]) + 100 * __popcll(pairs[1]) + 10000 * __popcll(rest) + 1000000 * __popcll(odd) +
                       100000000 * (__popc(even) == 32 - __popcll(odd)) + 200000000 * (all == even + odd);
}
int want(const int *in, int t) {
    int p[2] = {}, o = 0;
    for (int j = 0; j < 96; ++j) p[j / 64] += in[j] > 9, o += j / 32 == t / 32 && in[j] & 1;
    return p[0] + 100 * p[1] + 10000 * (32 - o) + 1000000 * o + 300000000;
}
int main() {
    const int n = 96;
    int *in, *out, errors = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = (i * 7 + i / 32) % 29;
    work<<<1, n>>>(in, out);
    cudaDeviceSynchronize();
    for (int t = 0; t < n; ++t) errors += out[t] != want(in, t);
    printf("errors %d\n", errors);
    return errors != 0;
}
