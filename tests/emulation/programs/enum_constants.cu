// Constants of a class of enumerators, static members and a nested traits class; min by warps, index of the minimum.
#include <climits>
#include <cstdio>
#include <cuda_runtime.h>

struct Config {
    enum { LOG_LANES = 5, LANES = 1 << LOG_LANES, WARPS = 3, THREADS = LANES * WARPS };
};
template <class C> struct WarpTools {
    static const int lanes = C::LANES;
    static constexpr unsigned members = C::LANES == 32 ? 0xffffffffu : (1u << (C::LANES & 31)) - 1;
    struct Pair { int value, index; };
    static __device__ int lane() { return threadIdx.x & (lanes - 1); }
    static __device__ Pair least(Pair p) {
        for (int offset = lanes >> 1; offset >= 1; offset >>= 1) {
            Pair other;
            other.value = __shfl_xor_sync(members, p.value, offset, lanes);
            other.index = __shfl_xor_sync(members, p.index, offset, lanes);
            if (other.value < p.value || (other.value == p.value && other.index < p.index)) p = other;
        }
        return p;
    }
};
using Tools = WarpTools<Config>;

__global__ void argmin(const int *in, int n, int *where) {
    __shared__ Tools::Pair found[Config::WARPS];
    Tools::Pair best = {INT_MAX, INT_MAX};
    for (int i = threadIdx.x; i < n; i += Config::THREADS)
        if (in[i] < best.value) best = {in[i], i};
    best = Tools::least(best);
    if (Tools::lane() == 0) found[threadIdx.x >> Config::LOG_LANES] = best;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < Config::WARPS; ++w)
            if (found[w].value < best.value || (found[w].value == best.value && found[w].index < best.index))
                best = found[w];
        *where = best.index;
    }
}

int main() {
    int errors = 0;
    for (int shift = 0; shift < 90; shift += 7) {
        const int n = 200;
        int host[n], *in, *where, got, want = 0;
        for (int i = 0; i < n; ++i) host[i] = ((i + shift) * 53) % 97;
        for (int i = 0; i < n; ++i) if (host[i] < host[want]) want = i;
        cudaMalloc(&in, sizeof(host));
        cudaMalloc(&where, sizeof(int));
        cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
        argmin<<<1, Config::THREADS>>>(in, n, where);
        cudaMemcpy(&got, where, sizeof(int), cudaMemcpyDeviceToHost);
        errors += got != want;
        cudaFree(in);
        cudaFree(where);
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
