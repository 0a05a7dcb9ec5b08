// What programs do with a ballot: compare with all ones, signs, 64-bit counts, halves, bytes, switch, fields, atomics.
#include <cstdio>
#include <cuda_runtime.h>

struct Entry { unsigned mask : 32; unsigned kind : 4; };
union Bytes { unsigned word; unsigned char byte[4]; };

__global__ void arithmetic(const int *in, int *out, unsigned *words, long long *wide) {
    const int t = threadIdx.x, v = in[t], lane = t & 31;
    __shared__ unsigned both[4];
    if (lane == 0) both[t / 32] = 0;
    __syncwarp();
    int r = 0;
    if (__ballot_sync(0xffffffff, v >= 0) == 0xffffffff) r |= 1;
    if (__ballot_sync(0xffffffff, v >= 0) == ~0u) r |= 2;
    if (!~__ballot_sync(0xffffffff, true)) r |= 4;
    int s = __ballot_sync(0xffffffff, v & 1);
    if (s < 0) r |= 8;
    r |= (s >> 31 & 1) << 4;
    if (__ballot_sync(0xffffffff, v & 2) & (1u << 31)) r |= 32;
    r |= __popcll(__ballot_sync(0xffffffff, v & 1)) << 6;
    r |= __ffsll((long long)__ballot_sync(0xffffffff, v & 4)) << 12;
    r |= __clzll(__ballot_sync(0xffffffff, v & 4)) << 18;
    switch (__ballot_sync(0xffffffff, lane < 3)) {
        case 7: r |= 1 << 25; break;
        default: r = -1;
    }
    Entry entry = {__ballot_sync(0xffffffff, v & 8), 3};
    Bytes bytes;
    bytes.word = entry.mask;
    r ^= bytes.byte[lane / 8] << 8;
    const unsigned short high = __ballot_sync(0xffffffff, v % 3 == 0) >> 16;
    r ^= high;
    atomicOr(&both[t / 32], 1u << lane & __ballot_sync(0xffffffff, v % 5 == 0));
    __syncwarp();
    words[t] = both[t / 32] ^ __brev(__ballot_sync(0xffffffff, v % 7 == 0));
    wide[t] = static_cast<long long>(__ballot_sync(0xffffffff, v & 1)) << 8 | static_cast<int>(__ballot_sync(~0u, 1)) + 9;
    out[t] = r;
}

int main() {
    const int n = 128;
    int *in, *out, errors = 0;
    unsigned *words;
    long long *wide;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    cudaMallocManaged(&words, n * sizeof(unsigned));
    cudaMallocManaged(&wide, n * sizeof(long long));
    for (int i = 0; i < n; ++i) in[i] = (i * 37) % 61 - (i == 70);
    in[0] = 4;
    in[70] = -1;
    arithmetic<<<1, n>>>(in, out, words, wide);
    cudaDeviceSynchronize();
    for (int t = 0; t < n; ++t) {
        unsigned m[9] = {}, w = t / 32 * 32;
        for (int l = 0; l < 32; ++l) {
            int v = in[w + l];
            bool p[9] = {v >= 0, (v & 1) != 0, (v & 2) != 0, (v & 4) != 0, (v & 8) != 0, v % 3 == 0, v % 5 == 0, v % 7 == 0};
            for (int k = 0; k < 9; ++k) m[k] |= unsigned(p[k]) << l;
        }
        int first = 0, last = 0, odd = 0;
        for (int l = 31; l >= 0; --l) if (m[3] >> l & 1) first = l + 1;
        for (int l = 0; l < 32; ++l) if (m[3] >> l & 1) last = l;
        for (int l = 0; l < 32; ++l) odd += m[1] >> l & 1;
        unsigned r = (m[0] == ~0u) * 3 | 4 | (m[1] >> 31) * 24 | (m[2] >> 31) * 32 | odd << 6 | first << 12 | (63 - last) << 18;
        r |= 1 << 25;
        r ^= (m[4] >> (t % 32 / 8 * 8) & 255) << 8;
        r ^= m[5] >> 16;
        errors += (int)r != out[t];
        unsigned reversed = 0;
        for (int l = 0; l < 32; ++l) reversed |= (m[7] >> l & 1) << (31 - l);
        errors += words[t] != (m[6] ^ reversed);
        errors += wide[t] != ((long long)m[1] << 8 | 8);
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
