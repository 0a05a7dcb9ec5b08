// All-pairs gravity with a softened potential, leapfrog steps.
//
// Positions carry the mass in .w; one block walks over all bodies in tiles
// that it keeps in dynamic shared memory.
#include <hip/hip_runtime.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_OK(call)                                                          \
    if (hipError_t rc = (call); rc != hipSuccess) {                          \
        std::fprintf(stderr, "%s -> %s\n", #call, hipGetErrorString(rc));     \
        std::exit(1);                                                          \
    } else                                                                     \
        static_cast<void>(0)

constexpr float kSoftening2 = 0.01f;

extern __shared__ float4 s_bodies[];

__device__ __forceinline__ float3 pull(float3 acc, const float4 me, const float4 other)
{
    const float dx = other.x - me.x;
    const float dy = other.y - me.y;
    const float dz = other.z - me.z;
    const float inv = rsqrtf(dx * dx + dy * dy + dz * dz + kSoftening2);
    const float strength = other.w * inv * inv * inv;
    acc.x += dx * strength;
    acc.y += dy * strength;
    acc.z += dz * strength;
    return acc;
}

__global__ void accelerate(const float4 *__restrict__ pos, float4 *__restrict__ vel, int n, float dt)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = i < n ? pos[i] : make_float4(0.f, 0.f, 0.f, 0.f);
    float3 acc = make_float3(0.f, 0.f, 0.f);

    for (int base = 0; base < n; base += blockDim.x) {
        const int j = base + threadIdx.x;
        // Bodies past the end have no mass and pull nothing.
        s_bodies[threadIdx.x] = j < n ? pos[j] : make_float4(0.f, 0.f, 0.f, 0.f);
        __syncthreads();
#pragma unroll 8
        for (int k = 0; k < static_cast<int>(blockDim.x); ++k)
            acc = pull(acc, me, s_bodies[k]);
        __syncthreads();
    }

    if (i < n) {
        float4 v = vel[i];
        v.x += acc.x * dt;
        v.y += acc.y * dt;
        v.z += acc.z * dt;
        vel[i] = v;
    }
}

__global__ void drift(float4 *pos, const float4 *vel, int n, float dt)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 p = pos[i];
    p.x += vel[i].x * dt;
    p.y += vel[i].y * dt;
    p.z += vel[i].z * dt;
    pos[i] = p;
}

static void step_host(std::vector<double> &p, std::vector<double> &v, const std::vector<float4> &mass, double dt)
{
    const std::size_t n = mass.size();
    for (std::size_t i = 0; i < n; ++i) {
        double a[3] = {0, 0, 0};
        for (std::size_t j = 0; j < n; ++j) {
            double d[3], r2 = kSoftening2;
            for (int c = 0; c < 3; ++c) {
                d[c] = p[3 * j + c] - p[3 * i + c];
                r2 += d[c] * d[c];
            }
            const double s = mass[j].w / (r2 * std::sqrt(r2));
            for (int c = 0; c < 3; ++c)
                a[c] += d[c] * s;
        }
        for (int c = 0; c < 3; ++c)
            v[3 * i + c] += a[c] * dt;
    }
    for (std::size_t i = 0; i < 3 * n; ++i)
        p[i] += v[i] * dt;
}

int main()
{
    const int n = 1000; // not a multiple of the block size
    const int block = 128;
    const int steps = 5;
    const float dt = 0.01f;

    std::vector<float4> pos(n), vel(n, make_float4(0.f, 0.f, 0.f, 0.f));
    unsigned seed = 99;
    auto uniform = [&seed] {
        seed = seed * 1103515245u + 12345u;
        return static_cast<float>((seed >> 8) & 0xffff) / 65536.0f;
    };
    for (auto &p : pos) {
        p.x = uniform() * 2.0f - 1.0f;
        p.y = uniform() * 2.0f - 1.0f;
        p.z = uniform() * 2.0f - 1.0f;
        p.w = (0.5f + uniform()) / n;
    }
    std::vector<double> ref_p(3 * n), ref_v(3 * n, 0.0);
    for (int i = 0; i < n; ++i) {
        ref_p[3 * i + 0] = pos[i].x;
        ref_p[3 * i + 1] = pos[i].y;
        ref_p[3 * i + 2] = pos[i].z;
    }
    const std::vector<float4> initial = pos;

    float4 *d_pos = nullptr, *d_vel = nullptr;
    CUDA_OK(hipMalloc(&d_pos, n * sizeof(float4)));
    CUDA_OK(hipMalloc(&d_vel, n * sizeof(float4)));
    CUDA_OK(hipMemcpy(d_pos, pos.data(), n * sizeof(float4), hipMemcpyHostToDevice));
    CUDA_OK(hipMemcpy(d_vel, vel.data(), n * sizeof(float4), hipMemcpyHostToDevice));

    const int grid = (n + block - 1) / block;
    for (int s = 0; s < steps; ++s) {
        hipLaunchKernelGGL(accelerate, dim3(grid), dim3(block), block * sizeof(float4), 0, d_pos, d_vel, n, dt);
        hipLaunchKernelGGL(drift, dim3(grid), dim3(block), 0, 0, d_pos, d_vel, n, dt);
        CUDA_OK(hipGetLastError());
        step_host(ref_p, ref_v, initial, dt);
    }
    CUDA_OK(hipDeviceSynchronize());
    CUDA_OK(hipMemcpy(pos.data(), d_pos, n * sizeof(float4), hipMemcpyDeviceToHost));
    CUDA_OK(hipMemcpy(vel.data(), d_vel, n * sizeof(float4), hipMemcpyDeviceToHost));
    CUDA_OK(hipFree(d_pos));
    CUDA_OK(hipFree(d_vel));

    double worst = 0, momentum[3] = {0, 0, 0};
    for (int i = 0; i < n; ++i) {
        const float got[3] = {pos[i].x, pos[i].y, pos[i].z};
        const float speed[3] = {vel[i].x, vel[i].y, vel[i].z};
        for (int c = 0; c < 3; ++c) {
            worst = std::max(worst, std::fabs(got[c] - ref_p[3 * i + c]));
            momentum[c] += initial[i].w * speed[c];
        }
    }
    const double drift_of_momentum =
        std::max({std::fabs(momentum[0]), std::fabs(momentum[1]), std::fabs(momentum[2])});

    const bool close = worst < 1e-4;
    const bool conserved = drift_of_momentum < 1e-5;
    std::printf("bodies %d, steps %d\n", n, steps);
    std::printf("positions within 1e-4 of the host: %s\n", close ? "yes" : "no");
    std::printf("momentum conserved to 1e-5: %s\n", conserved ? "yes" : "no");
    std::puts(close && conserved ? "PASS" : "FAIL");
    return close && conserved ? 0 : 1;
}
