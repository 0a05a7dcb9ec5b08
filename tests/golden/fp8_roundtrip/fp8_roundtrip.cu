// Eight-bit floats (e4m3): decodes all 256 codes and encodes a range of floats
// on the device, and compares both with plain integer and double code.
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>
#include <hip/hip_runtime.h>
#define HIPIFY_NEEDS_FP16
#include "hipify_support.hpp"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <vector>

struct CudaError : std::runtime_error {
    explicit CudaError(hipError_t e) : std::runtime_error(hipGetErrorString(e)) {}
};

inline void throwOnError(hipError_t e) {
    if (e != hipSuccess) throw CudaError(e);
}

/// Device array that frees itself.
template <typename T>
class Array {
public:
    explicit Array(size_t n) : n_(n) { throwOnError(hipMalloc(reinterpret_cast<void **>(&p_), n * sizeof(T))); }
    Array(Array &&o) noexcept : p_(o.p_), n_(o.n_) { o.p_ = nullptr; }
    ~Array() { if (p_) hipFree(p_); }

    void put(const std::vector<T> &v) { throwOnError(hipMemcpy(p_, v.data(), n_ * sizeof(T), hipMemcpyHostToDevice)); }
    std::vector<T> take() const {
        std::vector<T> v(n_);
        throwOnError(hipMemcpy(v.data(), p_, n_ * sizeof(T), hipMemcpyDeviceToHost));
        return v;
    }
    operator T *() const { return p_; }

private:
    T *p_ = nullptr;
    size_t n_;
};

__global__ void decodeAll(float *values)
{
    hipify::fp8_e4m3 v;
    v.__x = static_cast<__hip_fp8_storage_t>(threadIdx.x);
    values[threadIdx.x] = static_cast<float>(v);
}

__global__ void encode(const float *in, unsigned char *codes, float *back, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    codes[i] = hipify::cvt_float_to_fp8(in[i], __HIP_SATFINITE, __HIP_E4M3);
    back[i] = float(hipify::fp8_e4m3(in[i]));
}

// Sign, four bits of exponent with bias 7, three of mantissa; only S.1111.111 is NaN.
static double decodeReference(unsigned code)
{
    const int exponent = (code >> 3) & 15, mantissa = code & 7;
    double v = exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, exponent - 10);
    if ((code & 0x7f) == 0x7f) v = std::nan("");
    return code & 0x80 ? -v : v;
}

// Nearest finite value, ties to the even code, saturated at 448.
static unsigned encodeReference(double x)
{
    const unsigned sign = std::signbit(x) ? 0x80u : 0u;
    const double mag = std::fabs(x);
    unsigned best = 0;
    for (unsigned c = 1; c < 0x7f; ++c) {
        const double d = std::fabs(decodeReference(c) - mag), b = std::fabs(decodeReference(best) - mag);
        if (d < b || (d == b && c % 2 == 0)) best = c;
    }
    return sign | best;
}

static bool testDecode()
{
    Array<float> values(256);
    hipLaunchKernelGGL(decodeAll, dim3(1), dim3(256), 0, 0, values);
    throwOnError(hipGetLastError());
    const std::vector<float> got = values.take();
    int wrong = 0, nans = 0;
    double positive = 0;
    for (unsigned c = 0; c < 256; ++c) {
        const double want = decodeReference(c);
        if (std::isnan(want)) {
            ++nans;
            wrong += !std::isnan(got[c]);
        } else {
            wrong += got[c] != want;
            if (want > 0) positive += got[c];
        }
    }
    std::printf("decoded 256 codes, %d NaN, positive sum %.3f, wrong %d\n", nans, positive, wrong);
    return wrong == 0;
}

static bool testEncode()
{
    const int n = 6000;
    std::vector<float> in(n);
    for (int i = 0; i < n; ++i) {
        const int k = i / 2;
        const float mag = k < 1000 ? k / 4096.0f           // subnormal and tiny
                        : k < 2000 ? (k - 1000) / 64.0f    // many exact ties
                                   : (k - 2000) * 0.5f;    // past the largest value
        in[i] = i % 2 ? -mag : mag;
    }
    Array<float> din(n), dback(n);
    Array<unsigned char> dcodes(n);
    din.put(in);
    hipLaunchKernelGGL(encode, dim3((n + 127) / 128), dim3(128), 0, 0, din, dcodes, dback, n);
    throwOnError(hipGetLastError());
    throwOnError(hipDeviceSynchronize());

    const std::vector<unsigned char> codes = dcodes.take();
    const std::vector<float> back = dback.take();
    int wrong = 0, saturated = 0;
    unsigned checksum = 0;
    for (int i = 0; i < n; ++i) {
        wrong += codes[i] != encodeReference(in[i]);
        wrong += back[i] != decodeReference(codes[i]);
        wrong += static_cast<float>(hipify::fp8_e4m3(in[i])) != back[i];  // the same on the host
        saturated += (codes[i] & 0x7f) == 0x7e;
        checksum = checksum * 31u + codes[i];
    }
    std::printf("encoded %d floats, %d at the largest value, checksum %u, wrong %d\n", n, saturated, checksum, wrong);
    return wrong == 0;
}

int main()
try {
    const bool decoded = testDecode();
    const bool encoded = testEncode();
    std::puts(decoded && encoded ? "PASS" : "FAIL");
    return decoded && encoded ? 0 : 1;
} catch (const CudaError &e) {
    std::fprintf(stderr, "CUDA: %s\n", e.what());
    std::puts("FAIL");
    return 1;
}
