// Every operation of bits.cuh over random words and edge cases, against plain C++.
#include <hip/hip_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bits.cuh"

constexpr int kResults = 10;

__global__ void apply(const uint32_t *words, uint32_t *results, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uint32_t a = words[i], b = words[n + i], c = words[2 * n + i];
    const uint32_t start = c % 32, length = b % 33;
    uint32_t *r = results + i * kResults;
    r[0] = bits::extract(a, start, length);
    r[1] = (uint32_t)bits::extract_signed((int)a, start, length);
    r[2] = (uint32_t)(bits::extract64((uint64_t)a << 32 | b, c % 60, 1 + c % 30) % 0xfffffffbu);
    r[3] = bits::insert(a, b, start, length);
    r[4] = bits::permute(a, b, c & 0x7777);
    r[5] = bits::logic3<0x96>(a, b, c);   // a ^ b ^ c
    r[6] = bits::logic3<0xE8>(a, b, c) ^ bits::logic3<0xCA>(a, b, c);   // majority, choice
    r[7] = bits::rotate_left(a, c);
    r[8] = bits::reverse(a) + bits::count(b);
    r[9] = (uint32_t)bits::highest(a >> (b & 31));
}

static uint32_t field(uint64_t v, uint32_t start, uint32_t length)
{
    return (uint32_t)((v >> start) & ((1ull << length) - 1));
}

static void expected(uint32_t a, uint32_t b, uint32_t c, uint32_t *r)
{
    const uint32_t start = c % 32, length = b % 33;
    r[0] = field(a, start, length);
    // beyond the word, the sign goes on
    const int64_t wide = (int64_t)(int32_t)a >> start;
    r[1] = length == 0 ? 0 : (uint32_t)((int64_t)((uint64_t)wide << (64 - length)) >> (64 - length));
    r[2] = (uint32_t)((((uint64_t)a << 32 | b) >> (c % 60) & ((1ull << (1 + c % 30)) - 1)) % 0xfffffffbu);
    const uint32_t hole = (uint32_t)(((1ull << length) - 1) << start);
    r[3] = (b & ~hole) | ((uint32_t)((uint64_t)a << start) & hole);
    r[4] = 0;
    const uint64_t both = (uint64_t)b << 32 | a;
    for (int k = 0; k < 4; k++)
        r[4] |= (uint32_t)(both >> (8 * (c >> (4 * k) & 7)) & 0xff) << (8 * k);
    r[5] = a ^ b ^ c;
    r[6] = ((a & b) | (a & c) | (b & c)) ^ ((a & b) | (~a & c));
    r[7] = (a << (c & 31)) | (uint32_t)((uint64_t)a >> (32 - (c & 31)));
    uint32_t rev = 0, ones = 0, top = a >> (b & 31);
    for (int k = 0; k < 32; k++) {
        rev |= (a >> k & 1u) << (31 - k);
        ones += b >> k & 1u;
    }
    r[8] = rev + ones;
    r[9] = 0xffffffffu;
    for (int k = 0; k < 32; k++)
        if (top >> k & 1u) r[9] = k;
}

static void check(hipError_t e)
{
    if (e == hipSuccess) return;
    fprintf(stderr, "%s\n", hipGetErrorString(e));
    exit(1);
}

int main()
{
    const int n = 20000;
    const uint32_t edge[] = {0u, 1u, 0x80000000u, 0xffffffffu, 0x7fffffffu, 0xdeadbeefu, 31u, 32u};
    std::vector<uint32_t> words(3 * n), results(n * kResults);
    uint32_t state = 2463534242u;
    for (int i = 0; i < 3 * n; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        words[i] = i % n < 512 ? edge[(i % n) >> (i / n * 3) & 7] : state;
    }
    uint32_t *d_words, *d_results;
    check(hipMalloc(&d_words, words.size() * sizeof(uint32_t)));
    check(hipMalloc(&d_results, results.size() * sizeof(uint32_t)));
    check(hipMemcpy(d_words, words.data(), words.size() * sizeof(uint32_t), hipMemcpyHostToDevice));
    hipLaunchKernelGGL(apply, dim3((n + 255) / 256), dim3(256), 0, 0, d_words, d_results, n);
    check(hipGetLastError());
    check(hipMemcpy(results.data(), d_results, results.size() * sizeof(uint32_t), hipMemcpyDeviceToHost));

    int wrong[kResults] = {0}, all = 0;
    uint32_t mix = 0;
    for (int i = 0; i < n; i++) {
        uint32_t want[kResults];
        expected(words[i], words[n + i], words[2 * n + i], want);
        for (int k = 0; k < kResults; k++) {
            wrong[k] += results[i * kResults + k] != want[k];
            mix = mix * 31u + results[i * kResults + k];
        }
    }
    for (int k = 0; k < kResults; k++) {
        printf("operation %d: wrong %d\n", k, wrong[k]);
        all += wrong[k];
    }
    printf("checksum %08x\n", mix);
    check(hipFree(d_words));
    check(hipFree(d_results));
    puts(all ? "FAIL" : "PASS");
    return all != 0;
}
