// Lanes of different warps leave a loop at different times, and a mask is carried through rounds and returns.
#include <cstdio>
#include <cuda_runtime.h>

struct Round { unsigned mask; int best; };
__device__ Round play(Round r, int v, int limit) {
    r.mask = __ballot_sync(r.mask, v < limit);
    if (v >= limit) return Round{0, -1};
    int best = v;
    for (unsigned rest = r.mask; rest; rest &= rest - 1) best = max(best, __shfl_sync(r.mask, v, __ffs(rest) - 1));
    return Round{r.mask, best};
}
__global__ void work(const int *in, int *out) {
    const int v = in[threadIdx.x];
    Round r = {0xffffffffu, 0};
    int sum = 0, rounds = 0;
    for (int limit = 25 - threadIdx.x / 32 * 3; limit > 0; limit -= 5) {
        r = play(r, v, limit);
        if (r.mask == 0) break;
        sum += r.best;
        ++rounds;
    }
    out[threadIdx.x] = sum * 10 + rounds;
}
int want(const int *in, int t) {
    int sum = 0, rounds = 0;
    for (int limit = 25 - t / 32 * 3; limit > 0; limit -= 5) {
        if (in[t] >= limit) break;
        int best = 0;
        for (int j = t / 32 * 32; j < t / 32 * 32 + 32; ++j) if (in[j] < limit && in[j] > best) best = in[j];
        sum += best;
        ++rounds;
    }
    return sum * 10 + rounds;
}
int main() {
    const int n = 96;
    int *in, *out, errors = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = (i * 7 + i / 32) % 29;
    work<<<1, n>>>(in, out);
    cudaDeviceSynchronize();
    for (int t = 0; t < n; ++t) errors += out[t] != want(in, t);
    printf("errors %d\n", errors);
    return errors != 0;
}
