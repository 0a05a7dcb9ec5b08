// __reduce_*_sync handed a bool or a char as it is: these are summed as int.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void count(const char *in, int *sums, unsigned *ors) {
    int i = threadIdx.x;
    bool set = in[i] > 2;
    char c = in[i];
    sums[i] = __reduce_add_sync(0xffffffff, set) * 1000 + __reduce_max_sync(0xffffffff, c);
    ors[i] = __reduce_or_sync(0xffffffff, c) * 2 + __reduce_and_sync(0xffffffff, set);
}
int main() {
    char host[64], *in;
    int sums[64], *d_sums;
    unsigned ors[64], *d_ors;
    for (int i = 0; i < 64; ++i) host[i] = i < 32 ? i % 5 : 3 + i % 3;
    cudaMalloc(&in, 64);
    cudaMalloc(&d_sums, sizeof(sums));
    cudaMalloc(&d_ors, sizeof(ors));
    cudaMemcpy(in, host, 64, cudaMemcpyHostToDevice);
    count<<<1, 64>>>(in, d_sums, d_ors);
    cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost);
    cudaMemcpy(ors, d_ors, sizeof(ors), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int w = 0; w < 64; w += 32) {
        int set = 0, most = 0;
        unsigned any = 0, all = 1;
        for (int i = w; i < w + 32; ++i) {
            set += host[i] > 2;
            most = host[i] > most ? host[i] : most;
            any |= host[i];
            all &= host[i] > 2;
        }
        for (int i = w; i < w + 32; ++i) errors += sums[i] != set * 1000 + most || ors[i] != any * 2 + all;
    }
    printf("errors %d\n", errors);
    return errors;
}
