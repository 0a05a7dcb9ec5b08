#include <cstdio>
#include <cuda_runtime.h>
#include "lengths.h"
int main() {
    const int n = 130;
    int lengths[n], places[n], *d_l, *d_p, errors = 0;
    unsigned empty[(n + 31) / 32], *d_e;
    for (int i = 0; i < n; ++i) lengths[i] = (i * 5) % 7;
    cudaMalloc(&d_l, sizeof(lengths));
    cudaMalloc(&d_p, sizeof(places));
    cudaMalloc(&d_e, sizeof(empty));
    cudaMemcpy(d_l, lengths, sizeof(lengths), cudaMemcpyHostToDevice);
    place_strings(d_l, n, d_p, d_e);
    cudaMemcpy(places, d_p, sizeof(places), cudaMemcpyDeviceToHost);
    cudaMemcpy(empty, d_e, sizeof(empty), cudaMemcpyDeviceToHost);
    for (int i = 0, sum = 0; i < n; sum += lengths[i++]) {
        errors += places[i] != sum;
        errors += (empty[i / 32] >> (i % 32) & 1) != (lengths[i] == 0);
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
