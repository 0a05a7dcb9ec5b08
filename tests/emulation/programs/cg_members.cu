// Tiles as members and parameters; masks of tiles and of coalesced groups kept as unsigned; shuffles up and down.
#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

using Tile = cg::thread_block_tile<32>;
struct Worker {
    Tile tile;
    unsigned seen;
    __device__ Worker(const Tile &t) : tile(t), seen(0) {}
    __device__ int step(int v) {
        seen |= tile.ballot(v & 1);
        const int next = tile.shfl_down(v, 1), before = tile.shfl_up(v, 1);
        return next - before + tile.shfl(v, tile.size() - 1);
    }
};
template <class Group> __device__ int first_of(const Group &g, int v) { return g.shfl(v, 0); }
__global__ void work(const int *in, int *out) {
    Worker w(cg::tiled_partition<32>(cg::this_thread_block()));
    const int v = in[threadIdx.x];
    int r = w.step(v);
    r += 1000 * __popc(w.seen) + 100000 * (w.seen >> w.tile.thread_rank() & 1);
    r += 1000000 * first_of(w.tile, v);
    if (v > 10) {
        const auto g = cg::coalesced_threads();
        const unsigned m = g.ballot(v & 1);
        r += 50000000 * (__popc(m) & 3) + 300000000 * g.any(v == 28);
        r -= first_of(g, v);
    }
    out[threadIdx.x] = r;
}
int want(const int *in, int t) {
    const int w = t / 32 * 32;
    int odd = 0, large = 0, any = 0, first = -1;
    for (int j = w; j < w + 32; ++j) {
        odd += in[j] & 1;
        if (in[j] > 10) {
            large += in[j] & 1;
            any |= in[j] == 28;
            if (first < 0) first = in[j];
        }
    }
    int r = (t % 32 < 31 ? in[t + 1] : in[t]) - (t % 32 ? in[t - 1] : in[t]) + in[w + 31] + 1000 * odd + 100000 * (in[t] & 1);
    r += 1000000 * in[w];
    if (in[t] > 10) r += 50000000 * (large & 3) + 300000000 * any - first;
    return r;
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
