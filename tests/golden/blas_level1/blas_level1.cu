// Vector operations of cuBLAS, with scalars passed both from the host and from
// device memory (pointer mode), wrapped in small RAII classes.
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include <hipblas/hipblas.h>
#include <hip/hip_runtime.h>

namespace {

void check(hipError_t err) {
  if (err != hipSuccess)
    throw std::runtime_error(std::string("CUDA: ") + hipGetErrorName(err));
}

void check(hipblasStatus_t status) {
  if (status != HIPBLAS_STATUS_SUCCESS)
    throw std::runtime_error("cuBLAS status " + std::to_string(static_cast<int>(status)));
}

class Stream {
 public:
  Stream() { check(hipStreamCreateWithFlags(&stream_, hipStreamNonBlocking)); }
  ~Stream() { hipStreamDestroy(stream_); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator hipStream_t() const { return stream_; }
  void wait() const { check(hipStreamSynchronize(stream_)); }

 private:
  hipStream_t stream_ = nullptr;
};

class Blas {
 public:
  explicit Blas(hipStream_t stream) {
    check(hipblasCreate(&handle_));
    check(hipblasSetStream(handle_, stream));
  }
  ~Blas() { hipblasDestroy(handle_); }
  Blas(const Blas&) = delete;
  Blas& operator=(const Blas&) = delete;
  operator hipblasHandle_t() const { return handle_; }

 private:
  hipblasHandle_t handle_ = nullptr;
};

// Switches the pointer mode for a scope and puts the old one back.
class PointerModeScope {
 public:
  PointerModeScope(hipblasHandle_t handle, hipblasPointerMode_t mode) : handle_(handle) {
    check(hipblasGetPointerMode(handle_, &previous_));
    check(hipblasSetPointerMode(handle_, mode));
  }
  ~PointerModeScope() { hipblasSetPointerMode(handle_, previous_); }

 private:
  hipblasHandle_t handle_;
  hipblasPointerMode_t previous_{};
};

template <class T>
class DeviceBuffer {
 public:
  explicit DeviceBuffer(std::size_t n) : size_(n) { check(hipMalloc(&data_, n * sizeof(T))); }
  ~DeviceBuffer() { hipFree(data_); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  T* get() { return data_; }
  std::vector<T> download(hipStream_t s) const {
    std::vector<T> out(size_);
    check(hipMemcpyAsync(out.data(), data_, size_ * sizeof(T), hipMemcpyDeviceToHost, s));
    check(hipStreamSynchronize(s));
    return out;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

int sample(int i, int mul, int mod) { return (i * mul + 11) % mod - mod / 2; }

bool run() {
  constexpr int n = 20000;
  std::vector<float> hx(n), hy(n);
  for (int i = 0; i < n; ++i) {
    hx[i] = static_cast<float>(sample(i, 37, 7));
    hy[i] = static_cast<float>(sample(i, 101, 9));
  }
  hx[12345] = -50.0f;  // the element that Iamax has to find

  Stream stream;
  Blas blas(stream);
  DeviceBuffer<float> x(n), y(n), scalars(2);

  check(hipblasSetVector(n, sizeof(float), hx.data(), 1, x.get(), 1));
  check(hipDeviceSynchronize());  // our stream does not wait for the default one
  check(hipblasSetVectorAsync(n, sizeof(float), hy.data(), 1, y.get(), 1, stream));

  // Scalars on the host: each call returns once its result is known.
  float dot = 0, norm = 0, asum = 0;
  int where = 0;
  check(hipblasSdot(blas, n, x.get(), 1, y.get(), 1, &dot));
  check(hipblasSnrm2(blas, n, x.get(), 1, &norm));
  check(hipblasSasum(blas, n, x.get(), 1, &asum));
  check(hipblasIsamax(blas, n, x.get(), 1, &where));  // counts from 1, as Fortran does

  const float a = 3.0f, half = 0.5f;
  check(hipblasSaxpy(blas, n, &a, x.get(), 1, y.get(), 1));
  check(hipblasSscal(blas, n / 2, &half, y.get(), 2));  // every second element

  // Scalars on the device: nothing here waits for the GPU.
  {
    PointerModeScope scope(blas, HIPBLAS_POINTER_MODE_DEVICE);
    check(hipblasSdot(blas, n, x.get(), 1, y.get(), 1, scalars.get()));
    check(hipblasSasum(blas, n, y.get(), 1, scalars.get() + 1));
  }
  stream.wait();
  const std::vector<float> late = scalars.download(stream);
  const std::vector<float> result = y.download(stream);

  // The same on the CPU, exact in double.
  double rdot = 0, rsq = 0, rasum = 0, rlate = 0, rlateasum = 0;
  int bad = 0;
  for (int i = 0; i < n; ++i) {
    rdot += static_cast<double>(hx[i]) * hy[i];
    rsq += static_cast<double>(hx[i]) * hx[i];
    rasum += std::fabs(hx[i]);
    float want = 3.0f * hx[i] + hy[i];
    if (i % 2 == 0) want *= 0.5f;
    if (result[i] != want) ++bad;
    rlate += static_cast<double>(hx[i]) * want;
    rlateasum += std::fabs(want);
  }

  std::printf("n %d\n", n);
  std::printf("dot %.0f nrm2 %.2f asum %.0f iamax %d\n", dot, norm, asum, where);
  std::printf("after axpy and scal: dot %.1f asum %.1f mismatches %d\n", late[0], late[1], bad);

  return bad == 0 && where == 12346 && dot == static_cast<float>(rdot) &&
         asum == static_cast<float>(rasum) &&
         std::fabs(norm - std::sqrt(rsq)) < 1e-4 * std::sqrt(rsq) &&
         late[0] == static_cast<float>(rlate) && late[1] == static_cast<float>(rlateasum);
}

}  // namespace

int main() {
  try {
    const bool ok = run();
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    std::puts("FAIL");
    return 1;
  }
}
