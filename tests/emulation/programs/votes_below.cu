// Counts the votes of lower lanes by shifting out those of the others: by 32 bits in lane 0.
#include <cstdio>
#include <cuda_runtime.h>
#define LANES 32
__device__ int lane_id() { return threadIdx.x & (LANES - 1); }
__device__ __forceinline__ unsigned shared_votes(unsigned votes, int from) { return __shfl_sync(~0u, votes, from); }
__device__ int place(unsigned votes, int warp_size, int lane) { return __popc(votes << (warp_size - lane)); }
__device__ unsigned up_to_first(unsigned votes) {
    int count;
    if (votes != 0) {
        count = __ffs(votes) - 1;
    } else {
        count = 32;
    }
    return (0x2 << count) - 1;
}
__global__ void compact(const int *in, int *places, int *from_first, int *below, unsigned *masks, unsigned *firsts) {
    const int t = threadIdx.x, lane = lane_id();
    const unsigned votes = __ballot_sync(0xffffffffu, in[t] & 1);
    places[t] = __popc(votes << (LANES - lane));
    from_first[t] = place(shared_votes(votes, 0), warpSize, t % 32);
    below[t] = (votes << (32u - lane)) ? 1 : 0;
    masks[t] = 0xffffffffu >> (warpSize - lane);
    firsts[t] = up_to_first(__ballot_sync(0xffffffffu, in[t] >= t / 64 * 128));
}
int main() {
    const int threads = 128;
    int *in, *places, *from_first, *below, errors = 0;
    unsigned *masks, *firsts;
    cudaMallocManaged(&in, threads * sizeof(int));
    cudaMallocManaged(&places, threads * sizeof(int));
    cudaMallocManaged(&from_first, threads * sizeof(int));
    cudaMallocManaged(&below, threads * sizeof(int));
    cudaMallocManaged(&masks, threads * sizeof(unsigned));
    cudaMallocManaged(&firsts, threads * sizeof(unsigned));
    for (int t = 0; t < threads; ++t) in[t] = t * 7 / 3;
    compact<<<1, threads>>>(in, places, from_first, below, masks, firsts);
    cudaDeviceSynchronize();
    for (int t = 0; t < threads; ++t) {
        int count = 0;
        for (int lower = t & ~31; lower < t; ++lower) count += in[lower] & 1;
        errors += places[t] != count;
        errors += from_first[t] != count;
        errors += below[t] != (count > 0);
        int first = t & ~31;
        while (first < (t | 31) + 1 && in[first] < t / 64 * 128) ++first;
        errors += firsts[t] != (unsigned)((2ull << (first - (t & ~31))) - 1);
        errors += masks[t] != (1u << (t & 31)) - 1;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
