// The nearest of many points to each query: a block goes through all points, and its
// threads agree through shared memory. The arrays there are of classes with default
// values, which nvcc leaves unset; the kernels write each element before they read it.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kThreads = 128;

#define CHECK(call)                                                             \
    do {                                                                        \
        cudaError_t status = (call);                                            \
        if (status != cudaSuccess) {                                            \
            std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status)); \
            std::exit(1);                                                       \
        }                                                                       \
    } while (0)

// A candidate for the nearest point: none yet, and infinitely far away.
template <class Real>
struct Candidate {
    Real distance = Real(1e30);
    int index = -1;

    __host__ __device__ bool is_before(const Candidate& other) const
    {
        return distance < other.distance || (distance == other.distance && index < other.index);
    }
};

struct Point {
    float x, y, z;
    __host__ __device__ Point() : x(0), y(0), z(0) {}
    __host__ __device__ Point(float x, float y, float z) : x(x), y(y), z(z) {}
};

__host__ __device__ float squared(const Point& a, const Point& b)
{
    const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return x * x + y * y + z * z;
}

template <class Item>
__device__ void keep_first(Item (&items)[kThreads], int thread)
{
    for (int half = kThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (thread < half && items[thread + half].is_before(items[thread])) items[thread] = items[thread + half];
    }
    __syncthreads();
}

__global__ void nearest(const Point* points, int count, const Point* queries, Candidate<float>* found)
{
    __shared__ Candidate<float> best[kThreads], second;
    __shared__ Point query;
    if (threadIdx.x == 0) query = queries[blockIdx.x];
    __syncthreads();

    Candidate<float> mine;
    for (int i = threadIdx.x; i < count; i += blockDim.x) {
        Candidate<float> other;
        other.distance = squared(points[i], query);
        other.index = i;
        if (other.is_before(mine)) mine = other;
    }
    best[threadIdx.x] = mine;
    keep_first(best, threadIdx.x);
    if (threadIdx.x == 0) second = *best;
    __syncthreads();
    if (threadIdx.x == sizeof(best) / sizeof(*best) - 1) found[blockIdx.x] = second;
}

}  // namespace

int main()
{
    const int count = 5000, asked = 64;
    std::vector<Point> points(count), queries(asked);
    unsigned state = 2463534242u;
    auto next = [&state] {
        state ^= state << 13, state ^= state >> 17, state ^= state << 5;
        return static_cast<float>(state >> 8) / 16777216.0f;
    };
    for (Point& p : points) p = Point(next(), next(), next());
    for (Point& q : queries) q = Point(next(), next(), next());

    Point *points_d, *queries_d;
    Candidate<float>* found_d;
    CHECK(cudaMalloc(&points_d, count * sizeof(Point)));
    CHECK(cudaMalloc(&queries_d, asked * sizeof(Point)));
    CHECK(cudaMalloc(&found_d, asked * sizeof(Candidate<float>)));
    CHECK(cudaMemcpy(points_d, points.data(), count * sizeof(Point), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(queries_d, queries.data(), asked * sizeof(Point), cudaMemcpyHostToDevice));
    nearest<<<asked, kThreads>>>(points_d, count, queries_d, found_d);
    CHECK(cudaGetLastError());
    std::vector<Candidate<float>> found(asked);
    CHECK(cudaMemcpy(found.data(), found_d, asked * sizeof(Candidate<float>), cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int q = 0; q < asked; ++q) {
        float least = 1e30f;
        for (const Point& p : points) {
            const float distance = squared(p, queries[q]);
            if (distance < least) least = distance;
        }
        const int index = found[q].index;
        wrong += index < 0 || index >= count || squared(points[index], queries[q]) > least * 1.0001f;
    }
    CHECK(cudaFree(points_d));
    CHECK(cudaFree(queries_d));
    CHECK(cudaFree(found_d));
    std::printf("queries %d, wrong %d\n%s\n", asked, wrong, wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
