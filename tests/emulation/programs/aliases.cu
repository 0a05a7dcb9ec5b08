// Aliases of built-ins by macros, pasted names, and macros whose arguments are built-ins.
#include <cstdio>
#include <cuda_runtime.h>

#define shfl __shfl_sync
#define shfl_up __shfl_up_sync
#define BALLOT(p) __ballot_sync(~0u, (p))
#define POPC __popc
#define WARP(op) __##op##_sync
#define ALL_LANES 0xFFFFFFFFU
#define EACH_LANE(var, mask) for (unsigned m_ = (mask), var; m_ && (var = __ffs(m_) - 1, true); m_ &= m_ - 1)
#define VOTE(fn, p) fn(ALL_LANES, p)
#define tidx threadIdx.x
#define LANE (tidx & 0x1f)

__global__ void work(const int *in, int *out) {
    int v = in[tidx];
    int first = shfl(ALL_LANES, v, 0);
    int left = shfl_up(ALL_LANES, v, 1);
    unsigned odd = BALLOT(v & 1);
    int rank = POPC(odd & ((1u << LANE) - 1));
    int sum = 0;
    EACH_LANE(l, odd) sum += WARP(shfl)(ALL_LANES, v, l);
    int votes = WARP(any)(ALL_LANES, v > 28) + 2 * VOTE(__all_sync, v < 30) + 4 * (VOTE(__ballot_sync, v == 5) != 0);
    out[tidx] = first + left * 31 + rank * 1000 + sum * 7 + votes * 100000;
}

int main() {
    const int n = 160;
    int host[n], got[n], *in, *out, errors = 0;
    for (int i = 0; i < n; ++i) host[i] = (i * 7 + i / 32 * 3) % (28 + i / 64);
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(got));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    work<<<1, n>>>(in, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
        int w = i / 32 * 32, rank = 0, sum = 0, any = 0, all = 1, five = 0;
        for (int j = w; j < w + 32; ++j) {
            if (host[j] & 1) {
                sum += host[j];
                rank += j < i;
            }
            any |= host[j] > 28;
            all &= host[j] < 30;
            five |= host[j] == 5;
        }
        int left = i == w ? host[i] : host[i - 1];
        errors += got[i] != host[w] + left * 31 + rank * 1000 + sum * 7 + (any + 2 * all + 4 * five) * 100000;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
