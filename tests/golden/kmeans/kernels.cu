// The kernels of k-means that no library has.
#include <hip/hip_runtime.h>
#include "kmeans.cuh"

namespace kmeans {

namespace {

const int kThreads = 128;

int blocksFor(int n) { return (n + kThreads - 1) / kThreads; }

__global__ void squaredNormsKernel(const float *rows, float *norms, int count, int dim)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    float s = 0.0f;
    for (int d = 0; d < dim; ++d) {
        const float v = rows[i * dim + d];
        s += v * v;
    }
    norms[i] = s;
}

// scores holds -2 * <centroid, point>; with the centroid's norm added, the
// smallest one is the nearest (the point's own norm is the same for all).
__global__ void chooseNearestKernel(const float *__restrict__ scores, const float *__restrict__ norms,
                                    int *__restrict__ labels, int *changed, int points, int clusters)
{
    extern __shared__ float cachedNorms[];
    for (int k = threadIdx.x; k < clusters; k += blockDim.x) cachedNorms[k] = norms[k];
    __syncthreads();

    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int moved = 0;
    if (i < points) {
        int best = 0;
        float bestScore = cachedNorms[0] + scores[i * clusters];
        for (int k = 1; k < clusters; ++k) {
            const float s = cachedNorms[k] + scores[i * clusters + k];
            if (s < bestScore) {
                bestScore = s;
                best = k;
            }
        }
        moved = labels[i] != best;
        labels[i] = best;
    }
    // one atomic per block
    const int movedHere = __syncthreads_count(moved);
    if (threadIdx.x == 0 && movedHere) atomicAdd(changed, movedHere);
}

// An empty cluster keeps its centroid.
__global__ void divideByCountsKernel(const float *sums, const int *counts, float *centroids, int clusters, int dim)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= clusters * dim) return;
    const int k = j / dim, d = j % dim;
    if (counts[k] > 0) centroids[j] = sums[d * clusters + k] / static_cast<float>(counts[k]);
}

}  // namespace

void squaredNorms(const float *rows, float *norms, int count, int dim, hipStream_t stream)
{
    hipLaunchKernelGGL(squaredNormsKernel, dim3(blocksFor(count)), dim3(kThreads), 0, stream, rows, norms, count, dim);
    KM_CUDA(hipGetLastError());
}

void chooseNearest(const float *scores, const float *norms, int *labels, int *changed, const Problem &p,
                   hipStream_t stream)
{
    const size_t shared = p.clusters * sizeof(float);
    hipLaunchKernelGGL(chooseNearestKernel, dim3(blocksFor(p.points)), dim3(kThreads), shared, stream, scores, norms, labels, changed, p.points,
                                                                          p.clusters);
    KM_CUDA(hipGetLastError());
}

void divideByCounts(const float *sums, const int *counts, float *centroids, const Problem &p, hipStream_t stream)
{
    hipLaunchKernelGGL(divideByCountsKernel, dim3(blocksFor(p.clusters * p.dim)), dim3(kThreads), 0, stream, sums, counts, centroids, p.clusters,
                                                                                 p.dim);
    KM_CUDA(hipGetLastError());
}

}  // namespace kmeans
