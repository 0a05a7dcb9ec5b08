// Many ways to learn the warp's size on the host: members, pointers, copies, an attribute in a variable, a parameter.
#include <cstdio>
#include <cuda_runtime.h>

class Device {
public:
    static const cudaDeviceProp &properties() {
        static cudaDeviceProp p = load();
        return p;
    }
    static int attribute(cudaDeviceAttr which) {
        int value = 0;
        cudaDeviceGetAttribute(&value, which, 0);
        return value;
    }
private:
    static cudaDeviceProp load() {
        cudaDeviceProp *p = new cudaDeviceProp, result;
        cudaGetDeviceProperties(p, 0);
        result = *p;
        delete p;
        return result;
    }
};
struct Launch { int warpSize, threads; };

__global__ void segments(const int *in, int *maxima, int width) {
    const int lane = threadIdx.x % width, warp = (blockIdx.x * blockDim.x + threadIdx.x) / width;
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int d = width / 2; d > 0; d /= 2) v = max(v, __shfl_down_sync(0xffffffff, v, d));
    if (lane == 0) maxima[warp] = v;
}

int main() {
    int errors = 0;
    Launch launch{Device::properties().warpSize, Device::attribute(cudaDevAttrWarpSize) * 3};
    errors += Device::attribute(cudaDevAttrWarpSize) != 32;
    const int n = launch.threads * 2, warps = n / launch.warpSize;
    int *in, *maxima;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&maxima, warps * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = (i * 31) % 211;
    segments<<<2, launch.threads>>>(in, maxima, launch.warpSize);
    cudaDeviceSynchronize();
    errors += warps != 6;
    for (int w = 0; w < n / 32 && w < warps; ++w) {
        int want = 0;
        for (int i = w * 32; i < w * 32 + 32; ++i) want = in[i] > want ? in[i] : want;
        errors += maxima[w] != want;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
