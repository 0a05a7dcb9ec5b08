// Never ported: counts in 32.
#include "api.h"
#define RANK_IN_WARP(p) __popc(__ballot_sync(0xffffffffu, p) & ((1u << (threadIdx.x & 31)) - 1))
__global__ void rank_kernel(const int *in, int n, int *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int r = RANK_IN_WARP(i < n && in[i] & 1), head = __shfl_sync(0xffffffffu, i < n ? in[i] : 0, 0);
    if (i < n) out[i] = r + 100 * head;
}
void ranks(const int *in, int n, int *out) { rank_kernel<<<(n + 95) / 96, 96>>>(in, n, out); }
