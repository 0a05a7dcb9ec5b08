// cuFFT plans of three shapes: a 1D real transform there and back, a 2D double
// complex transform against a direct DFT, and a batch of interleaved signals
// made with cufftPlanMany.  Everything runs on one stream.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>
#include <cufft.h>

static const double PI = 3.14159265358979323846;

static void fail(const char *what, int code, int line)
{
  fprintf(stderr, "line %d: %s failed with %d\n", line, what, code);
  printf("FAIL\n");
  exit(1);
}

#define CHECK_CUDA(x)                                   \
  do {                                                  \
    cudaError_t r = (x);                                \
    if (r != cudaSuccess) fail(#x, (int)r, __LINE__);   \
  } while (0)

#define CHECK_FFT(x)                                    \
  do {                                                  \
    cufftResult r = (x);                                \
    if (r != CUFFT_SUCCESS) fail(#x, (int)r, __LINE__); \
  } while (0)

// Undoes the factor that an unnormalised inverse transform leaves behind.
__global__ void scale(float *data, int n, float factor)
{
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] *= factor;
}

// Two cosines in 1024 samples: the spectrum has to show exactly their bins.
static bool real_round_trip(cudaStream_t stream)
{
  const int n = 1024, bins = n / 2 + 1;
  std::vector<float> signal(n), back(n);
  for (int i = 0; i < n; ++i)
    signal[i] = (float)(cos(2 * PI * 60 * i / n) + 0.5 * cos(2 * PI * 200 * i / n));

  cufftReal *d_signal;
  cufftComplex *d_spectrum;
  CHECK_CUDA(cudaMalloc((void **)&d_signal, n * sizeof(cufftReal)));
  CHECK_CUDA(cudaMalloc((void **)&d_spectrum, bins * sizeof(cufftComplex)));
  CHECK_CUDA(cudaMemcpyAsync(d_signal, signal.data(), n * sizeof(float), cudaMemcpyHostToDevice, stream));

  cufftHandle fwd, inv;
  CHECK_FFT(cufftPlan1d(&fwd, n, CUFFT_R2C, 1));
  CHECK_FFT(cufftPlan1d(&inv, n, CUFFT_C2R, 1));
  CHECK_FFT(cufftSetStream(fwd, stream));
  CHECK_FFT(cufftSetStream(inv, stream));

  CHECK_FFT(cufftExecR2C(fwd, d_signal, d_spectrum));
  std::vector<cufftComplex> spectrum(bins);
  CHECK_CUDA(cudaMemcpyAsync(spectrum.data(), d_spectrum, bins * sizeof(cufftComplex),
                             cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));

  CHECK_FFT(cufftExecC2R(inv, d_spectrum, d_signal));
  scale<<<4, 256, 0, stream>>>(d_signal, n, 1.0f / n);
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaMemcpyAsync(back.data(), d_signal, n * sizeof(float), cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));

  int first = -1, second = -1, peaks = 0;
  for (int k = 0; k < bins; ++k) {
    if (hypotf(spectrum[k].x, spectrum[k].y) > n / 8.0f) {
      if (peaks++ == 0) first = k; else second = k;
    }
  }
  float worst = 0;
  for (int i = 0; i < n; ++i) worst = fmaxf(worst, fabsf(back[i] - signal[i]));

  CHECK_FFT(cufftDestroy(fwd));
  CHECK_FFT(cufftDestroy(inv));
  CHECK_CUDA(cudaFree(d_signal));
  CHECK_CUDA(cudaFree(d_spectrum));
  printf("1d r2c n=%d peaks %d at %d and %d\n", n, peaks, first, second);
  return peaks == 2 && first == 60 && second == 200 && worst < 1e-5f;
}

// 2D double-complex forward transform compared with the defining sum.
static bool double_2d(cudaStream_t stream)
{
  const int rows = 12, cols = 20, n = rows * cols;
  typedef std::complex<double> cd;
  std::vector<cd> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = cd((i * 17) % 23 - 11, (i * 5) % 13 - 6);

  cufftDoubleComplex *d;
  CHECK_CUDA(cudaMalloc((void **)&d, n * sizeof(*d)));
  CHECK_CUDA(cudaMemcpyAsync(d, in.data(), n * sizeof(*d), cudaMemcpyHostToDevice, stream));
  cufftHandle plan;
  CHECK_FFT(cufftPlan2d(&plan, rows, cols, CUFFT_Z2Z));
  CHECK_FFT(cufftSetStream(plan, stream));
  CHECK_FFT(cufftExecZ2Z(plan, d, d, CUFFT_FORWARD));
  CHECK_CUDA(cudaMemcpyAsync(out.data(), d, n * sizeof(*d), cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));

  double worst = 0;
  for (int u = 0; u < rows; ++u)
    for (int v = 0; v < cols; ++v) {
      cd want = 0;
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < cols; ++c)
          want += in[r * cols + c] * std::polar(1.0, -2 * PI * ((double)u * r / rows + (double)v * c / cols));
      worst = fmax(worst, std::abs(want - out[u * cols + v]));
    }
  CHECK_FFT(cufftExecZ2Z(plan, d, d, CUFFT_INVERSE));
  CHECK_CUDA(cudaMemcpyAsync(out.data(), d, n * sizeof(*d), cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  long sum = 0;
  for (int i = 0; i < n; ++i) {
    worst = fmax(worst, std::abs(out[i] / (double)n - in[i]));
    sum += lround(out[i].real() / n) * (i % 7);
  }
  CHECK_FFT(cufftDestroy(plan));
  CHECK_CUDA(cudaFree(d));
  printf("2d z2z %dx%d checksum %ld\n", rows, cols, sum);
  return worst < 1e-9;
}

// Eight signals interleaved sample by sample: stride 8, distance 1.
static bool interleaved_batch(cudaStream_t stream)
{
  const int len = 64, batch = 8, n = len * batch;
  std::vector<cufftComplex> in(n), out(n);
  for (int t = 0; t < len; ++t)
    for (int b = 0; b < batch; ++b) {
      in[t * batch + b].x = (float)cos(2 * PI * (b + 1) * t / len);
      in[t * batch + b].y = (float)sin(2 * PI * (b + 1) * t / len);
    }
  cufftComplex *d;
  CHECK_CUDA(cudaMalloc((void **)&d, n * sizeof(*d)));
  CHECK_CUDA(cudaMemcpyAsync(d, in.data(), n * sizeof(*d), cudaMemcpyHostToDevice, stream));

  cufftHandle plan;
  int dims[1] = {len};
  CHECK_FFT(cufftPlanMany(&plan, 1, dims, dims, batch, 1, dims, batch, 1, CUFFT_C2C, batch));
  CHECK_FFT(cufftSetStream(plan, stream));
  CHECK_FFT(cufftExecC2C(plan, d, d, CUFFT_FORWARD));
  CHECK_CUDA(cudaMemcpyAsync(out.data(), d, n * sizeof(*d), cudaMemcpyDeviceToHost, stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));

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
  CHECK_FFT(cufftDestroy(plan));
  CHECK_CUDA(cudaFree(d));
  return ok;
}

int main()
{
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  bool ok = real_round_trip(stream);
  ok = double_2d(stream) && ok;
  ok = interleaved_batch(stream) && ok;
  CHECK_CUDA(cudaStreamDestroy(stream));
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
