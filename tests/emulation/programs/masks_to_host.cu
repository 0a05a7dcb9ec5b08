// One word a warp: a bitmap of the elements above a limit, and the masks of equal keys, read by the host as uint32_t.
#include <cstdint>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void make_bitmap(const float *x, int n, float limit, uint32_t *bitmap) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t word = __ballot_sync(0xffffffff, i < n && x[i] > limit);
    if ((threadIdx.x & 31) == 0) bitmap[i >> 5] = word;
}
__global__ void make_peers(const int *keys, int n, uint32_t *peers, uint8_t *bytes) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint32_t active = __activemask();
    uint32_t m = __match_any_sync(active, keys[i]);
    peers[i] = m;
    const uint8_t *view = reinterpret_cast<const uint8_t *>(&m);
    if (threadIdx.x % 32 < sizeof(m)) bytes[i / 32 * 4 + threadIdx.x % 32] = view[threadIdx.x % 32];
}
__global__ void count_bits(const uint32_t *bitmap, int words, uint32_t *total) {
    uint32_t c = 0;
    for (int w = threadIdx.x; w < words; w += blockDim.x) c += __popc(bitmap[w]);
    for (int d = 16; d; d /= 2) c += __shfl_down_sync(~0u, c, d);
    if (threadIdx.x % 32 == 0) atomicAdd(total, c);
}

int main() {
    const int n = 300, threads = 96, blocks = (n + threads - 1) / threads, words = blocks * threads / 32;
    std::vector<float> x(n);
    std::vector<int> keys(n);
    for (int i = 0; i < n; ++i) x[i] = (i * 37) % 53, keys[i] = (i * i) % 11;
    std::vector<uint32_t> bitmap(words), peers(n);
    std::vector<uint8_t> bytes(words * 4);
    float *d_x;
    int *d_k;
    uint32_t *d_b, *d_p, *d_t, total;
    uint8_t *d_y;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_k, n * sizeof(int));
    cudaMalloc(&d_b, words * sizeof(uint32_t));
    cudaMalloc(&d_p, n * sizeof(uint32_t));
    cudaMalloc(&d_t, sizeof(uint32_t));
    cudaMalloc(&d_y, words * 4);
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_k, keys.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_t, 0, sizeof(uint32_t));
    make_bitmap<<<blocks, threads>>>(d_x, n, 25.0f, d_b);
    make_peers<<<blocks, threads>>>(d_k, n, d_p, d_y);
    count_bits<<<1, 64>>>(d_b, words, d_t);
    cudaMemcpy(bitmap.data(), d_b, words * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaMemcpy(peers.data(), d_p, n * sizeof(uint32_t), cudaMemcpyDeviceToHost);
    cudaMemcpy(bytes.data(), d_y, words * 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(&total, d_t, sizeof(total), cudaMemcpyDeviceToHost);
    int errors = 0;
    uint32_t count = 0;
    for (int w = 0; w < words; ++w) {
        uint32_t want = 0;
        for (int l = 0; l < 32; ++l) want |= (uint32_t)(w * 32 + l < n && x[w * 32 + l] > 25) << l;
        errors += bitmap[w] != want;
        for (; want; want &= want - 1) ++count;
    }
    errors += total != count;
    for (int i = 0; i < n; ++i) {
        uint32_t want = 0;
        for (int j = i / 32 * 32; j < i / 32 * 32 + 32 && j < n; ++j) want |= (uint32_t)(keys[j] == keys[i]) << (j % 32);
        errors += peers[i] != want;
        if (i % 32 < 4) errors += bytes[i / 32 * 4 + i % 32] != (want >> (8 * (i % 32)) & 255);
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
