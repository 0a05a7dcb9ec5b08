// One pass of a radix sort: ranks within a warp by bitwise ballots, counters of the warps, a scan, a stable scatter.
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>

constexpr int kBits = 3, kDigits = 1 << kBits;

template <int THREADS>
__global__ void sort_pass(const unsigned *in, unsigned *out, int shift) {
    constexpr int WARPS = THREADS / 32;
    __shared__ unsigned counters[kDigits][WARPS];
    __shared__ unsigned starts[kDigits * WARPS];
    const unsigned lane = threadIdx.x & 31u, warp = threadIdx.x >> 5u;
    for (int k = threadIdx.x; k < kDigits * WARPS; k += THREADS) (&counters[0][0])[k] = 0;
    __syncthreads();
    const unsigned key = in[threadIdx.x], digit = key >> shift & (kDigits - 1);
    unsigned same = 0xffffffffu;
#pragma unroll
    for (int b = 0; b < kBits; ++b) {
        const unsigned bit = digit >> b & 1u, votes = __ballot_sync(0xffffffffu, bit);
        same &= bit ? votes : ~votes;
    }
    const unsigned rank = __popc(same & ~(0xffffffffu << lane));
    if (rank == 0) counters[digit][warp] = __popc(same);
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned sum = 0;
        for (int k = 0; k < kDigits * WARPS; ++k) {
            starts[k] = sum;
            sum += (&counters[0][0])[k];
        }
    }
    __syncthreads();
    out[starts[digit * WARPS + warp] + rank] = key;
}

int main() {
    const int n = 224;
    unsigned host[n], got[n], *d[2];
    for (int i = 0; i < n; ++i) host[i] = (i * 331u) % 509u;
    cudaMalloc(&d[0], sizeof(host));
    cudaMalloc(&d[1], sizeof(host));
    cudaMemcpy(d[0], host, sizeof(host), cudaMemcpyHostToDevice);
    for (int p = 0; p < 3; ++p) sort_pass<n><<<1, n>>>(d[p & 1], d[~p & 1], p * kBits);
    cudaMemcpy(got, d[1], sizeof(got), cudaMemcpyDeviceToHost);
    std::sort(host, host + n);
    int errors = 0;
    for (int i = 0; i < n; ++i) errors += got[i] != host[i];
    printf("errors %d\n", errors);
    return errors != 0;
}
