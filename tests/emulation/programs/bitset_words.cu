// A set of bits in words of 32, without warp operations: the word and the bit are counted in warpSize.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void mark(const int *in, int n, unsigned *bits) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3) atomicOr(&bits[i / warpSize], 1u << (i % warpSize));
}
int main() {
    const int n = 250;
    int *in, errors = 0;
    unsigned *bits;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&bits, (n + 31) / 32 * sizeof(unsigned));
    for (int i = 0; i < n; ++i) in[i] = i * i % 19;
    cudaMemset(bits, 0, (n + 31) / 32 * sizeof(unsigned));
    mark<<<3, 96>>>(in, n, bits);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) errors += (bits[i / 32] >> (i % 32) & 1) != (in[i] % 3 != 0);
    printf("errors %d\n", errors);
    return errors != 0;
}
