// Tiles of 4, 8, 16 and 32 threads: shuffles, ballots, ranks, groups of the block.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

template <unsigned Size>
__device__ int tile_sum(const cg::thread_block_tile<Size> &tile, int v) {
    for (int i = tile.size() / 2; i > 0; i /= 2) v += tile.shfl_down(v, i);
    return tile.shfl(v, 0);
}

template <unsigned Size>
__global__ void tiles(const int *in, int *out) {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
    const int i = block.thread_rank();
    const int v = in[i];
    const unsigned odd = tile.ballot(v & 1);
    const int rank = __popc(odd & ((1u << tile.thread_rank()) - 1));
    int result = tile_sum<Size>(tile, v) + 1000 * rank + 100000 * __popc(odd);
    if (tile.any(v == 7)) result += 10000000;
    if (tile.all(v < 40)) result += 20000000;
    if (tile.thread_rank() == tile.size() - 1) result += 40000000 * (tile.meta_group_rank() & 3);
    tile.sync();
    out[i] = result;
}

template <unsigned Size>
int run(const int *host, const int *in, int *out, int n) {
    int got[256], errors = 0;
    tiles<Size><<<1, n>>>(in, out);
    cudaMemcpy(got, out, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
        int start = i / Size * Size, sum = 0, odd = 0, rank = 0, any = 0, all = 1;
        for (int j = start; j < start + (int)Size; ++j) {
            sum += host[j];
            odd += host[j] & 1;
            rank += j < i && host[j] & 1;
            any |= host[j] == 7;
            all &= host[j] < 40;
        }
        int want = sum + 1000 * rank + 100000 * odd + any * 10000000 + all * 20000000;
        if (i % Size == Size - 1) want += 40000000 * (i / Size & 3);
        errors += got[i] != want;
    }
    return errors;
}

int main() {
    const int n = 160;
    int host[n], *in, *out;
    for (int i = 0; i < n; ++i) host[i] = (i * 5 + i / 48) % 43;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    int errors = run<4>(host, in, out, n) + run<8>(host, in, out, n) + run<16>(host, in, out, n) + run<32>(host, in, out, n);
    printf("errors %d\n", errors);
    return errors != 0;
}
