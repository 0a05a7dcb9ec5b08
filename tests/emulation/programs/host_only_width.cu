// Only the host knows of warps: blocks of warpSize x 8 threads for tiles that the kernel has for 32 columns.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void column_sums(const int *in, int width, int height, int *sums) {
    __shared__ int part[8][32];
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    int s = 0;
    for (int y = threadIdx.y; y < height; y += blockDim.y) s += x < width ? in[y * width + x] : 0;
    part[threadIdx.y][threadIdx.x] = s;
    __syncthreads();
    if (threadIdx.y == 0 && x < width) {
        for (int k = 1; k < 8; ++k) s += part[k][threadIdx.x];
        sums[x] = s;
    }
}
int main() {
    const int w = 83, h = 20;
    int *in, *sums, errors = 0;
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    cudaMallocManaged(&in, w * h * sizeof(int));
    cudaMallocManaged(&sums, w * sizeof(int));
    for (int i = 0; i < w * h; ++i) in[i] = i % 37;
    const dim3 block(prop.warpSize, 256 / prop.warpSize);
    column_sums<<<(w + block.x - 1) / block.x, block>>>(in, w, h, sums);
    cudaDeviceSynchronize();
    for (int x = 0; x < w; ++x) {
        int want = 0;
        for (int y = 0; y < h; ++y) want += in[y * w + x];
        errors += sums[x] != want;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
