// Breadth-first search: a warp expands each vertex of the frontier and takes places in the next queue with one atomic.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#define MASK_ALL 0xFFFFFFFFu

static __device__ int warp_enqueue(int *tail, bool valid) {
    const unsigned ballot = __ballot_sync(MASK_ALL, valid);
    const int lane = threadIdx.x & 31;
    const int leader = __ffs(ballot) - 1;
    int base = 0;
    if (ballot == 0) return -1;
    if (lane == leader) base = atomicAdd(tail, __popc(ballot));
    base = __shfl_sync(MASK_ALL, base, leader);
    return valid ? base + __popc(ballot << 1 << (31 - lane)) : -1;
}

__global__ void expand(const int *offsets, const int *edges, const int *queue, int queued, int *level, int depth,
                       int *next, int *next_size) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, warps = gridDim.x * blockDim.x >> 5;
    for (int q = warp; q < queued; q += warps) {
        const int v = queue[q];
        const int begin = offsets[v], end = offsets[v + 1];
        for (int base = begin; base < end; base += 32) {
            const int e = base + (threadIdx.x & 31);
            bool fresh = false;
            int target = 0;
            if (e < end) {
                target = edges[e];
                fresh = atomicCAS(&level[target], -1, depth) == -1;
            }
            const int slot = warp_enqueue(next_size, fresh);
            if (slot >= 0) next[slot] = target;
        }
    }
}

int main() {
    const int n = 300;
    std::vector<int> offsets{0}, edges;
    for (int v = 0; v < n; ++v) {
        for (int k = 1; k <= (v % 50 == 0 ? 45 : 2); ++k) edges.push_back((v * 3 + k * 7) % n);
        offsets.push_back((int)edges.size());
    }
    std::vector<int> want(n, -1), now{0}, then;
    want[0] = 0;
    for (int d = 1; !now.empty(); ++d) {
        then.clear();
        for (int v : now)
            for (int e = offsets[v]; e < offsets[v + 1]; ++e)
                if (want[edges[e]] < 0) want[edges[e]] = d, then.push_back(edges[e]);
        now = then;
    }
    int *d_off, *d_edges, *d_q[2], *d_level, *d_size, size = 1, zero = 0;
    cudaMalloc(&d_off, offsets.size() * 4);
    cudaMalloc(&d_edges, edges.size() * 4);
    cudaMalloc(&d_q[0], n * 4);
    cudaMalloc(&d_q[1], n * 4);
    cudaMalloc(&d_level, n * 4);
    cudaMalloc(&d_size, 4);
    cudaMemcpy(d_off, offsets.data(), offsets.size() * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(d_edges, edges.data(), edges.size() * 4, cudaMemcpyHostToDevice);
    cudaMemset(d_level, 0xff, n * 4);
    cudaMemcpy(d_level, &zero, 4, cudaMemcpyHostToDevice);
    cudaMemcpy(d_q[0], &zero, 4, cudaMemcpyHostToDevice);
    int errors = 0;
    for (int d = 1; size > 0; ++d) {
        cudaMemcpy(d_size, &zero, 4, cudaMemcpyHostToDevice);
        expand<<<2, 96>>>(d_off, d_edges, d_q[(d + 1) & 1], size, d_level, d, d_q[d & 1], d_size);
        cudaMemcpy(&size, d_size, 4, cudaMemcpyDeviceToHost);
        int wanted = 0;
        for (int v : want) wanted += v == d;
        errors += size != wanted;
        if (d > n) break;
    }
    std::vector<int> got(n);
    cudaMemcpy(got.data(), d_level, n * 4, cudaMemcpyDeviceToHost);
    for (int v = 0; v < n; ++v) errors += got[v] != want[v];
    printf("errors %d\n", errors);
    return errors != 0;
}
