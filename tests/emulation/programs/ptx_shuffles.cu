// shfl.sync in assembly, with the predicate that tells whether the source lane was in range.
#include <cstdio>
#include <cuda_runtime.h>

__device__ __forceinline__ int shuffle_up_add(int input, int first_lane, int offset, unsigned member_mask) {
    int output;
    asm volatile(
        "{"
        "  .reg .s32 r0;"
        "  .reg .pred p;"
        "  shfl.sync.up.b32 r0|p, %1, %2, %3, %5;"
        "  @p add.s32 r0, r0, %4;"
        "  mov.s32 %0, r0;"
        "}"
        : "=r"(output) : "r"(input), "r"(offset), "r"(first_lane), "r"(input), "r"(member_mask));
    return output;
}
__device__ __forceinline__ unsigned butterfly(unsigned word, int xor_mask, int flags, unsigned member_mask) {
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;"
                 : "=r"(word) : "r"(word), "r"(xor_mask), "r"(flags), "r"(member_mask));
    return word;
}
__device__ __forceinline__ unsigned index_shuffle(unsigned word, int source, int flags, unsigned member_mask) {
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;"
                 : "=r"(word) : "r"(word), "r"(source), "r"(flags), "r"(member_mask));
    return word;
}

__global__ void scan(const int *in, int *out, unsigned *reversed, unsigned *from) {
    int v = in[threadIdx.x];
    for (int d = 1; d < 32; d <<= 1) v = shuffle_up_add(v, 0, d, 0xffffffffu);
    out[threadIdx.x] = v;
    reversed[threadIdx.x] = butterfly(in[threadIdx.x], 31, 0x1f, 0xffffffffu);
    from[threadIdx.x] = index_shuffle(in[threadIdx.x], 3, (32 - 8) << 8 | 0x1f, 0xffffffffu);
}

int main() {
    const int n = 96;
    int host[n], out[n], *d_in, *d_out, errors = 0;
    unsigned rev[n], from[n], *d_rev, *d_from;
    for (int i = 0; i < n; ++i) host[i] = i * i % 31;
    cudaMalloc(&d_in, sizeof(host));
    cudaMalloc(&d_out, sizeof(out));
    cudaMalloc(&d_rev, sizeof(rev));
    cudaMalloc(&d_from, sizeof(from));
    cudaMemcpy(d_in, host, sizeof(host), cudaMemcpyHostToDevice);
    scan<<<1, n>>>(d_in, d_out, d_rev, d_from);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    cudaMemcpy(rev, d_rev, sizeof(rev), cudaMemcpyDeviceToHost);
    cudaMemcpy(from, d_from, sizeof(from), cudaMemcpyDeviceToHost);
    for (int w = 0; w < n; w += 32) {
        int sum = 0;
        for (int l = 0; l < 32; ++l) {
            sum += host[w + l];
            errors += out[w + l] != sum || rev[w + l] != (unsigned)host[w + 31 - l];
            errors += from[w + l] != (unsigned)host[w + l / 8 * 8 + 3];
        }
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
