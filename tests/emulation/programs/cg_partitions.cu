// labeled_partition and binary_partition of a tile and of the threads that are together, and reductions over them.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__global__ void by_label(const int *in, int *sums, int *ranks, int *halves) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int i = threadIdx.x;
    auto group = cg::labeled_partition(tile, in[i] % 5);
    sums[i] = cg::reduce(group, in[i], cg::plus<int>());
    ranks[i] = group.thread_rank() * 100 + group.size();
    auto half = cg::binary_partition(tile, in[i] > 20);
    halves[i] = half.size() * 1000 + cg::reduce(half, in[i], cg::greater<int>());
    tile.sync();
    int most = cg::reduce(tile, in[i], cg::greater<int>());
    halves[i] += most * 1000000;
}

int main() {
    const int n = 128;
    int host[n], s[n], r[n], h[n], *in, *sums, *ranks, *halves, errors = 0;
    for (int i = 0; i < n; ++i) host[i] = (i * 13 + i / 32) % 47;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&sums, sizeof(host));
    cudaMalloc(&ranks, sizeof(host));
    cudaMalloc(&halves, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    by_label<<<1, n>>>(in, sums, ranks, halves);
    cudaMemcpy(s, sums, sizeof(s), cudaMemcpyDeviceToHost);
    cudaMemcpy(r, ranks, sizeof(r), cudaMemcpyDeviceToHost);
    cudaMemcpy(h, halves, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
        int sum = 0, rank = 0, size = 0, half = 0, most = 0, top = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
            if (host[j] % 5 == host[i] % 5) {
                sum += host[j];
                rank += j < i;
                ++size;
            }
            if ((host[j] > 20) == (host[i] > 20)) {
                ++half;
                most = host[j] > most ? host[j] : most;
            }
            top = host[j] > top ? host[j] : top;
        }
        errors += s[i] != sum || r[i] != rank * 100 + size || h[i] != half * 1000 + most + top * 1000000;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
