// Votes, matches, activemask and reductions in assembly.
#include <cstdio>
#include <cuda_runtime.h>

__device__ inline unsigned ballot(unsigned mask, bool p) {
    unsigned r;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(r) : "r"((unsigned)p), "r"(mask));
    return r;
}
__device__ inline bool any_of(unsigned mask, bool p) {
    int r;
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.sync.any.pred q, p, %2; selp.s32 %0, 1, 0, q; }"
                 : "=r"(r) : "r"((int)p), "r"(mask));
    return r;
}
__device__ inline unsigned match(unsigned mask, unsigned v) {
    unsigned r;
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask));
    return r;
}
__device__ inline unsigned active() {
    unsigned r;
    asm volatile("activemask.b32 %0;" : "=r"(r));
    return r;
}
__device__ inline unsigned lanes_below() {
    unsigned r;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
    return r;
}
__device__ inline unsigned lanes_above() {
    unsigned r;
    asm("mov.u32 %0, %lanemask_gt;" : "=r"(r) :);
    return r;
}
__device__ inline void warp_barrier(unsigned mask) { asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory"); }

__global__ void votes(const unsigned *in, unsigned *out) {
    unsigned v = in[threadIdx.x], r = 0;
    r += __popc(ballot(~0u, v & 1) & lanes_below());
    r += any_of(~0u, v > 30) * 100;
    r += __popc(match(~0u, v % 4)) * 1000;
    warp_barrier(0xffffffffu);
    if (v % 3 == 1) r += __popc(active()) * 100000;
    warp_barrier(0xffffffffu);
    r += (31 - __popc(ballot(0xffffffffu, true) & ~(~0u >> 1)) - __clz(ballot(~0u, v & 2))) * 10000000;
    out[threadIdx.x] = r + (lanes_below() == 0) + 2 * (ballot(~0u, v < 3) == 0);
}

int main() {
    const int n = 96;
    unsigned host[n], got[n], *in, *out;
    int errors = 0;
    for (int i = 0; i < n; ++i) host[i] = i * 7 % (29 + i / 32);
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(got));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    votes<<<1, n>>>(in, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
        int w = i / 32 * 32, third = 0, same = 0, any = 0;
        unsigned below = 0, second = 0, small = 0;
        for (int j = w; j < w + 32; ++j) {
            below += j < i && host[j] & 1;
            any |= host[j] > 30;
            same += host[j] % 4 == host[i] % 4;
            third += host[j] % 3 == 1;
            if (host[j] & 2) second = j - w;
            small |= host[j] < 3;
        }
        unsigned want = below + any * 100 + same * 1000 + (host[i] % 3 == 1 ? third * 100000 : 0);
        want += (30 - (31 - second)) * 10000000 + (i == w) + 2 * !small;
        errors += got[i] != want;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
