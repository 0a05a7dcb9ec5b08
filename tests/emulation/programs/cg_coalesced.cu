// Aggregated increments by the threads that are together in a branch, and their places.
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

__device__ int aggregated_increment(int *counter) {
    cg::coalesced_group g = cg::coalesced_threads();
    int place = 0;
    if (g.thread_rank() == 0) place = atomicAdd(counter, (int)g.size());
    return g.shfl(place, 0) + g.thread_rank();
}

__global__ void filter(const int *in, int n, int *out, int *count, int *sizes) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (in[i] % 3 == 0) {
        out[aggregated_increment(count)] = in[i];
        cg::coalesced_group g = cg::coalesced_threads();
        sizes[i] = g.size() * 100 + g.thread_rank();
    } else {
        sizes[i] = -1;
    }
}

int main() {
    const int n = 170;
    int host[n], result[n], sizes[n], *in, *out, *count, *d_sizes, counted;
    for (int i = 0; i < n; ++i) host[i] = (i * 47) % 173;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMalloc(&d_sizes, sizeof(host));
    cudaMalloc(&count, sizeof(int));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemset(count, 0, sizeof(int));
    filter<<<2, 96>>>(in, n, out, count, d_sizes);
    cudaMemcpy(result, out, sizeof(host), cudaMemcpyDeviceToHost);
    cudaMemcpy(sizes, d_sizes, sizeof(host), cudaMemcpyDeviceToHost);
    cudaMemcpy(&counted, count, sizeof(int), cudaMemcpyDeviceToHost);
    int errors = 0, wanted = 0, seen[173] = {};
    for (int i = 0; i < counted && i < n; ++i) ++seen[result[i]];
    for (int i = 0; i < n; ++i) {
        const bool third = host[i] % 3 == 0;
        wanted += third;
        errors += seen[host[i]] != third;
        int rank = 0, size = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32 && j < n; ++j) {
            size += host[j] % 3 == 0;
            rank += j < i && host[j] % 3 == 0;
        }
        errors += sizes[i] != (third ? size * 100 + rank : -1);
    }
    errors += counted != wanted;
    printf("errors %d\n", errors);
    return errors != 0;
}
