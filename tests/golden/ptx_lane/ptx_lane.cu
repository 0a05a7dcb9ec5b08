// Inline PTX: special registers, bit-field extraction, byte permutation, a
// carry chain over 128 bits, and loads through the read-only path.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void check(hipError_t err, const char* file, int line)
{
    if (err != hipSuccess) {
        fprintf(stderr, "%s:%d: %s\n", file, line, hipGetErrorString(err));
        exit(1);
    }
}
#define CHECK(e) check(e, __FILE__, __LINE__)

struct Wide
{
    uint32_t word[4];  // least significant first
};

__device__ __forceinline__ uint32_t lane_id()
{
    uint32_t lane;
    lane = __lane_id() & 31;
    return lane;
}

__device__ __forceinline__ uint32_t extract_bits(uint32_t value, uint32_t first, uint32_t count)
{
    uint32_t out;
    out = hipify::bfe(value, first, count);
    return out;
}

__device__ __forceinline__ uint32_t permute_bytes(uint32_t a, uint32_t b, uint32_t selector)
{
    uint32_t out;
    out = hipify::prmt(a, b, selector);
    return out;
}

__device__ __forceinline__ uint32_t load_readonly(const uint32_t* p)
{
    uint32_t out;
    out = *(const unsigned*)p;
    return out;
}

// The carry travels from one instruction to the next, so they are one statement.
__device__ __forceinline__ Wide add_wide(const Wide& a, const Wide& b)
{
    Wide s;
    do {
        unsigned carry;
        unsigned out0;
        unsigned out1;
        unsigned out2;
        out0 = __builtin_addc(a.word[0], b.word[0], 0u, &carry);
        out1 = __builtin_addc(a.word[1], b.word[1], carry, &carry);
        out2 = __builtin_addc(a.word[2], b.word[2], carry, &carry);
        s.word[3] = a.word[3] + b.word[3] + carry;
        s.word[0] = out0;
        s.word[1] = out1;
        s.word[2] = out2;
    } while (0);
    return s;
}

__global__ void bit_tricks(const uint32_t* in, uint32_t* lanes, uint32_t* fields, uint32_t* swapped, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const uint32_t v = load_readonly(in + i);
    lanes[i] = lane_id();
    fields[i] = extract_bits(v, i % 24, 7);
    swapped[i] = permute_bytes(v, v, 0x0123);  // reverses the byte order
}

__global__ void add_all(const Wide* a, const Wide* b, Wide* sum, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sum[i] = add_wide(a[i], b[i]);
}

static uint32_t scramble(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

template <typename T>
static T* on_device(const std::vector<T>& v)
{
    T* p;
    CHECK(hipMalloc(&p, v.size() * sizeof(T)));
    CHECK(hipMemcpy(p, v.data(), v.size() * sizeof(T), hipMemcpyHostToDevice));
    return p;
}

template <typename T>
static void fetch(std::vector<T>& v, const T* p)
{
    CHECK(hipMemcpy(v.data(), p, v.size() * sizeof(T), hipMemcpyDeviceToHost));
}

int main()
{
    const int n = 10240, block = 160;
    std::vector<uint32_t> in(n), lanes(n), fields(n), swapped(n);
    std::vector<Wide> a(n), b(n), sum(n);
    for (int i = 0; i < n; ++i) {
        in[i] = scramble(i + 1);
        for (int w = 0; w < 4; ++w) {
            // every third operand is all ones, so that carries run far
            a[i].word[w] = i % 3 == 0 ? 0xffffffffu : scramble(4 * i + w);
            b[i].word[w] = i % 3 == 0 ? (w == 0) : scramble(~(4 * i + w));
        }
    }
    uint32_t *d_in = on_device(in), *d_lanes = on_device(lanes);
    uint32_t *d_fields = on_device(fields), *d_swapped = on_device(swapped);
    Wide *d_a = on_device(a), *d_b = on_device(b), *d_sum = on_device(sum);

    hipLaunchKernelGGL(bit_tricks, dim3(n / block), dim3(block), 0, 0, d_in, d_lanes, d_fields, d_swapped, n);
    CHECK(hipGetLastError());
    hipLaunchKernelGGL(add_all, dim3(n / block), dim3(block), 0, 0, d_a, d_b, d_sum, n);
    CHECK(hipGetLastError());
    CHECK(hipDeviceSynchronize());
    fetch(lanes, d_lanes);
    fetch(fields, d_fields);
    fetch(swapped, d_swapped);
    fetch(sum, d_sum);

    int wrong = 0;
    uint32_t lane_sum = 0, field_sum = 0, swap_mix = 0, top_mix = 0;
    for (int i = 0; i < n; ++i) {
        const uint32_t v = in[i];
        wrong += lanes[i] != static_cast<uint32_t>(i % block % 32);
        wrong += fields[i] != ((v >> (i % 24)) & 0x7fu);
        wrong += swapped[i] != ((v << 24) | ((v & 0xff00u) << 8) | ((v >> 8) & 0xff00u) | (v >> 24));
        uint64_t carry = 0;
        for (int w = 0; w < 4; ++w) {
            carry += static_cast<uint64_t>(a[i].word[w]) + b[i].word[w];
            wrong += sum[i].word[w] != static_cast<uint32_t>(carry);
            carry >>= 32;
        }
        lane_sum += lanes[i];
        field_sum += fields[i];
        swap_mix ^= swapped[i];
        top_mix ^= sum[i].word[3];
    }
    printf("n %d lanes %u fields %u\n", n, lane_sum, field_sum);
    printf("bytes %08x sums %08x wrong %d\n", swap_mix, top_mix, wrong);

    void* all[] = {d_in, d_lanes, d_fields, d_swapped, d_a, d_b, d_sum};
    for (void* p : all) CHECK(hipFree(p));
    puts(wrong == 0 ? "PASS" : "FAIL");
    return wrong != 0;
}
