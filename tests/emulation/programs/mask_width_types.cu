// The number of lanes from the type of a mask: sizeof, numeric_limits, decltype, auto, and a table of masks.
#include <climits>
#include <cstdio>
#include <limits>
#include <type_traits>
#include <cuda_runtime.h>

using lane_mask = decltype(__activemask());
constexpr int kLanes = sizeof(lane_mask) * CHAR_BIT;
constexpr int kDigits = std::numeric_limits<unsigned int>::digits;
__constant__ unsigned lower_lanes[32];

__global__ void work(const int *in, int *out) {
    const int lane = threadIdx.x % kLanes;
    auto votes = __ballot_sync(std::numeric_limits<unsigned>::max(), in[threadIdx.x] & 4);
    static_assert(std::is_same<decltype(votes), unsigned>::value, "a mask is unsigned");
    int v = in[threadIdx.x];
    for (int d = kDigits / 2; d; d /= 2) v += __shfl_xor_sync(UINT_MAX, v, d);
    int before = __popc(votes & lower_lanes[lane]);
    int high = 31 - __clz(static_cast<int>(votes));
    bool top = static_cast<int>(votes) < 0;
    out[threadIdx.x] = v + 1000 * before + 100000 * high + 10000000 * top + 20000000 * (__brev(votes) & 1u);
}

int main() {
    const int n = 128;
    unsigned table[32];
    int host[n], got[n], *in, *out, errors = 0;
    for (int l = 0; l < 32; ++l) table[l] = (1u << l) - 1;
    for (int i = 0; i < n; ++i) host[i] = (i * 3) % (7 + i / 32);
    cudaMemcpyToSymbol(lower_lanes, table, sizeof(table));
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    work<<<1, n>>>(in, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
        int w = i / 32 * 32, sum = 0, before = 0, high = -1;
        for (int j = w; j < w + 32; ++j) {
            sum += host[j];
            before += j < i && host[j] & 4;
            if (host[j] & 4) high = j - w;
        }
        bool top = host[w + 31] & 4;
        errors += got[i] != sum + 1000 * before + 100000 * high + 30000000 * top;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
