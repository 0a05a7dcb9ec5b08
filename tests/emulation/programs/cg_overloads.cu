// Ballots and matches of tiles handed to helpers that are overloaded for masks of 32 and of 64 bits.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
using namespace cooperative_groups;

__device__ int width_of(unsigned) { return 32; }
__device__ int width_of(unsigned long long) { return 64; }
__device__ int leader_of(unsigned m) { return __ffs(m) - 1; }
__device__ int leader_of(unsigned long long m) { return 100 + __ffsll(m) - 1; }
template <typename M> __device__ int bits_of(M) { return (int)sizeof(M) * 8; }

__global__ void masks(const int *in, int *out) {
    auto tile = tiled_partition<32>(this_thread_block());
    auto small = tiled_partition<8>(this_thread_block());
    int v = in[threadIdx.x];
    auto same = tile.match_any(v);
    int r = width_of(tile.ballot(v > 2)) + bits_of(tile.ballot(v > 2)) + leader_of(same) * 100;
    r += leader_of(small.ballot(v == in[threadIdx.x / 8 * 8 + 3])) * 10000;
    r += width_of(__ballot_sync(0xffffffff, v)) + bits_of(__activemask()) + leader_of(__match_any_sync(~0u, v)) * 1000000;
    out[threadIdx.x] = r;
}

int main() {
    const int n = 96;
    int host[n], got[n], *in, *out, errors = 0;
    for (int i = 0; i < n; ++i) host[i] = (i * 3 + i / 32) % 7;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    masks<<<1, n>>>(in, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
        int first = 0, eighth = 0;
        while (host[i / 32 * 32 + first] != host[i]) ++first;
        while (host[i / 8 * 8 + eighth] != host[i / 8 * 8 + 3]) ++eighth;
        errors += got[i] != 128 + first * 100 + eighth * 10000 + first * 1000000;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
