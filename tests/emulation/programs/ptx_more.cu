// Less common assembly: WARP_SZ, lanemask_eq and _le, redux, vote.all, match.all with a predicate, fns, warpid.
#include <cstdio>
#include <cuda_runtime.h>

__device__ inline unsigned width() { unsigned r; asm("mov.u32 %0, WARP_SZ;" : "=r"(r)); return r; }
__device__ inline unsigned mask_eq() { unsigned r; asm("mov.u32 %0, %%lanemask_eq;" : "=r"(r)); return r; }
__device__ inline unsigned mask_le() { unsigned r; asm("mov.u32 %0, %%lanemask_le;" : "=r"(r)); return r; }
__device__ inline int redux(int v) {
    int r;
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(v));
    return r;
}
__device__ inline int all_of(int p) {
    int r;
    asm volatile("{\n\t.reg .pred a, b;\n\tsetp.ne.s32 a, %1, 0;\n\tvote.sync.all.pred b, a, 0xffffffff;\n\tselp.s32 %0, 1, 0, b;\n\t}"
                 : "=r"(r) : "r"(p));
    return r;
}
__device__ inline unsigned shuffle_down(unsigned v, unsigned d) {
    unsigned r;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r) : "r"(v), "r"(d));
    return r;
}
__global__ void more(const int *in, int *out, unsigned *lanes) {
    const int v = in[threadIdx.x];
    int r = redux(v) + 10000 * all_of(v < 28) + 100000 * shuffle_down(v, 3);
    out[threadIdx.x] = r;
    lanes[threadIdx.x] = (mask_eq() ^ mask_le()) + width();
}
int main() {
    const int n = 96;
    int *in, *out, errors = 0;
    unsigned *lanes;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&lanes, n * sizeof(unsigned));
    for (int i = 0; i < n; ++i) in[i] = (i * 11) % (27 + i / 32 * 2);
    more<<<1, n>>>(in, out, lanes);
    cudaDeviceSynchronize();
    for (int t = 0; t < n; ++t) {
        int w = t / 32 * 32, sum = 0, all = 1;
        for (int j = w; j < w + 32; ++j) sum += in[j], all &= in[j] < 28;
        errors += out[t] != sum + 10000 * all + 100000 * (t % 32 < 29 ? in[t + 3] : in[t]);
        errors += lanes[t] != (1u << (t % 32)) - 1 + 32;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
