// All pairs within tiles of 32 bodies: each lane holds one body, and the others go round by shuffles.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

template <typename T3> __device__ T3 rotate(T3 p, int source) {
    p.x = __shfl_sync(0xffffffff, p.x, source);
    p.y = __shfl_sync(0xffffffff, p.y, source);
    p.z = __shfl_sync(0xffffffff, p.z, source);
    return p;
}
__global__ void forces(const float3 *pos, const int *tiles, int n, float *energy) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    const int i = tiles[2 * warp] * 32 + lane, j0 = tiles[2 * warp + 1] * 32;
    const float3 a = i < n ? pos[i] : make_float3(1e6f, 0, 0);
    float3 b = j0 + lane < n ? pos[j0 + lane] : make_float3(-1e6f, 0, 0);
    float e = 0;
    for (int k = 0; k < 32; ++k) {
        const int j = j0 + (lane + k) % 32;
        if (i < n && j < n && i < j) {
            const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
            e += 1.0f / (1.0f + dx * dx + dy * dy + dz * dz);
        }
        b = rotate(b, (lane + 1) % 32);
    }
    for (int d = 16; d > 0; d >>= 1) e += __shfl_down_sync(0xffffffff, e, d);
    if (lane == 0) energy[warp] = e;
}
int main() {
    const int n = 80;
    float3 pos[n], *d_pos;
    int tiles[12] = {0, 0, 0, 1, 0, 2, 1, 1, 1, 2, 2, 2}, *d_tiles;
    float energy[6], *d_e;
    for (int i = 0; i < n; ++i) pos[i] = make_float3((i * 7) % 11 * 0.5f, (i * 5) % 13 * 0.25f, i % 3);
    cudaMalloc(&d_pos, sizeof(pos));
    cudaMalloc(&d_tiles, sizeof(tiles));
    cudaMalloc(&d_e, sizeof(energy));
    cudaMemcpy(d_pos, pos, sizeof(pos), cudaMemcpyHostToDevice);
    cudaMemcpy(d_tiles, tiles, sizeof(tiles), cudaMemcpyHostToDevice);
    forces<<<2, 96>>>(d_pos, d_tiles, n, d_e);
    cudaMemcpy(energy, d_e, sizeof(energy), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int t = 0; t < 6; ++t) {
        double want = 0;
        for (int i = tiles[2 * t] * 32; i < tiles[2 * t] * 32 + 32 && i < n; ++i)
            for (int j = tiles[2 * t + 1] * 32; j < tiles[2 * t + 1] * 32 + 32 && j < n; ++j)
                if (i < j) {
                    double dx = pos[i].x - pos[j].x, dy = pos[i].y - pos[j].y, dz = pos[i].z - pos[j].z;
                    want += 1 / (1 + dx * dx + dy * dy + dz * dz);
                }
        errors += !(std::fabs(energy[t] - want) < 1e-3 * want);
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
