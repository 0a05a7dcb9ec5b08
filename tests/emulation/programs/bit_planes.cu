// Compression: 32 integers are transposed to bit planes by ballots and back, with the widest plane per warp.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

__global__ void encode(const uint32_t *in, uint32_t *planes, uint8_t *widths) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const uint32_t lane = threadIdx.x % 32;
    const uint32_t v = in[warp * 32 + lane];
    const int width = 32 - __clz(__reduce_or_sync(0xffffffffu, v));
    uint32_t mine = 0;
    for (int b = 0; b < width; ++b) {
        const uint32_t plane = __ballot_sync(0xffffffffu, (v >> b) & 1);
        if (b == (int)lane) mine = plane;
    }
    planes[warp * 32 + lane] = mine;
    if (lane == 0) widths[warp] = (uint8_t)width;
}
__global__ void decode(const uint32_t *planes, const uint8_t *widths, uint32_t *out) {
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    const uint32_t mine = planes[warp * 32 + lane];
    uint32_t v = 0;
    for (int b = 0; b < widths[warp]; ++b) v |= (__shfl_sync(0xffffffffu, mine, b) >> lane & 1u) << b;
    out[warp * 32 + lane] = v;
}
/// The transposition with shuffles instead of ballots.
__global__ void transpose(const uint32_t *in, uint32_t *out) {
    uint32_t x = in[threadIdx.x];
    uint32_t mask = 0x0000ffffu;
    for (int d = 16; d; d >>= 1, mask ^= mask << d) {
        const uint32_t y = __shfl_xor_sync(0xffffffffu, x, d);
        x = threadIdx.x & d ? (x & ~mask) | ((y >> d) & mask) : (x & mask) | ((y << d) & ~mask);
    }
    out[threadIdx.x] = x;
}

int main() {
    const int warps = 6, n = warps * 32;
    uint32_t in[n], out[n], planes[n], *d_in, *d_planes, *d_out;
    uint8_t widths[warps], *d_w;
    int errors = 0;
    for (int i = 0; i < n; ++i) in[i] = (i * 2654435761u) >> (4 + i / 32 * 5);
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_planes, sizeof(planes));
    cudaMalloc(&d_out, sizeof(out));
    cudaMalloc(&d_w, warps);
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    encode<<<2, n / 2>>>(d_in, d_planes, d_w);
    decode<<<2, n / 2>>>(d_planes, d_w, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    cudaMemcpy(planes, d_planes, sizeof(planes), cudaMemcpyDeviceToHost);
    cudaMemcpy(widths, d_w, warps, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
        uint32_t plane = 0;
        for (int l = 0; l < 32; ++l) plane |= (in[i / 32 * 32 + l] >> (i % 32) & 1) << l;
        errors += out[i] != in[i] || planes[i] != plane || (i % 32 >= widths[i / 32] && plane);
    }
    transpose<<<1, n>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
        uint32_t plane = 0;
        for (int l = 0; l < 32; ++l) plane |= (in[i / 32 * 32 + l] >> (i % 32) & 1) << l;
        errors += out[i] != plane;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
