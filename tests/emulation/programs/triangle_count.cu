// Triangles of a graph: a warp intersects two neighbour lists, votes with __all_sync when to stop, counts by ballots.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

typedef unsigned int vid;
#define W 32

__device__ bool contains(const vid *list, int n, vid key) {
    int lo = 0, hi = n;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (list[mid] < key) lo = mid + 1;
        else hi = mid;
    }
    return lo < n && list[lo] == key;
}
__device__ int intersect(const vid *a, int na, const vid *b, int nb) {
    int found = 0;
    for (int i = 0; i < na; i += W) {
        const int at = i + (threadIdx.x & (W - 1));
        const bool hit = at < na && contains(b, nb, a[at]);
        found += __popc(__ballot_sync(0xFFFFFFFF, hit));
        if (__all_sync(0xFFFFFFFF, at >= na || a[at] > b[nb - 1])) break;
    }
    return found;
}
__global__ void triangles(const int *offsets, const vid *edges, int n, unsigned long long *total) {
    __shared__ unsigned long long per_warp[1024 / W];
    const int wid = threadIdx.x / W;
    unsigned long long mine = 0;
    for (int v = blockIdx.x * (blockDim.x / W) + wid; v < n; v += gridDim.x * (blockDim.x / W))
        for (int e = offsets[v]; e < offsets[v + 1]; ++e) {
            const vid u = edges[e];
            const int nu = offsets[u + 1] - offsets[u];
            if (nu > 0) mine += intersect(edges + offsets[v], offsets[v + 1] - offsets[v], edges + offsets[u], nu);
        }
    if (threadIdx.x % W == 0) per_warp[wid] = mine;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / W; ++w) mine += per_warp[w];
        atomicAdd(total, mine);
    }
}
int main() {
    const int n = 90;
    std::vector<std::vector<vid>> out(n);
    std::vector<int> offsets{0};
    std::vector<vid> edges;
    for (int v = 0; v < n; ++v) {
        for (int u = v + 1; u < n; ++u)
            if ((u * v + u + v) % 5 < 2 && (v < 3 || u - v < 30)) out[v].push_back(u), edges.push_back(u);
        offsets.push_back((int)edges.size());
    }
    unsigned long long want = 0, got = 0, *d_t;
    for (int v = 0; v < n; ++v)
        for (vid u : out[v])
            for (vid x : out[v])
                for (vid y : out[u]) want += x == y;
    int *d_o;
    vid *d_e;
    cudaMalloc(&d_o, offsets.size() * sizeof(int));
    cudaMalloc(&d_e, edges.size() * sizeof(vid));
    cudaMalloc(&d_t, sizeof(got));
    cudaMemset(d_t, 0, sizeof(got));
    cudaMemcpy(d_o, offsets.data(), offsets.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_e, edges.data(), edges.size() * sizeof(vid), cudaMemcpyHostToDevice);
    triangles<<<2, 96>>>(d_o, d_e, n, d_t);
    cudaMemcpy(&got, d_t, sizeof(got), cudaMemcpyDeviceToHost);
    int errors = got != want;
    printf("errors %d\n", errors);
    return errors;
}
