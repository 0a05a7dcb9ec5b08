// Persistent warps: the first lane fetches the next piece of work and tells the others, until there is none left.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int next_item;

__device__ __forceinline__ int fetch_work() {
    int item;
    if (threadIdx.x == 0) item = atomicAdd(&next_item, 1);
    return __shfl_sync(0xffffffff, item, 0);
}

__global__ void persistent(const int *begin, const int *data, int items, int *sums, int *turns) {
    for (int item = fetch_work(); item < items; item = fetch_work()) {
        int s = 0;
        for (int k = begin[item] + threadIdx.x; k < begin[item + 1]; k += 32) s += data[k];
        for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffff, s, d);
        if (threadIdx.x == 0) {
            sums[item] = s;
            atomicAdd(turns, 1);
        }
    }
}

int main() {
    const int items = 25, n = 700;
    int begin[items + 1], data[n], sums[items], turns = 0, zero = 0, *d_b, *d_d, *d_s, *d_t, errors = 0;
    for (int i = 0; i <= items; ++i) begin[i] = i * i;
    for (int i = 0; i < n; ++i) data[i] = (i * 19) % 23;
    cudaMalloc(&d_b, sizeof(begin));
    cudaMalloc(&d_d, sizeof(data));
    cudaMalloc(&d_s, sizeof(sums));
    cudaMalloc(&d_t, sizeof(int));
    cudaMemset(d_t, 0, sizeof(int));
    cudaMemcpyToSymbol(next_item, &zero, sizeof(int));
    cudaMemcpy(d_b, begin, sizeof(begin), cudaMemcpyHostToDevice);
    cudaMemcpy(d_d, data, sizeof(data), cudaMemcpyHostToDevice);
    persistent<<<2, dim3(32, 3)>>>(d_b, d_d, items, d_s, d_t);
    cudaMemcpy(sums, d_s, sizeof(sums), cudaMemcpyDeviceToHost);
    cudaMemcpy(&turns, d_t, sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < items; ++i) {
        int want = 0;
        for (int k = begin[i]; k < begin[i + 1]; ++k) want += data[k];
        errors += sums[i] != want;
    }
    errors += turns != items;
    printf("errors %d\n", errors);
    return errors != 0;
}
