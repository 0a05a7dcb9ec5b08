// An exclusive scan of a block of several warps: shuffles in the warps, one warp scans the totals.
#include <cstdio>
#include <cuda_runtime.h>

#define WARP_SIZE 32
#define LOG_WARP_SIZE 5
#define FULL_MASK 0xffffffff

template <typename T>
__device__ T inclusive_warp_scan(T x) {
    int lane = threadIdx.x & (WARP_SIZE - 1);
    #pragma unroll
    for (int i = 0; i < LOG_WARP_SIZE; i++) {
        T y = __shfl_up_sync(FULL_MASK, x, 1 << i);
        if (lane >= (1 << i)) x += y;
    }
    return x;
}

template <typename T, int BLOCK>
__global__ void scan_kernel(const T *in, T *out, T *total) {
    __shared__ T sums[BLOCK >> LOG_WARP_SIZE];
    int tid = threadIdx.x;
    int warp = tid >> LOG_WARP_SIZE;
    T mine = in[blockIdx.x * BLOCK + tid];
    T x = inclusive_warp_scan(mine);
    if ((tid & (WARP_SIZE - 1)) == WARP_SIZE - 1) sums[warp] = x;
    __syncthreads();
    if (tid < WARP_SIZE) {
        T s = tid < (BLOCK >> LOG_WARP_SIZE) ? sums[tid] : T(0);
        s = inclusive_warp_scan(s);
        if (tid < (BLOCK >> LOG_WARP_SIZE)) sums[tid] = s;
    }
    __syncthreads();
    T base = warp ? sums[warp - 1] : T(0);
    out[blockIdx.x * BLOCK + tid] = base + x - mine;
    if (tid == BLOCK - 1) total[blockIdx.x] = base + x;
}

template <typename T, int BLOCK>
int run() {
    const int blocks = 2;
    T in[blocks * BLOCK], out[blocks * BLOCK], totals[blocks], *d_in, *d_out, *d_total;
    for (int i = 0; i < blocks * BLOCK; ++i) in[i] = T(i % 13 + 1);
    cudaMalloc((void **)&d_in, sizeof(in));
    cudaMalloc((void **)&d_out, sizeof(out));
    cudaMalloc((void **)&d_total, sizeof(totals));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    scan_kernel<T, BLOCK><<<blocks, BLOCK>>>(d_in, d_out, d_total);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    cudaMemcpy(totals, d_total, sizeof(totals), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int b = 0; b < blocks; ++b) {
        T sum = 0;
        for (int i = 0; i < BLOCK; ++i) {
            errors += out[b * BLOCK + i] != sum;
            sum += in[b * BLOCK + i];
        }
        errors += totals[b] != sum;
    }
    return errors;
}

int main() {
    int errors = run<int, 128>() + run<unsigned long long, 96>() + run<double, 256>();
    printf("errors %d\n", errors);
    return errors ? 1 : 0;
}
