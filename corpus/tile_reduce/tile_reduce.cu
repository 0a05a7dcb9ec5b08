// Cooperative groups: tiles of 32 and 8 threads, cg::reduce and the tiles' own shuffles.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace cg = cooperative_groups;

static void checkCuda(cudaError_t status)
{
    if (status != cudaSuccess) {
        std::fprintf(stderr, "%s\n", cudaGetErrorString(status));
        std::abort();
    }
}

__global__ void block_sum(const int* in, int n, int* total, int* largest)
{
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);

    int sum = 0, most = -2147483647;
    for (int i = blockIdx.x * block.size() + block.thread_rank(); i < n; i += gridDim.x * block.size()) {
        sum += in[i];
        most = max(most, in[i]);
    }
    sum = cg::reduce(warp, sum, cg::plus<int>());
    most = cg::reduce(warp, most, cg::greater<int>());
    if (warp.thread_rank() == 0) {
        atomicAdd(total, sum);
        atomicMax(largest, most);
    }
}

// Eight threads a row: dot product of the row with itself, by the tile's shuffles.
__global__ void squares(const int* in, long long* out, int rows, int width)
{
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    const int row = blockIdx.x * (blockDim.x / 8) + tile.meta_group_rank();
    if (row >= rows) return;
    long long s = 0;
    for (int c = tile.thread_rank(); c < width; c += tile.size()) s += (long long)in[row * width + c] * in[row * width + c];
    for (int d = tile.size() / 2; d > 0; d /= 2) s += tile.shfl_down(s, d);
    if (tile.thread_rank() == 0) out[row] = s;
}

// Which tiles hold a zero, and who is the first in the tile to hold one.
template <int Width>
__global__ void first_zero(const int* in, int* out)
{
    auto tile = cg::tiled_partition<Width>(cg::this_thread_block());
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const unsigned zeros = tile.ballot(in[i] == 0);
    const bool any = tile.any(in[i] == 0);
    tile.sync();
    if (tile.thread_rank() == 0) out[i / Width] = any || zeros ? __ffs(zeros) - 1 : -1;
}

int main()
{
    const int n = 48 * 1024, width = 48, rows = n / width;
    std::vector<int> in(n);
    for (int i = 0; i < n; ++i) in[i] = (i * 5 + i / 7) % 113 - 50;

    int *d_in, *d_total, *d_first;
    long long* d_sq;
    checkCuda(cudaMalloc(&d_in, n * sizeof(int)));
    checkCuda(cudaMalloc(&d_total, 2 * sizeof(int)));
    checkCuda(cudaMalloc(&d_first, n / 16 * sizeof(int)));
    checkCuda(cudaMalloc(&d_sq, rows * sizeof(long long)));
    checkCuda(cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));

    int total[2] = {0, -1000};
    checkCuda(cudaMemcpy(d_total, total, sizeof total, cudaMemcpyHostToDevice));
    block_sum<<<24, 192>>>(d_in, n, d_total, d_total + 1);
    checkCuda(cudaGetLastError());
    checkCuda(cudaMemcpy(total, d_total, sizeof total, cudaMemcpyDeviceToHost));
    bool ok = total[0] == std::accumulate(in.begin(), in.end(), 0) && total[1] == *std::max_element(in.begin(), in.end());
    std::printf("sum %d, largest %d\n", total[0], total[1]);

    std::vector<long long> sq(rows);
    squares<<<(rows + 15) / 16, 128>>>(d_in, d_sq, rows, width);
    checkCuda(cudaGetLastError());
    checkCuda(cudaMemcpy(sq.data(), d_sq, rows * sizeof(long long), cudaMemcpyDeviceToHost));
    for (int r = 0; r < rows; ++r) {
        const auto row = in.begin() + r * width;
        ok = ok && sq[r] == std::inner_product(row, row + width, row, 0LL);
    }
    std::printf("row 3: %lld\n", sq[3]);

    std::vector<int> first(n / 16);
    first_zero<16><<<n / 128, 128>>>(d_in, d_first);
    checkCuda(cudaGetLastError());
    checkCuda(cudaMemcpy(first.data(), d_first, n / 16 * sizeof(int), cudaMemcpyDeviceToHost));
    int found = 0;
    for (int t = 0; t < n / 16; ++t) {
        const auto at = std::find(in.begin() + 16 * t, in.begin() + 16 * t + 16, 0) - (in.begin() + 16 * t);
        ok = ok && first[t] == (at == 16 ? -1 : int(at));
        found += first[t] >= 0;
    }
    std::printf("tiles with a zero: %d of %d\n", found, n / 16);

    checkCuda(cudaFree(d_in));
    checkCuda(cudaFree(d_total));
    checkCuda(cudaFree(d_first));
    checkCuda(cudaFree(d_sq));
    std::puts(ok ? "PASS" : "FAIL");
    return !ok;
}
