// Radix-2 FFT with a kernel per stage, on the complex types of cuComplex.h.
// The signal is a sum of three pure tones, so the spectrum is known.

#include <hip/hip_runtime.h>
#include <hip/hip_complex.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace fft {

using Complex = hipFloatComplex;

inline void expect(hipError_t e, const char* text) {
  if (e != hipSuccess) {
    std::fprintf(stderr, "%s: %s\n", text, hipGetErrorString(e));
    std::exit(1);
  }
}
#define EXPECT_OK(...) ::fft::expect((__VA_ARGS__), #__VA_ARGS__)

__global__ void bit_reverse(const Complex* in, Complex* out, int log2n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < (1u << log2n)) {
    out[__brev(i) >> (32 - log2n)] = in[i];
  }
}

// One thread per butterfly; `half` is the distance between its two inputs.
__global__ void butterflies(Complex* data, int half, int n, float sign) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n / 2) return;
  const int k = t & (half - 1);
  const int top = ((t - k) << 1) + k;

  float s, c;
  sincosf(sign * 3.14159265358979f * static_cast<float>(k) / static_cast<float>(half), &s, &c);
  const Complex twiddle = make_hipFloatComplex(c, s);
  const Complex a = data[top];
  const Complex b = hipCmulf(twiddle, data[top + half]);
  data[top] = hipCaddf(a, b);
  data[top + half] = hipCsubf(a, b);
}

__global__ void scale(Complex* data, int n, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = make_hipFloatComplex(hipCrealf(data[i]) * factor, hipCimagf(data[i]) * factor);
}

enum class Direction { Forward, Inverse };

void transform(const Complex* d_in, Complex* d_out, int log2n, Direction direction) {
  constexpr int block = 128;
  const int n = 1 << log2n;
  const int grid_all = (n + block - 1) / block;
  const int grid_half = (n / 2 + block - 1) / block;
  const float sign = direction == Direction::Forward ? -1.0f : 1.0f;

  hipLaunchKernelGGL(bit_reverse, dim3(grid_all), dim3(block), 0, 0, d_in, d_out, log2n);
  EXPECT_OK(hipGetLastError());
  for (int half = 1; half < n; half *= 2) {
    hipLaunchKernelGGL(butterflies, dim3(grid_half), dim3(block), 0, 0, d_out, half, n, sign);
    EXPECT_OK(hipGetLastError());
  }
  if (direction == Direction::Inverse) {
    hipLaunchKernelGGL(scale, dim3(grid_all), dim3(block), 0, 0, d_out, n, 1.0f / static_cast<float>(n));
    EXPECT_OK(hipGetLastError());
  }
}

}  // namespace fft

// Direct evaluation of one output bin in double precision.
static hipDoubleComplex dft_bin(const std::vector<fft::Complex>& x, int bin) {
  const int n = static_cast<int>(x.size());
  hipDoubleComplex sum = make_hipDoubleComplex(0.0, 0.0);
  for (int i = 0; i < n; ++i) {
    const double angle = -2.0 * 3.14159265358979323846 * ((static_cast<long long>(bin) * i) % n) / n;
    const hipDoubleComplex w = make_hipDoubleComplex(std::cos(angle), std::sin(angle));
    sum = hipCadd(sum, hipCmul(hipComplexFloatToDouble(x[i]), w));
  }
  return sum;
}

int main() {
  const int log2n = 10, n = 1 << log2n;
  const double tau = 6.283185307179586;

  std::vector<fft::Complex> signal(n), spectrum(n), back(n);
  for (int i = 0; i < n; ++i) {
    const double t = static_cast<double>(i) / n;
    const double re = 1.0 * std::cos(tau * 5 * t) + 0.5 * std::cos(tau * 100 * t);
    const double im = 0.25 * std::cos(tau * 321 * t);
    signal[i] = make_hipFloatComplex(static_cast<float>(re), static_cast<float>(im));
  }

  fft::Complex *d_signal = nullptr, *d_spectrum = nullptr, *d_back = nullptr;
  EXPECT_OK(hipMalloc(&d_signal, n * sizeof(fft::Complex)));
  EXPECT_OK(hipMalloc(&d_spectrum, n * sizeof(fft::Complex)));
  EXPECT_OK(hipMalloc(&d_back, n * sizeof(fft::Complex)));
  EXPECT_OK(hipMemcpy(d_signal, signal.data(), n * sizeof(fft::Complex), hipMemcpyHostToDevice));

  fft::transform(d_signal, d_spectrum, log2n, fft::Direction::Forward);
  fft::transform(d_spectrum, d_back, log2n, fft::Direction::Inverse);

  EXPECT_OK(hipMemcpy(spectrum.data(), d_spectrum, n * sizeof(fft::Complex), hipMemcpyDeviceToHost));
  EXPECT_OK(hipMemcpy(back.data(), d_back, n * sizeof(fft::Complex), hipMemcpyDeviceToHost));
  EXPECT_OK(hipFree(d_signal));
  EXPECT_OK(hipFree(d_spectrum));
  EXPECT_OK(hipFree(d_back));

  double worst_forward = 0.0, worst_round_trip = 0.0;
  for (int k = 0; k < n; ++k) {
    const hipDoubleComplex want = dft_bin(signal, k);
    const hipDoubleComplex got = hipComplexFloatToDouble(spectrum[k]);
    worst_forward = std::fmax(worst_forward, hipCabs(hipCsub(got, want)));
    worst_round_trip = std::fmax(worst_round_trip, static_cast<double>(hipCabsf(hipCsubf(back[k], signal[k]))));
  }

  std::printf("points: %d\n", n);
  std::printf("peaks:");
  for (int k = 0; k < n; ++k) {
    const float size = hipCabsf(spectrum[k]);
    if (size > 64.0f) std::printf(" %d:%.0f", k, size);
  }
  std::printf("\n");

  const bool ok = worst_forward < 0.01 && worst_round_trip < 1e-4;
  std::printf("forward error below 0.01: %s\n", worst_forward < 0.01 ? "yes" : "no");
  std::printf("round trip error below 1e-4: %s\n", worst_round_trip < 1e-4 ? "yes" : "no");
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
