// The test data and plain CPU k-means.
#include "kmeans.cuh"

namespace kmeans {

static unsigned hashOf(unsigned v)
{
    v = (v ^ 61u) ^ (v >> 16);
    v *= 9u;
    v ^= v >> 4;
    v *= 0x27d4eb2du;
    return v ^ (v >> 15);
}

// Overlapping clouds on an integer grid: sums of coordinates are exact, and no
// point ever comes so close to a border that rounding could decide.
std::vector<float> makePoints(const Problem &p)
{
    std::vector<float> out(static_cast<size_t>(p.points) * p.dim);
    for (int i = 0; i < p.points; ++i) {
        // the first points, one of each cloud, are where the centroids start
        const unsigned cloud = i < p.clusters ? i : hashOf(i) % p.clusters;
        for (int d = 0; d < p.dim; ++d) {
            const int centre = static_cast<int>(hashOf(1000u + cloud * 64u + d) % 61u) - 30;
            const int noise = static_cast<int>(hashOf(77u * i + 13u * d + 5u) % 41u) - 20;
            out[static_cast<size_t>(i) * p.dim + d] = static_cast<float>(centre + noise);
        }
    }
    return out;
}

Result referenceRun(const Problem &p, const std::vector<float> &points, int maxIterations)
{
    Result r;
    r.labels.assign(p.points, -1);
    r.centroids.assign(points.begin(), points.begin() + p.clusters * p.dim);
    r.inertia = 0;
    for (r.iterations = 0; r.iterations < maxIterations;) {
        int changed = 0;
        r.inertia = 0;
        std::vector<double> sums(p.clusters * p.dim, 0.0);
        std::vector<int> counts(p.clusters, 0);
        for (int i = 0; i < p.points; ++i) {
            const float *x = &points[static_cast<size_t>(i) * p.dim];
            int best = 0;
            double bestDistance = 0;
            for (int k = 0; k < p.clusters; ++k) {
                double dist = 0;
                for (int d = 0; d < p.dim; ++d) {
                    const double diff = static_cast<double>(x[d]) - r.centroids[k * p.dim + d];
                    dist += diff * diff;
                }
                if (k == 0 || dist < bestDistance) {
                    bestDistance = dist;
                    best = k;
                }
            }
            changed += r.labels[i] != best;
            r.labels[i] = best;
            r.inertia += bestDistance;
            ++counts[best];
            for (int d = 0; d < p.dim; ++d) sums[best * p.dim + d] += x[d];
        }
        ++r.iterations;
        if (changed == 0) break;
        for (int k = 0; k < p.clusters; ++k)
            for (int d = 0; d < p.dim; ++d)
                if (counts[k] > 0)
                    r.centroids[k * p.dim + d] = static_cast<float>(sums[k * p.dim + d]) / static_cast<float>(counts[k]);
    }
    return r;
}

}  // namespace kmeans
