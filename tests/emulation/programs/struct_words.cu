// Any trivially copyable type through shuffles, word by word; complex numbers and key/value pairs.
#include <cstdio>
#include <cstdint>
#include <cuda_runtime.h>

template <typename T>
struct ShuffleWords {
    static constexpr int kWords = (sizeof(T) + sizeof(uint32_t) - 1) / sizeof(uint32_t);
};

template <int LOGICAL_WARP_THREADS = 32, typename T>
__device__ __forceinline__ T ShuffleIndex(const T &input, int src_lane, unsigned member_mask = 0xffffffffu) {
    T output;
    uint32_t *dst = reinterpret_cast<uint32_t *>(&output);
    const uint32_t *src = reinterpret_cast<const uint32_t *>(&input);
#pragma unroll
    for (int w = 0; w < ShuffleWords<T>::kWords; ++w)
        dst[w] = __shfl_sync(member_mask, src[w], src_lane, LOGICAL_WARP_THREADS);
    return output;
}

template <int LOGICAL_WARP_THREADS, typename T>
__device__ __forceinline__ T ShuffleDown(T input, int offset) {
    union { T value; unsigned words[ShuffleWords<T>::kWords]; } u;
    u.value = input;
    for (int w = 0; w < ShuffleWords<T>::kWords; ++w)
        u.words[w] = __shfl_down_sync(0xffffffffu, u.words[w], offset, LOGICAL_WARP_THREADS);
    return u.value;
}

struct Particle { double x, y; long long id; float w; int pad; };
struct Complex { float re, im; };

__global__ void spread(const Particle *in, Particle *same, Complex *sums) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    Particle p = in[t];
    same[t] = ShuffleIndex(p, (threadIdx.x + 5) % 32);
    Complex c = {(float)p.x, p.w};
    for (int d = 16; d > 0; d >>= 1) {
        Complex o = ShuffleDown<32>(c, d);
        c.re += o.re;
        c.im += o.im;
    }
    Complex q = ShuffleDown<8>(c, 3);
    sums[2 * t] = c;
    sums[2 * t + 1] = q;
}

int main() {
    const int n = 96;
    static Particle in[n], out[n], *d_in, *d_out;
    static Complex sums[2 * n], *d_sums;
    for (int i = 0; i < n; ++i) in[i] = {double(i % 9), i * 0.5, (long long)i << 35 | i, float(i % 7), -i};
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_out, sizeof(out));
    cudaMalloc(&d_sums, sizeof(sums));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    spread<<<2, n / 2>>>(d_in, d_out, d_sums);
    cudaDeviceSynchronize();
    spread<<<1, n>>>(d_in, d_out, d_sums);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int w = 0; w < n; w += 32) {
        float re = 0, im = 0;
        for (int l = 0; l < 32; ++l) {
            const Particle &a = out[w + l], &b = in[w + (l + 5) % 32];
            errors += a.x != b.x || a.y != b.y || a.id != b.id || a.w != b.w || a.pad != b.pad;
            re += in[w + l].x;
            im += in[w + l].w;
        }
        errors += sums[2 * w].re != re || sums[2 * w].im != im;
        for (int l = 0; l < 32; ++l) {
            int from = l % 8 + 3 < 8 ? l + 3 : l;
            errors += sums[2 * (w + l) + 1].re != sums[2 * (w + from)].re;
        }
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
