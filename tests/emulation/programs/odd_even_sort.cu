// Dynamic shared memory with a part for each warp, warps as rows of a 2-D block, and a warp-wide copy.
#include <cstdio>
#include <cuda_runtime.h>

extern __shared__ int pool[];
template <int WARPS> __global__ void sort_parts(const int *in, int *out) {
    int *mine = pool + threadIdx.y * 33;
    const int lane = threadIdx.x, at = threadIdx.y * 32 + lane;
    mine[lane] = in[at];
    __syncwarp();
    for (int k = 0; k < 32; ++k) {
        const int left = (lane & ~1) + (k & 1);
        const bool active = left + 1 < 32 && !(lane & 1);
        if (active && mine[left] > mine[left + 1]) {
            const int x = mine[left];
            mine[left] = mine[left + 1];
            mine[left + 1] = x;
        }
        __syncwarp();
    }
    int before = __shfl_up_sync(0xffffffff, mine[lane], 1);
    if (lane == 0) before = mine[0];
    out[at] = mine[lane] * 1000 + (mine[lane] - before);
}
int main() {
    const int warps = 5, n = warps * 32;
    int *in, *out, errors = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i * 37 % 91;
    sort_parts<warps><<<1, dim3(32, warps), warps * 33 * sizeof(int)>>>(in, out);
    cudaDeviceSynchronize();
    for (int w = 0; w < n; w += 32) {
        for (int a = 0; a < 32; ++a)
            for (int b = 0; b + 1 < 32; ++b)
                if (in[w + b] > in[w + b + 1]) { int x = in[w + b]; in[w + b] = in[w + b + 1]; in[w + b + 1] = x; }
        for (int l = 0; l < 32; ++l) errors += out[w + l] != in[w + l] * 1000 + (l ? in[w + l] - in[w + l - 1] : 0);
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
