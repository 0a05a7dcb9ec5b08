// Shared between the parts of the k-means program.  Points and centroids are
// stored one after the other: coordinate d of point i is at [i * dim + d].
#ifndef KMEANS_CUH
#define KMEANS_CUH

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <hip/hip_runtime.h>

namespace kmeans {

struct Problem {
    int points;
    int dim;
    int clusters;
};

struct Result {
    std::vector<int> labels;
    std::vector<float> centroids;
    double inertia;
    int iterations;
};

// kernels.cu
void squaredNorms(const float *rows, float *norms, int count, int dim, hipStream_t stream);
void chooseNearest(const float *scores, const float *norms, int *labels, int *changed, const Problem &p,
                   hipStream_t stream);
void divideByCounts(const float *sums, const int *counts, float *centroids, const Problem &p, hipStream_t stream);

// reference.cpp
std::vector<float> makePoints(const Problem &p);
Result referenceRun(const Problem &p, const std::vector<float> &points, int maxIterations);

inline void checkCuda(hipError_t e, const char *file, int line)
{
    if (e != hipSuccess) {
        std::fprintf(stderr, "%s:%d: %s\n", file, line, hipGetErrorString(e));
        std::exit(1);
    }
}

}  // namespace kmeans

#define KM_CUDA(e) ::kmeans::checkCuda((e), __FILE__, __LINE__)

#endif
