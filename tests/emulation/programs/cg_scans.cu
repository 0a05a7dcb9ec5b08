// Scans of tiles and of the threads together, and their reductions.
#include <cstdio>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void work(const int *in, int *out) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    auto small = cg::tiled_partition<8>(cg::this_thread_block());
    const int v = in[threadIdx.x];
    int r = cg::inclusive_scan(tile, v) + 1000 * cg::exclusive_scan(small, v, cg::plus<int>()) + 1000000 * cg::reduce(small, v, cg::less<int>());
    if (v & 1) {
        auto odd = cg::coalesced_threads();
        r += 100000000 * (cg::reduce(odd, v, cg::plus<int>()) % 7);
        r += 1000000000 * (odd.thread_rank() == odd.num_threads() - 1);
    }
    out[threadIdx.x] = r;
}
int want(const int *in, int t) {
    int s = 0, e = 0, m = 1000, o = 0, last = 0;
    for (int j = t / 32 * 32; j < t / 32 * 32 + 32; ++j) {
        if (j <= t) s += in[j];
        if (j / 8 == t / 8 && j < t) e += in[j];
        if (j / 8 == t / 8) m = in[j] < m ? in[j] : m;
        if (in[j] & 1) o += in[j], last = j;
    }
    return s + 1000 * e + 1000000 * m + (in[t] & 1 ? 100000000 * (o % 7) + 1000000000 * (t == last) : 0);
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
