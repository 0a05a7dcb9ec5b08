// Shuffles of a project's own: overloads for a class and for addresses, which only those can take.
#include <cstdio>
#include <cuda_runtime.h>

struct Extent
{
    int low, high;
};

__device__ inline Extent __shfl_sync(unsigned lanes, Extent value, int from, int width = warpSize)
{
    return Extent{__shfl_sync(lanes, value.low, from, width), __shfl_sync(lanes, value.high, from, width)};
}

template <typename T> __device__ inline T *__shfl_sync(unsigned lanes, T *address, int from)
{
    unsigned long long bits = reinterpret_cast<unsigned long long>(address);
    bits = __shfl_sync(lanes, bits, from);
    return reinterpret_cast<T *>(bits);
}

__global__ void spread(const int *numbers, int *lows, int *highs, int *chosen)
{
    const int thread = threadIdx.x;
    Extent extent{thread, 1000 + thread};
    const Extent third = __shfl_sync(0xffffffff, extent, 3);
    const int *row = numbers + thread;
    const int *seventh = __shfl_sync(0xffffffff, row, 7);
    lows[thread] = third.low;
    highs[thread] = third.high;
    chosen[thread] = *seventh;
}

int main()
{
    const int count = 128;
    int numbers[count], results[3][count], *device;
    for (int i = 0; i < count; ++i)
        numbers[i] = 3 * i;
    cudaMalloc(&device, 4 * sizeof(numbers));
    cudaMemcpy(device, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    spread<<<1, count>>>(device, device + count, device + 2 * count, device + 3 * count);
    cudaMemcpy(results, device + count, sizeof(results), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int i = 0; i < count; ++i) {
        const int warp = i / 32 * 32;
        errors += results[0][i] != warp + 3;
        errors += results[1][i] != 1000 + warp + 3;
        errors += results[2][i] != 3 * (warp + 7);
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
