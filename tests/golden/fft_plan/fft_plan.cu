// cuFFT plans of three shapes: a 1D real transform there and back, a 2D double
// complex transform against a direct DFT, and a batch of interleaved signals
// made with cufftPlanMany.  Everything runs on one stream.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <hip/hip_runtime.h>
#include <hipfft/hipfft.h>

static const double PI = 3.14159265358979323846;

static void fail(const char *what, int code, int line)
{
  fprintf(stderr, "line %d: %s failed with %d\n", line, what, code);
  printf("FAIL\n");
  exit(1);
}

#define CHECK_CUDA(x)                                   \
  do {                                                  \
    hipError_t r = (x);                                \
    if (r != hipSuccess) fail(#x, (int)r, __LINE__);   \
  } while (0)

#define CHECK_FFT(x)                                    \
  do {                                                  \
    hipfftResult r = (x);                                \
    if (r != HIPFFT_SUCCESS) fail(#x, (int)r, __LINE__); \
  } while (0)

// Undoes the factor that an unnormalised inverse transform leaves behind.
__global__ void scale(float *data, int n, float factor)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] *= factor;
}

// Two cosines in 1024 samples: the spectrum has to show exactly their bins.
static bool real_round_trip(hipStream_t stream)
{
  const int n = 1024, bins = n / 2 + 1;
  std::vector<float> signal(n), back(n);
  for (int i = 0; i < n; ++i)
    signal[i] = (float)(cos(2 * PI * 60 * i / n) + 0.5 * cos(2 * PI * 200 * i / n));

  hipfftReal *d_signal;
  hipfftComplex *d_spectrum;
  CHECK_CUDA(hipMalloc((void **)&d_signal, n * sizeof(hipfftReal)));
  CHECK_CUDA(hipMalloc((void **)&d_spectrum, bins * sizeof(hipfftComplex)));
  CHECK_CUDA(hipMemcpyAsync(d_signal, signal.data(), n * sizeof(float), hipMemcpyHostToDevice, stream));

  hipfftHandle fwd, inv;
  CHECK_FFT(hipfftPlan1d(&fwd, n, HIPFFT_R2C, 1));
  CHECK_FFT(hipfftPlan1d(&inv, n, HIPFFT_C2R, 1));
  CHECK_FFT(hipfftSetStream(fwd, stream));
  CHECK_FFT(hipfftSetStream(inv, stream));

  CHECK_FFT(hipfftExecR2C(fwd, d_signal, d_spectrum));
  std::vector<hipfftComplex> spectrum(bins);
  CHECK_CUDA(hipMemcpyAsync(spectrum.data(), d_spectrum, bins * sizeof(hipfftComplex),
                             hipMemcpyDeviceToHost, stream));
  CHECK_CUDA(hipStreamSynchronize(stream));

  CHECK_FFT(hipfftExecC2R(inv, d_spectrum, d_signal));
  hipLaunchKernelGGL(scale, dim3(4), dim3(256), 0, stream, d_signal, n, 1.0f / n);
  CHECK_CUDA(hipGetLastError());
  CHECK_CUDA(hipMemcpyAsync(back.data(), d_signal, n * sizeof(float), hipMemcpyDeviceToHost, stream));
  CHECK_CUDA(hipStreamSynchronize(stream));

  int first = -1, second = -1, peaks = 0;
  for (int k = 0; k < bins; ++k) {
    if (hypotf(spectrum[k].x, spectrum[k].y) > n / 8.0f) {
      if (peaks++ == 0) first = k; else second = k;
    }
  }
  float worst = 0;
  for (int i = 0; i < n; ++i) worst = fmaxf(worst, fabsf(back[i] - signal[i]));

  CHECK_FFT(hipfftDestroy(fwd));
  CHECK_FFT(hipfftDestroy(inv));
  CHECK_CUDA(hipFree(d_signal));
  CHECK_CUDA(hipFree(d_spectrum));
  printf("1d r2c n=%d peaks %d at %d and %d\n", n, peaks, first, second);
  return peaks == 2 && first == 60 && second == 200 && worst < 1e-5f;
}

// 2D double-complex forward transform compared with the defining sum.
static bool double_2d(hipStream_t stream)
{
  const int rows = 12, cols = 20, n = rows * cols;
  typedef std::complex<double> cd;
  std::vector<cd> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = cd((i * 17) % 23 - 11, (i * 5) % 13 - 6);

  hipfftDoubleComplex *d;
  CHECK_CUDA(hipMalloc((void **)&d, n * sizeof(*d)));
  CHECK_CUDA(hipMemcpyAsync(d, in.data(), n * sizeof(*d), hipMemcpyHostToDevice, stream));
  hipfftHandle plan;
  CHECK_FFT(hipfftPlan2d(&plan, rows, cols, HIPFFT_Z2Z));
  CHECK_FFT(hipfftSetStream(plan, stream));
  CHECK_FFT(hipfftExecZ2Z(plan, d, d, HIPFFT_FORWARD));
  CHECK_CUDA(hipMemcpyAsync(out.data(), d, n * sizeof(*d), hipMemcpyDeviceToHost, stream));
  CHECK_CUDA(hipStreamSynchronize(stream));

  double worst = 0;
  for (int u = 0; u < rows; ++u)
    for (int v = 0; v < cols; ++v) {
      cd want = 0;
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c)
          want += in[r * cols + c] * std::polar(1.0, -2 * PI * ((double)u * r / rows + (double)v * c / cols));
      worst = fmax(worst, std::abs(want - out[u * cols + v]));
    }
  CHECK_FFT(hipfftExecZ2Z(plan, d, d, HIPFFT_BACKWARD));
  CHECK_CUDA(hipMemcpyAsync(out.data(), d, n * sizeof(*d), hipMemcpyDeviceToHost, stream));
  CHECK_CUDA(hipStreamSynchronize(stream));
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    worst = fmax(worst, std::abs(out[i] / (double)n - in[i]));
    sum += lround(out[i].real() / n) * (i % 7);
  }
  CHECK_FFT(hipfftDestroy(plan));
  CHECK_CUDA(hipFree(d));
  printf("2d z2z %dx%d checksum %ld\n", rows, cols, sum);
  return worst < 1e-9;
}

// Eight signals interleaved sample by sample: stride 8, distance 1.
static bool interleaved_batch(hipStream_t stream)
{
  const int len = 64, batch = 8, n = len * batch;
  std::vector<hipfftComplex> in(n), out(n);
  for (int t = 0; t < len; ++t)
    for (int b = 0; b < batch; ++b) {
      in[t * batch + b].x = (float)cos(2 * PI * (b + 1) * t / len);
      in[t * batch + b].y = (float)sin(2 * PI * (b + 1) * t / len);
    }
  hipfftComplex *d;
  CHECK_CUDA(hipMalloc((void **)&d, n * sizeof(*d)));
  CHECK_CUDA(hipMemcpyAsync(d, in.data(), n * sizeof(*d), hipMemcpyHostToDevice, stream));

  hipfftHandle plan;
  int dims[1] = {len};
  CHECK_FFT(hipfftPlanMany(&plan, 1, dims, dims, batch, 1, dims, batch, 1, HIPFFT_C2C, batch));
  CHECK_FFT(hipfftSetStream(plan, stream));
  CHECK_FFT(hipfftExecC2C(plan, d, d, HIPFFT_FORWARD));
  CHECK_CUDA(hipMemcpyAsync(out.data(), d, n * sizeof(*d), hipMemcpyDeviceToHost, stream));
  CHECK_CUDA(hipStreamSynchronize(stream));

  bool ok = true;
  printf("batch peaks");
  for (int b = 0; b < batch; ++b) {
    int peak = 0;
    for (int k = 1; k < len; ++k)
      if (out[k * batch + b].x > out[peak * batch + b].x) peak = k;
    printf(" %d", peak);
    ok = ok && peak == b + 1 && fabsf(out[peak * batch + b].x - len) < 1e-3f;
  }
  printf("\n");
  CHECK_FFT(hipfftDestroy(plan));
  CHECK_CUDA(hipFree(d));
  return ok;
}

int main()
{
  hipStream_t stream;
  CHECK_CUDA(hipStreamCreate(&stream));
  bool ok = real_round_trip(stream);
  ok = double_2d(stream) && ok;
  ok = interleaved_batch(stream) && ok;
  CHECK_CUDA(hipStreamDestroy(stream));
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
