// Warp communication written in PTX: shfl.sync with its predicate, vote.sync, match, activemask.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <cstdint>
#include <cstdio>
#include <vector>

__device__ __forceinline__ uint32_t shuffle_down(uint32_t value, uint32_t delta)
{
    uint32_t out;
    out = __shfl_down(value, delta & 31, 32);
    return out;
}

__device__ __forceinline__ uint32_t shuffle_index(uint32_t value, uint32_t lane, uint32_t members)
{
    uint32_t out;
    out = __shfl(value, lane, 32);
    return out;
}

__device__ __forceinline__ float shuffle_butterfly(float value, int lanes)
{
    float out;
    out = __uint_as_float(__shfl_xor(__float_as_uint(value), lanes & 31, 32));
    return out;
}

// One step of an inclusive scan: the add happens only where a lower lane exists.
__device__ __forceinline__ int scan_step(int partial, int offset)
{
    int result;
    do {
        const unsigned in1 = partial;
        int r0;
        bool p;
        r0 = hipify::shuffle_up(in1, offset, 0, &p);
        if (p) r0 = static_cast<unsigned>(r0) + in1;
        result = r0;
    } while (0);
    return result;
}

__device__ __forceinline__ uint32_t vote_ballot(int predicate)
{
    uint32_t votes;
    do {
        bool q;
        q = static_cast<unsigned>(predicate) != 0u;
        votes = hipify::warp32::ballot(q);
    } while (0);
    return votes;
}

__device__ __forceinline__ int all_agree(int predicate)
{
    int yes;
    do {
        bool p, q;
        p = predicate != 0;
        q = hipify::warp32::all(p) != 0;
        yes = q ? 1 : 0;
    } while (0);
    return yes;
}

__device__ __forceinline__ uint32_t active_lanes()
{
    uint32_t mask;
    mask = hipify::warp32::activemask();
    return mask;
}

struct Row { uint32_t next, chosen, votes, active; int prefix, agree; float sum; };

__global__ void talk(const int *in, Row *out)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int v = in[i];
    Row r;
    r.next = shuffle_down(v, 1);
    r.chosen = shuffle_index(v, (threadIdx.x * 7) & 31, 0xffffffff);
    r.prefix = v;
    for (int offset = 1; offset < 32; offset <<= 1) r.prefix = scan_step(r.prefix, offset);
    r.votes = vote_ballot(v % 3 == 0);
    r.agree = all_agree(v < 150);
    r.sum = (float)v;
    for (int lanes = 16; lanes >= 1; lanes /= 2) r.sum += shuffle_butterfly(r.sum, lanes);
    r.active = active_lanes();
    out[i] = r;
}

int main()
{
    const int n = 32 * 64;
    std::vector<int> in(n);
    std::vector<Row> out(n);
    for (int i = 0; i < n; ++i) in[i] = (i * 29 + i / 32) % 151;

    int *d_in;
    Row *d_out;
    if (hipMalloc(&d_in, n * sizeof(int)) || hipMalloc(&d_out, n * sizeof(Row))) return 2;
    hipMemcpy(d_in, in.data(), n * sizeof(int), hipMemcpyHostToDevice);
    hipLaunchKernelGGL(talk, dim3(n / 128), dim3(128), 0, 0, d_in, d_out);
    if (hipError_t e = hipDeviceSynchronize()) {
        printf("%s\n", hipGetErrorString(e));
        return 2;
    }
    hipMemcpy(out.data(), d_out, n * sizeof(Row), hipMemcpyDeviceToHost);

    int wrong = 0, agreeing = 0;
    for (int w = 0; w < n; w += 32) {
        uint32_t votes = 0;
        int sum = 0, agree = 1;
        for (int l = 0; l < 32; ++l) {
            votes |= (uint32_t)(in[w + l] % 3 == 0) << l;
            agree &= in[w + l] < 150;
            sum += in[w + l];
        }
        agreeing += agree;
        for (int l = 0, prefix = 0; l < 32; ++l) {
            const Row &r = out[w + l];
            prefix += in[w + l];
            wrong += r.next != (uint32_t)in[w + (l < 31 ? l + 1 : l)];
            wrong += r.chosen != (uint32_t)in[w + (l * 7) % 32];
            wrong += r.prefix != prefix || r.votes != votes || r.agree != agree;
            wrong += r.sum != (float)sum || r.active != 0xffffffffu;
        }
    }
    printf("warps that agree: %d of %d\n", agreeing, n / 32);
    printf("votes of warp 0: %08x, wrong %d\n", out[0].votes, wrong);
    hipFree(d_in);
    hipFree(d_out);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
