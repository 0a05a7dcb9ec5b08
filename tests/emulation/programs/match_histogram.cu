// A histogram whose lanes with equal keys elect a leader, which adds for them all; keys of 32 and of 64 bits.
#include <cstdio>
#include <cuda_runtime.h>

#define BINS 16

template <typename Key>
__global__ void histogram(const Key *keys, int n, unsigned *bins, unsigned *adds) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; __any_sync(~0u, i < n); i += gridDim.x * blockDim.x) {
        const unsigned here = __ballot_sync(0xffffffff, i < n);
        if (i < n) {
            const Key key = keys[i];
            const unsigned peers = __match_any_sync(here, key);
            const int leader = __ffs(peers) - 1;
            if ((int)(threadIdx.x & 31) == leader) {
                atomicAdd(&bins[key % BINS], (unsigned)__popc(peers));
                atomicAdd(adds, 1u);
            }
        }
        __syncwarp();
    }
}

template <typename Key>
int run(int n, int threads) {
    Key *keys = new Key[n], *d_keys;
    unsigned want[BINS] = {}, got[BINS], *d_bins, *d_adds, adds, wanted_adds = 0;
    for (int i = 0; i < n; ++i) {
        keys[i] = (Key)((i * i) % 23 % BINS) + (sizeof(Key) > 4 ? (Key)BINS << 33 : 0);
        ++want[keys[i] % BINS];
    }
    for (int w = 0; w < n; w += 32) {
        unsigned seen = 0;
        for (int i = w; i < w + 32 && i < n; ++i) seen |= 1u << (keys[i] % BINS);
        for (; seen; seen &= seen - 1) ++wanted_adds;
    }
    cudaMalloc(&d_keys, n * sizeof(Key));
    cudaMalloc(&d_bins, sizeof(want));
    cudaMalloc(&d_adds, sizeof(unsigned));
    cudaMemcpy(d_keys, keys, n * sizeof(Key), cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, sizeof(want));
    cudaMemset(d_adds, 0, sizeof(unsigned));
    histogram<Key><<<2, threads>>>(d_keys, n, d_bins, d_adds);
    cudaMemcpy(got, d_bins, sizeof(got), cudaMemcpyDeviceToHost);
    cudaMemcpy(&adds, d_adds, sizeof(adds), cudaMemcpyDeviceToHost);
    int errors = adds != wanted_adds;
    for (int b = 0; b < BINS; ++b) errors += got[b] != want[b];
    delete[] keys;
    return errors;
}

int main() {
    int errors = run<unsigned>(500, 96) + run<unsigned long long>(333, 64) + run<int>(100, 128);
    printf("errors %d\n", errors);
    return errors != 0;
}
