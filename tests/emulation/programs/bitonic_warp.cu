// Each warp sorts 32 keys with their values by a bitonic network of xor shuffles; float, unsigned and 64-bit keys.
#include <cstdio>
#include <algorithm>
#include <cuda_runtime.h>

template <typename K>
__device__ inline void exchange(K &key, unsigned &value, int distance, bool descending) {
    const K other_key = __shfl_xor_sync(0xffffffff, key, distance);
    const unsigned other_value = __shfl_xor_sync(0xffffffff, value, distance);
    const bool upper = (threadIdx.x & distance) != 0;
    const bool swap = (upper != descending) ? other_key > key : other_key < key;
    if (swap) {
        key = other_key;
        value = other_value;
    }
}

template <typename K>
__global__ void sort_warps(K *keys, unsigned *values) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    K key = keys[i];
    unsigned value = values[i];
    for (int size = 2; size <= warpSize; size *= 2)
        for (int distance = size / 2; distance > 0; distance /= 2)
            exchange(key, value, distance, size != 32 && (threadIdx.x & size) != 0);
    keys[i] = key;
    values[i] = value;
}

template <typename K>
int run() {
    const int n = 192;
    K keys[n], sorted[n], *d_k;
    unsigned values[n], *d_v;
    for (int i = 0; i < n; ++i) keys[i] = (K)((i * 101) % 211) * (K)3, values[i] = i;
    cudaMalloc(&d_k, sizeof(keys));
    cudaMalloc(&d_v, sizeof(values));
    cudaMemcpy(d_k, keys, sizeof(keys), cudaMemcpyHostToDevice);
    cudaMemcpy(d_v, values, sizeof(values), cudaMemcpyHostToDevice);
    sort_warps<K><<<2, n / 2>>>(d_k, d_v);
    cudaMemcpy(sorted, d_k, sizeof(keys), cudaMemcpyDeviceToHost);
    cudaMemcpy(values, d_v, sizeof(values), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int i = 0; i < n; ++i) errors += values[i] >= (unsigned)n || keys[values[i]] != sorted[i];
    for (int w = 0; w < n; w += 32) std::sort(keys + w, keys + w + 32);
    for (int i = 0; i < n; ++i) errors += keys[i] != sorted[i];
    return errors;
}

int main() {
    int errors = run<float>() + run<unsigned>() + run<long long>();
    printf("errors %d\n", errors);
    return errors != 0;
}
