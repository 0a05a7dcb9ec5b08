// Warps of a block scan one after the other: each waits until the warp before it has told its total.
#include <cstdio>
#include <cuda_runtime.h>
struct Status { volatile int ready, total; };
__device__ int wait_for(Status *s) {
    while (!s->ready) ;
    __threadfence_block();
    return s->total;
}
__global__ void scan(const int *in, int *out) {
    __shared__ Status status[4];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0) status[warp].ready = 0;
    __syncthreads();
    int v = in[threadIdx.x];
    for (int d = 1; d < 32; d *= 2) {
        const int o = __shfl_up_sync(0xffffffff, v, d);
        if (lane >= d) v += o;
    }
    const int before = warp ? wait_for(&status[warp - 1]) : 0;  // warned: HIP311
    if (lane == 31) {
        status[warp].total = before + v;
        __threadfence_block();
        status[warp].ready = 1;
    }
    out[threadIdx.x] = before + v;
}
int main() {
    const int n = 128;
    int *in, *out, errors = 0;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) in[i] = i * 3 % 17;
    scan<<<1, n>>>(in, out);
    cudaDeviceSynchronize();
    for (int i = 0, s = 0; i < n; ++i) errors += out[i] != (s += in[i]);
    printf("errors %d\n", errors);
    return errors != 0;
}
