// Particles as a struct of arrays, in stream-ordered memory: the arrays come
// from the device's memory pool and go back to it without synchronizing.
#include <hip/hip_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define THROW_ON(err, what)                                                   \
    {                                                                         \
        hipError_t err_code = (err);                                         \
        if (err_code != hipSuccess)                                          \
        {                                                                     \
            fprintf(stderr, "%s: %s\n", what, hipGetErrorString(err_code));  \
            exit(1);                                                          \
        }                                                                     \
    }

struct ParticleView
{
    float *x, *y, *vx, *vy;
    int *bounces;
    int count;
};

class Particles
{
public:
    Particles(int count, hipStream_t stream) : stream_(stream)
    {
        view_.count = count;
        for (float **field : {&view_.x, &view_.y, &view_.vx, &view_.vy})
            THROW_ON(hipMallocAsync((void **)field, count * sizeof(float), stream_), "field");
        THROW_ON(hipMallocAsync(&view_.bounces, count * sizeof(int), stream_), "bounces");
        THROW_ON(hipMemsetAsync(view_.bounces, 0, count * sizeof(int), stream_), "clear");
    }
    ~Particles()
    {
        for (void *field : {(void *)view_.x, (void *)view_.y, (void *)view_.vx, (void *)view_.vy, (void *)view_.bounces})
            THROW_ON(hipFreeAsync(field, stream_), "cudaFreeAsync");
    }
    Particles(const Particles &) = delete;
    Particles &operator=(const Particles &) = delete;
    const ParticleView &view() const { return view_; }

private:
    ParticleView view_ = {};
    hipStream_t stream_;
};

/* Positions and velocities are multiples of 1/64 in the unit square; so are
 * all sums, and the host gets the same bits. */
__host__ __device__ inline void start(int i, float &x, float &y, float &vx, float &vy)
{
    x = (float)(i % 61 + 1) / 64.0f;
    y = (float)(i % 53 + 2) / 64.0f;
    vx = (float)(i % 7 - 3) / 64.0f;
    vy = (float)(i % 5 - 2) / 64.0f;
}

__host__ __device__ inline int bounce(float &position, float &velocity)
{
    position += velocity;
    if (position < 0.0f)
    {
        position = -position;
        velocity = -velocity;
        return 1;
    }
    if (position > 1.0f)
    {
        position = 2.0f - position;
        velocity = -velocity;
        return 1;
    }
    return 0;
}

__global__ void initialize(ParticleView p)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.count)
        start(i, p.x[i], p.y[i], p.vx[i], p.vy[i]);
}

__global__ void advance(ParticleView p, int steps)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= p.count)
        return;
    float x = p.x[i], y = p.y[i], vx = p.vx[i], vy = p.vy[i];
    int hits = 0;
    for (int s = 0; s < steps; ++s)
        hits += bounce(x, vx) + bounce(y, vy);
    p.x[i] = x;
    p.y[i] = y;
    p.vx[i] = vx;
    p.vy[i] = vy;
    p.bounces[i] += hits;
}

int main()
{
    int supported = 0;
    THROW_ON(hipDeviceGetAttribute(&supported, hipDeviceAttributeMemoryPoolsSupported, 0), "attribute");
    if (!supported)
    {
        puts("memory pools are not supported here\nFAIL");
        return 1;
    }

    // Keep freed memory in the pool between the rounds.
    hipMemPool_t pool;
    uint64_t threshold = UINT64_MAX, kept = 0;
    THROW_ON(hipDeviceGetDefaultMemPool(&pool, 0), "default pool");
    THROW_ON(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold), "set threshold");

    hipStream_t stream;
    THROW_ON(hipStreamCreate(&stream), "stream");

    const int count = 40000, block = 256, rounds = 4;
    std::vector<float> x(count), y(count);
    std::vector<int> bounces(count);
    for (int r = 0; r < rounds; ++r)
    {
        Particles particles(count, stream);
        hipLaunchKernelGGL(initialize, dim3((count + block - 1) / block), dim3(block), 0, stream, particles.view());
        for (int chunk = 0; chunk < 5; ++chunk)
            hipLaunchKernelGGL(advance, dim3((count + block - 1) / block), dim3(block), 0, stream, particles.view(), 20);
        THROW_ON(hipGetLastError(), "kernels");
        THROW_ON(hipMemcpyAsync(x.data(), particles.view().x, count * sizeof(float), hipMemcpyDeviceToHost, stream), "copy x");
        THROW_ON(hipMemcpyAsync(y.data(), particles.view().y, count * sizeof(float), hipMemcpyDeviceToHost, stream), "copy y");
        THROW_ON(hipMemcpyAsync(bounces.data(), particles.view().bounces, count * sizeof(int), hipMemcpyDefault, stream), "copy bounces");
    }
    THROW_ON(hipStreamSynchronize(stream), "synchronize");
    THROW_ON(hipMemPoolGetAttribute(pool, hipMemPoolAttrReservedMemCurrent, &kept), "reserved memory");
    const bool reserved = kept >= (uint64_t)count * sizeof(float);
    THROW_ON(hipMemPoolTrimTo(pool, 0), "trim");
    THROW_ON(hipStreamDestroy(stream), "destroy");

    int wrong = 0;
    long long hits = 0;
    double center_x = 0, center_y = 0;
    for (int i = 0; i < count; ++i)
    {
        float px, py, vx, vy;
        int n = 0;
        start(i, px, py, vx, vy);
        for (int s = 0; s < 100; ++s)
            n += bounce(px, vx) + bounce(py, vy);
        wrong += px != x[i] || py != y[i] || n != bounces[i];
        hits += bounces[i];
        center_x += x[i];
        center_y += y[i];
    }
    printf("particles: %d, bounces: %lld\n", count, hits);
    printf("center: %.4f %.4f\n", center_x / count, center_y / count);
    printf("wrong: %d, memory kept by the pool: %s\n", wrong, reserved ? "yes" : "no");
    puts(wrong == 0 && reserved ? "PASS" : "FAIL");
    return wrong == 0 && reserved ? 0 : 1;
}
