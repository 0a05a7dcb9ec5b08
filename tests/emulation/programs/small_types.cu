// Shuffles of bool, char, short, size_t, pointers, enums and doubles; matches of floats, doubles and 64-bit words.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

enum class Colour : int { red = 3, green = 5 };
struct Node { int value; Node *next; };

__global__ void types(const int *in, Node *nodes, long long *out) {
    const int t = threadIdx.x, v = in[t];
    const bool b = __shfl_sync(0xffffffff, v > 20, (t + 3) % 32);
    const char c = __shfl_xor_sync(0xffffffff, (char)(v - 60), 4);
    const short s = __shfl_up_sync(0xffffffff, (short)(v * 400), 1);
    const size_t z = __shfl_down_sync(0xffffffff, (size_t)v << 33, 2);
    const Colour colour = (Colour)__shfl_sync(0xffffffff, (int)(v & 1 ? Colour::red : Colour::green), 31);
    Node *node = (Node *)__shfl_sync(0xffffffff, (unsigned long long)(nodes + t), 7);
    const unsigned char u = __shfl_sync(0xffffffff, (unsigned char)(v * 9), t & 15);
    const double d = __shfl_xor_sync(0xffffffff, v * 0.5, 1);
    long long r = b + 2 * (long long)c + 1000ll * s + (long long)(z >> 30) + (int)colour * 7 + node->value + u + (long long)(d * 2);
    r += 1000000ll * __popc(__match_any_sync(0xffffffff, v * 0.25f - (v & 3) * 0.25f));
    r += 100000000ll * __popc(__match_any_sync(0xffffffff, (double)(v & 7)));
    r += 10000000000ll * __popc(__match_any_sync(0xffffffff, (uint64_t)(v & 1) << 40));
    int alike = 0;
    const unsigned all = __match_all_sync(0xffffffff, t / 64 ? 5 : v, &alike);
    r += (all == 0xffffffffu) * 1000000000000ll + alike * 2000000000000ll;
    out[t] = r;
}

int main() {
    const int n = 128;
    int *in, errors = 0;
    Node *nodes;
    long long *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&nodes, n * sizeof(Node));
    cudaMallocManaged(&out, n * sizeof(long long));
    for (int i = 0; i < n; ++i) in[i] = (i * 19) % 43, nodes[i].value = i * 3;
    types<<<1, n>>>(in, nodes, out);
    cudaDeviceSynchronize();
    for (int t = 0; t < n; ++t) {
        const int w = t / 32 * 32, l = t % 32;
        int quarter = 0, eighth = 0, parity = 0;
        for (int j = w; j < w + 32; ++j) {
            quarter += in[j] / 4 == in[t] / 4;
            eighth += in[j] % 8 == in[t] % 8;
            parity += in[j] % 2 == in[t] % 2;
        }
        long long r = (in[w + (t + 3) % 32] > 20) + 2 * (long long)(char)(in[t ^ 4] - 60);
        r += 1000ll * (short)((l ? in[t - 1] : in[t]) * 400) + ((long long)(l < 30 ? in[t + 2] : in[t]) << 3);
        r += (in[w + 31] & 1 ? 3 : 5) * 7 + (w + 7) * 3 + (unsigned char)(in[w + (t & 15)] * 9) + in[t ^ 1];
        r += 1000000ll * quarter + 100000000ll * eighth + 10000000000ll * parity;
        if (t >= 64) r += 3000000000000ll;
        errors += out[t] != r;
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
