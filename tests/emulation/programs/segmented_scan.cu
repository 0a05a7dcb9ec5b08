// Segmented reduction of sorted (row, value) pairs: head flags by ballot, shuffles bounded by the segment's start.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void segment_sums(const int *rows, const int *values, int n, int *sums) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int lane = threadIdx.x & 31;
    const int row = i < n ? rows[i] : -1;
    int value = i < n ? values[i] : 0;
    const int previous = __shfl_up_sync(0xffffffffu, row, 1);
    const unsigned heads = __ballot_sync(0xffffffffu, lane == 0 || previous != row);
    const int start = 31 - __clz(heads & (0xffffffffu >> (31 - lane)));
    const unsigned later = lane == 31 ? 0u : heads & (0xfffffffeu << lane);
    const int end = later ? __ffs(later) - 1 : 32;
    for (int d = 1; d < 32; d *= 2) {
        const int v = __shfl_up_sync(0xffffffffu, value, d);
        if (lane - d >= start) value += v;
    }
    if (lane == end - 1 && row >= 0) atomicAdd(&sums[row], value);
}

int main() {
    const int n = 410, row_count = 60;
    int rows[n], values[n], want[row_count] = {}, got[row_count], *d_r, *d_v, *d_s;
    for (int i = 0; i < n; ++i) {
        rows[i] = i < 200 ? i / 40 : 5 + (i - 200) / 4;
        values[i] = (i * 17) % 19 - 5;
        want[rows[i]] += values[i];
    }
    cudaMalloc(&d_r, sizeof(rows));
    cudaMalloc(&d_v, sizeof(values));
    cudaMalloc(&d_s, sizeof(got));
    cudaMemcpy(d_r, rows, sizeof(rows), cudaMemcpyHostToDevice);
    cudaMemcpy(d_v, values, sizeof(values), cudaMemcpyHostToDevice);
    cudaMemset(d_s, 0, sizeof(got));
    segment_sums<<<(n + 95) / 96, 96>>>(d_r, d_v, n, d_s);
    cudaMemcpy(got, d_s, sizeof(got), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int r = 0; r < row_count; ++r) errors += got[r] != want[r];
    printf("errors %d\n", errors);
    return errors != 0;
}
