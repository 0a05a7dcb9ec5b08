// A tiled transposition without any warp operation: tiles of 32 x 32, places counted in warpSize.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void transpose(const int *in, int *out, int width, int height) {
    __shared__ int tile[32][33];
    int x = blockIdx.x * warpSize + threadIdx.x, y = blockIdx.y * warpSize + threadIdx.y;
    for (int j = 0; j < warpSize; j += blockDim.y)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * warpSize + threadIdx.x;
    y = blockIdx.x * warpSize + threadIdx.y;
    for (int j = 0; j < warpSize; j += blockDim.y)
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
int main() {
    const int w = 70, h = 45;
    int *in, *out, errors = 0;
    cudaMallocManaged(&in, w * h * sizeof(int));
    cudaMallocManaged(&out, w * h * sizeof(int));
    for (int i = 0; i < w * h; ++i) in[i] = i;
    transpose<<<dim3((w + 31) / 32, (h + 31) / 32), dim3(32, 8)>>>(in, out, w, h);
    cudaDeviceSynchronize();
    for (int y = 0; y < h; ++y) for (int x = 0; x < w; ++x) errors += out[x * h + y] != in[y * w + x];
    printf("errors %d\n", errors);
    return errors != 0;
}
