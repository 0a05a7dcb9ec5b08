// A loop that serves distinct keys one after the other: the leader's key is broadcast, its owners leave.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void serve(const int *keys, const int *values, int n, int *sums, int *rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const bool valid = i < n;
    const int key = valid ? keys[i] : -1, value = valid ? values[i] : 0;
    unsigned todo = __ballot_sync(0xffffffffu, valid);
    int r = 0;
    while (todo) {
        const int leader = __ffs(todo) - 1;
        const int current = __shfl_sync(0xffffffffu, key, leader);
        const bool mine = valid && key == current;
        int s = mine ? value : 0;
        for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(0xffffffffu, s, d);
        if ((int)(threadIdx.x & 31) == leader) atomicAdd(&sums[current], s);
        todo &= ~__ballot_sync(0xffffffffu, mine);
        ++r;
    }
    if (threadIdx.x % 32 == 0) rounds[i / 32] = r;
}
/// The same with lanes that leave the loop one group at a time.
__global__ void leave(const int *keys, int *out) {
    const int key = keys[threadIdx.x];
    int r = 0;
    for (bool done = false; !done; ++r) {
        const unsigned mask = __activemask();
        const int current = __shfl_sync(mask, key, __ffs(mask) - 1);
        if (key == current) {
            out[threadIdx.x] = r * 100 + __popc(__activemask());
            done = true;
        }
    }
}

int main() {
    const int n = 150, kinds = 9;
    int keys[160], values[n], sums[kinds], rounds[5], out[96], *d_k, *d_v, *d_s, *d_r, *d_o, want[kinds] = {}, errors = 0;
    for (int i = 0; i < n; ++i) keys[i] = (i * i) % kinds, values[i] = i % 13, want[keys[i]] += values[i];
    cudaMalloc(&d_k, sizeof(keys));
    cudaMalloc(&d_v, sizeof(values));
    cudaMalloc(&d_s, sizeof(sums));
    cudaMalloc(&d_r, sizeof(rounds));
    cudaMalloc(&d_o, sizeof(out));
    cudaMemset(d_s, 0, sizeof(sums));
    cudaMemcpy(d_k, keys, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_v, values, sizeof(values), cudaMemcpyHostToDevice);
    serve<<<1, 160>>>(d_k, d_v, n, d_s, d_r);
    leave<<<1, 96>>>(d_k, d_o);
    cudaMemcpy(sums, d_s, sizeof(sums), cudaMemcpyDeviceToHost);
    cudaMemcpy(rounds, d_r, sizeof(rounds), cudaMemcpyDeviceToHost);
    cudaMemcpy(out, d_o, sizeof(out), cudaMemcpyDeviceToHost);
    for (int k = 0; k < kinds; ++k) errors += sums[k] != want[k];
    for (int w = 0; w < 5; ++w) {
        int distinct = 0, order[kinds], count[kinds] = {};
        for (int i = w * 32; i < w * 32 + 32 && i < n; ++i) {
            bool seen = false;
            for (int d = 0; d < distinct; ++d) seen |= order[d] == keys[i];
            if (!seen) order[distinct++] = keys[i];
            ++count[keys[i]];
        }
        errors += rounds[w] != distinct;
        for (int i = w * 32; w < 3 && i < w * 32 + 32; ++i)
            for (int d = 0; d < distinct; ++d)
                if (order[d] == keys[i]) errors += out[i] != d * 100 + count[keys[i]];
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
