// Gravity between a few hundred bodies, written with vector operators; energy and momentum are watched.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <hip/hip_runtime.h>
#include "vector_math.h"

#define BLOCK 64
#define SOFTENING 0.01f

#define CHECK(x) do { if ((x) != hipSuccess) { std::printf("failed: %s\n", #x); std::exit(1); } } while (0)

__host__ __device__ inline float3 pull(float3 here, float4 body)
{
    const float3 r = make_float3(body) - here;
    const float d2 = dot(r, r) + SOFTENING;
#ifdef __HIP_DEVICE_COMPILE__
    const float inv = rsqrtf(d2);
#else
    const float inv = 1.0f / sqrtf(d2);
#endif
    return r * (body.w * inv * inv * inv);
}

__global__ void kick(const float4 *position, float4 *velocity, int n, float dt)
{
    __shared__ float4 tile[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    const float3 here = make_float3(i < n ? position[i] : make_float4(0.0f));
    float3 force = make_float3(0.0f);
    for (int start = 0; start < n; start += BLOCK) {
        tile[threadIdx.x] = start + threadIdx.x < n ? position[start + threadIdx.x] : make_float4(0.0f);
        __syncthreads();
        for (int k = 0; k < BLOCK; ++k) force += pull(here, tile[k]);
        __syncthreads();
    }
    if (i < n) velocity[i] += make_float4(force * dt, 0.0f);
}

__global__ void drift(float4 *position, const float4 *velocity, int n, float dt)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) position[i] = make_float4(make_float3(position[i]) + dt * make_float3(velocity[i]), position[i].w);
}

// Which cell of a coarse grid a body is in
__global__ void cells(const float4 *position, int2 *cell, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n)
        cell[i] = make_int2((int)clamp(position[i].x * 8.0f + 8.0f, 0.0f, 15.0f), (int)clamp(position[i].y * 8.0f + 8.0f, 0.0f, 15.0f)) + make_int2(1, 1);
}

int main()
{
    const int n = 300, steps = 20, blocks = (n + BLOCK - 1) / BLOCK;
    const float dt = 0.002f;
    std::vector<float4> x(n), v(n, make_float4(0.0f)), gx(n), gv(n);
    std::vector<int2> cell(n);
    for (int i = 0; i < n; ++i)
        x[i] = make_float4((i * 37 % 101) / 50.0f - 1.0f, (i * 53 % 103) / 51.0f - 1.0f, lerp(-1.0f, 1.0f, i / 300.0f), 0.002f);

    float4 *dx, *dv;
    int2 *dc;
    CHECK(hipMalloc(&dx, n * sizeof(float4)));
    CHECK(hipMalloc(&dv, n * sizeof(float4)));
    CHECK(hipMalloc(&dc, n * sizeof(int2)));
    CHECK(hipMemcpy(dx, x.data(), n * sizeof(float4), hipMemcpyHostToDevice));
    CHECK(hipMemcpy(dv, v.data(), n * sizeof(float4), hipMemcpyHostToDevice));
    hipLaunchKernelGGL(cells, dim3(blocks), dim3(BLOCK), 0, 0, dx, dc, n);
    for (int s = 0; s < steps; ++s) {
        hipLaunchKernelGGL(kick, dim3(blocks), dim3(BLOCK), 0, 0, dx, dv, n, dt);
        hipLaunchKernelGGL(drift, dim3(blocks), dim3(BLOCK), 0, 0, dx, dv, n, dt);
    }
    CHECK(hipGetLastError());
    CHECK(hipMemcpy(gx.data(), dx, n * sizeof(float4), hipMemcpyDeviceToHost));
    CHECK(hipMemcpy(gv.data(), dv, n * sizeof(float4), hipMemcpyDeviceToHost));
    CHECK(hipMemcpy(cell.data(), dc, n * sizeof(int2), hipMemcpyDeviceToHost));

    int misplaced = 0;
    for (int i = 0; i < n; ++i) {
        const int2 want = make_int2((int)clamp(x[i].x * 8.0f + 8.0f, 0.0f, 15.0f) + 1, (int)clamp(x[i].y * 8.0f + 8.0f, 0.0f, 15.0f) + 1);
        const int2 d = make_int2(abs(cell[i].x - want.x), abs(cell[i].y - want.y));
        misplaced += !(cell[i] == want) && d.x + d.y > 1;  // a body on the line may fall to either side
    }

    for (int s = 0; s < steps; ++s) {
        for (int i = 0; i < n; ++i) {
            float3 force = make_float3(0.0f);
            for (int j = 0; j < n; ++j) force += pull(make_float3(x[i]), x[j]);
            v[i] += make_float4(force * dt, 0.0f);
        }
        for (int i = 0; i < n; ++i) x[i] = make_float4(make_float3(x[i]) + make_float3(v[i]) * dt, x[i].w);
    }
    int far = 0;
    float3 momentum = make_float3(0.0f), spin = make_float3(0.0f);
    for (int i = 0; i < n; ++i) {
        far += length(make_float3(gx[i]) - make_float3(x[i])) > 1e-4f || length(make_float3(gv[i]) - make_float3(v[i])) > 1e-4f;
        momentum += make_float3(gv[i]) * gx[i].w;
        spin += cross(make_float3(gx[i]), make_float3(gv[i]) * gx[i].w);
    }
    const bool conserved = length(momentum) < 1e-5f && length(spin) < 1e-5f;
    std::printf("bodies %d, steps %d, far off %d, misplaced %d\n", n, steps, far, misplaced);
    std::printf("momentum and spin: %s\n", conserved ? "conserved" : "lost");
    CHECK(hipFree(dx));
    CHECK(hipFree(dv));
    CHECK(hipFree(dc));
    const bool ok = far == 0 && misplaced == 0 && conserved;
    std::puts(ok ? "PASS" : "FAIL");
    return !ok;
}
