// __reduce_*_sync with bool, char, short, unsigned and enum arguments, with whole and with partial masks.
#include <cstdio>
#include <cuda_runtime.h>

enum Flags : unsigned { kNone = 0, kFirst = 1, kSecond = 2, kThird = 4 };

struct Row {
    int sum, least;
    unsigned total, most, any, all, parity;
    int odd_sum;
};

__global__ void reduce(const signed char *in, Row *rows) {
    const unsigned full = 0xffffffffu;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    signed char value = in[i];
    bool positive = value > 0;
    Row r;
    r.sum = __reduce_add_sync(full, (int)value);
    r.least = __reduce_min_sync(full, (int)value);
    r.total = __reduce_add_sync(full, (unsigned)positive);
    r.most = __reduce_max_sync(full, (unsigned)(value + 200));
    r.any = __reduce_or_sync(full, positive ? kSecond : kFirst);
    r.all = __reduce_and_sync(full, (unsigned)(value | 0x40) & 0xffu);
    r.parity = __reduce_xor_sync(full, static_cast<unsigned>(value & 1));
    r.odd_sum = 0;
    unsigned odd = __ballot_sync(full, value & 1);
    if (value & 1) r.odd_sum = __reduce_add_sync(odd, static_cast<int>(value));
    rows[i] = r;
}

int main() {
    const int n = 96;
    signed char host[n], *in;
    Row rows[n], *out;
    for (int i = 0; i < n; ++i) host[i] = (signed char)((i * 37) % 101 - 50);
    cudaMalloc(&in, n);
    cudaMalloc(&out, sizeof(rows));
    cudaMemcpy(in, host, n, cudaMemcpyHostToDevice);
    reduce<<<1, n>>>(in, out);
    cudaMemcpy(rows, out, sizeof(rows), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int w = 0; w < n; w += 32) {
        Row want = {0, 1000, 0, 0, 0, ~0u, 0, 0};
        for (int i = w; i < w + 32; ++i) {
            want.sum += host[i];
            want.least = host[i] < want.least ? host[i] : want.least;
            want.total += host[i] > 0;
            unsigned v = host[i] + 200;
            want.most = v > want.most ? v : want.most;
            want.any |= host[i] > 0 ? kSecond : kFirst;
            want.all &= (unsigned)(host[i] | 0x40) & 0xffu;
            want.parity ^= host[i] & 1;
            if (host[i] & 1) want.odd_sum += host[i];
        }
        for (int i = w; i < w + 32; ++i) {
            const Row &r = rows[i];
            errors += r.sum != want.sum || r.least != want.least || r.total != want.total || r.most != want.most;
            errors += r.any != want.any || r.all != want.all || r.parity != want.parity;
            errors += r.odd_sum != (host[i] & 1 ? want.odd_sum : 0);
        }
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
