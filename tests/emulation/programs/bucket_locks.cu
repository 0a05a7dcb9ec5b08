// A hash map with a lock a bucket; the work is done inside of the loop by whoever got the lock, then it leaves.
// Lanes of one wavefront never wait for each other here: this one is right.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void insert(const int *keys, int n, int *locks, int *sizes, int *slots) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int bucket = keys[i] % 4;
    bool done = false;
    while (!done) {
        if (atomicCAS(&locks[bucket], 0, 1) == 0) {
            __threadfence();
            const int at = ((volatile int *)sizes)[bucket];
            slots[bucket * 64 + at] = keys[i];
            ((volatile int *)sizes)[bucket] = at + 1;
            __threadfence();
            atomicExch(&locks[bucket], 0);
            done = true;
        }
    }
}
int main() {
    const int n = 100;
    int keys[n], sizes[4], slots[256], want[4] = {}, *d_k, *d_l, *d_n, *d_s, errors = 0;
    long sum[4] = {};
    for (int i = 0; i < n; ++i) keys[i] = i * 3 + 1, ++want[keys[i] % 4], sum[keys[i] % 4] += keys[i];
    cudaMalloc(&d_k, sizeof(keys));
    cudaMalloc(&d_l, 16);
    cudaMalloc(&d_n, 16);
    cudaMalloc(&d_s, sizeof(slots));
    cudaMemset(d_l, 0, 16);
    cudaMemset(d_n, 0, 16);
    cudaMemcpy(d_k, keys, sizeof(keys), cudaMemcpyHostToDevice);
    insert<<<1, 128>>>(d_k, n, d_l, d_n, d_s);
    cudaMemcpy(sizes, d_n, 16, cudaMemcpyDeviceToHost);
    cudaMemcpy(slots, d_s, sizeof(slots), cudaMemcpyDeviceToHost);
    for (int b = 0; b < 4; ++b) {
        errors += sizes[b] != want[b];
        for (int k = 0; k < want[b]; ++k) sum[b] -= slots[b * 64 + k];
        errors += sum[b] != 0;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
