// k-means: cuBLAS for all distances at once, Thrust for the sums per cluster,
// and a few kernels for the rest (kernels.cu).
#include <hip/hip_runtime.h>
#include "kmeans.cuh"

#include <cmath>

#include <hipblas/hipblas.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

#define KM_BLAS(expr)                                                                          \
    do {                                                                                       \
        const hipblasStatus_t blasStatus = (expr);                                              \
        if (blasStatus != HIPBLAS_STATUS_SUCCESS) {                                             \
            std::fprintf(stderr, "%s:%d: cuBLAS status %d\n", __FILE__, __LINE__, blasStatus); \
            std::exit(1);                                                                      \
        }                                                                                      \
    } while (0)

namespace {

// One coordinate of a point, as Thrust's iterators want it.
struct Coordinate {
    const float *points;
    int dim, which;
    __host__ __device__ float operator()(int point) const { return points[point * dim + which]; }
};

// Squared distance of a point to the centroid of its cluster.
struct DistanceToOwn {
    const float *points;
    const float *centroids;
    const int *labels;
    int dim;
    __host__ __device__ double operator()(int point) const
    {
        double s = 0;
        for (int d = 0; d < dim; ++d) {
            const double diff = static_cast<double>(points[point * dim + d]) - centroids[labels[point] * dim + d];
            s += diff * diff;
        }
        return s;
    }
};

kmeans::Result run(const kmeans::Problem &p, const std::vector<float> &host, int maxIterations)
{
    hipStream_t stream;
    KM_CUDA(hipStreamCreate(&stream));
    hipblasHandle_t blas;
    KM_BLAS(hipblasCreate(&blas));
    KM_BLAS(hipblasSetStream(blas, stream));
    const auto policy = thrust::hip::par.on(stream);

    thrust::device_vector<float> points(host.begin(), host.end());
    thrust::device_vector<float> centroids(points.begin(), points.begin() + p.clusters * p.dim);
    thrust::device_vector<float> scores(p.points * p.clusters), norms(p.clusters), sums(p.clusters * p.dim);
    thrust::device_vector<int> labels(p.points, -1), sorted(p.points), order(p.points), changed(1);
    thrust::device_vector<int> counts(p.clusters), present(p.clusters);

    float *x = thrust::raw_pointer_cast(points.data());
    float *c = thrust::raw_pointer_cast(centroids.data());
    float *s = thrust::raw_pointer_cast(scores.data());
    float *cn = thrust::raw_pointer_cast(norms.data());
    int *l = thrust::raw_pointer_cast(labels.data());

    kmeans::Result result;
    result.iterations = 0;
    while (result.iterations < maxIterations) {
        // scores (clusters x points, column-major) = -2 * C^T * X
        const float minusTwo = -2.0f, zero = 0.0f;
        kmeans::squaredNorms(c, cn, p.clusters, p.dim, stream);
        KM_BLAS(hipblasSgemm(blas, HIPBLAS_OP_T, HIPBLAS_OP_N, p.clusters, p.points, p.dim, &minusTwo, c, p.dim, x, p.dim,
                            &zero, s, p.clusters));
        thrust::fill(policy, changed.begin(), changed.end(), 0);
        kmeans::chooseNearest(s, cn, l, thrust::raw_pointer_cast(changed.data()), p, stream);
        KM_CUDA(hipStreamSynchronize(stream));
        ++result.iterations;
        if (changed[0] == 0) break;

        // Bring the points of each cluster together, then sum every coordinate.
        thrust::sequence(policy, order.begin(), order.end());
        KM_CUDA(hipMemcpyAsync(thrust::raw_pointer_cast(sorted.data()), l, p.points * sizeof(int),
                                hipMemcpyDeviceToDevice, stream));
        thrust::stable_sort_by_key(policy, sorted.begin(), sorted.end(), order.begin());
        auto ends = thrust::reduce_by_key(policy, sorted.begin(), sorted.end(), thrust::make_constant_iterator(1),
                                          present.begin(), counts.begin());
        if (ends.first - present.begin() != p.clusters) {
            std::fprintf(stderr, "a cluster has become empty\n");
            std::exit(1);
        }
        for (int d = 0; d < p.dim; ++d) {
            auto values = thrust::make_transform_iterator(order.begin(), Coordinate{x, p.dim, d});
            thrust::reduce_by_key(policy, sorted.begin(), sorted.end(), values, thrust::make_discard_iterator(),
                                  sums.begin() + d * p.clusters);
        }
        kmeans::divideByCounts(thrust::raw_pointer_cast(sums.data()), thrust::raw_pointer_cast(counts.data()), c, p,
                               stream);
    }

    thrust::counting_iterator<int> first(0);
    result.inertia = thrust::transform_reduce(policy, first, first + p.points, DistanceToOwn{x, c, l, p.dim}, 0.0,
                                              thrust::plus<double>());
    KM_CUDA(hipStreamSynchronize(stream));
    result.labels.resize(p.points);
    result.centroids.resize(p.clusters * p.dim);
    thrust::copy(labels.begin(), labels.end(), result.labels.begin());
    thrust::copy(centroids.begin(), centroids.end(), result.centroids.begin());

    KM_BLAS(hipblasDestroy(blas));
    KM_CUDA(hipStreamDestroy(stream));
    return result;
}

}  // namespace

int main()
{
    const kmeans::Problem problem{6000, 8, 7};
    const std::vector<float> points = kmeans::makePoints(problem);
    const kmeans::Result got = run(problem, points, 30);
    const kmeans::Result want = kmeans::referenceRun(problem, points, 30);

    int differ = 0;
    std::vector<int> sizes(problem.clusters, 0);
    for (int i = 0; i < problem.points; ++i) {
        differ += got.labels[i] != want.labels[i];
        ++sizes[got.labels[i]];
    }
    float worst = 0.0f;
    for (size_t j = 0; j < want.centroids.size(); ++j)
        worst = std::fmax(worst, std::fabs(got.centroids[j] - want.centroids[j]));

    std::printf("points %d dim %d clusters %d iterations %d\n", problem.points, problem.dim, problem.clusters,
                got.iterations);
    std::printf("sizes");
    for (int n : sizes) std::printf(" %d", n);
    std::printf("\nlabels differing %d\n", differ);

    const bool ok = differ == 0 && got.iterations == want.iterations && worst < 1e-4f &&
                    std::fabs(got.inertia - want.inertia) < 1e-5 * want.inertia;
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
