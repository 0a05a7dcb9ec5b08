// Uses the header-only tensor library: scans with two operators and a map, in
// memory that comes from the library's pool.  Names that look like CUDA's but
// are the program's own are all over the place here, as in the library.
#include <hip/hip_runtime.h>
#include "tensor/ops.cuh"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace my {

// A registry of named buffers; cudaFree() forgets one of them.
class Registry {
 public:
  void cudaHostRegister(const std::string& name) { names_.push_back(name); }
  bool cudaFree(const std::string& name) {
    auto it = std::find(names_.begin(), names_.end(), name);
    if (it == names_.end()) return false;
    names_.erase(it);
    return true;
  }
  size_t size() const { return names_.size(); }

 private:
  std::vector<std::string> names_;
};

// Tokens of the two back ends; renaming the one would collide with the other.
int cudaFree(int token) { return token + 1; }
int hipFree(int token) { return token - 1; }

enum class Phase { cudaInit, cudaRun };

}  // namespace my

struct Doubled {
  __host__ __device__ int operator()(int v) const { return 2 * v + 1; }
};

// Longer names around the same words must stay as they are.
static int my_cudaMalloc_calls = 0;
static const char* const cudaMallocMessage = "cudaMalloc and cudaFree are only words in this text";

static bool equal(const std::vector<int>& got, const std::vector<int>& want, const char* what) {
  size_t wrong = 0;
  long long checksum = 0;
  for (size_t i = 0; i < want.size(); ++i) {
    wrong += got[i] != want[i];
    checksum += static_cast<long long>(got[i]) * static_cast<long long>(i % 7 + 1);
  }
  std::printf("%s: %zu values checksum %lld wrong %zu\n", what, want.size(), checksum, wrong);
  return wrong == 0;
}

int main() {
  const int n = 100000;
  std::vector<int> in(n), want(n), got;
  for (int i = 0; i < n; ++i) in[i] = (i * 29) % 41 - 18;

  tensor::Device device(0);
  device.cudaMalloc(size_t(8) << 20);
  ++my_cudaMalloc_calls;

  my::Registry registry;
  registry.cudaHostRegister("in");
  registry.cudaHostRegister("out");
  bool ok = registry.cudaFree("in") && registry.size() == 1 && my::cudaFree(41) == 42 && my::hipFree(41) == 40;

  hipStream_t cudaStream;  // the variable is ours, its type is CUDA's
  if (!tensor::report(hipStreamCreate(&cudaStream), "cudaStreamCreate")) return 1;

  auto a = tensor::allocate<int>(device, n);
  auto b = tensor::allocate<int>(device, n);
  ok = ok && a.data && b.data && tensor::cudaMemcpy(a, in, cudaStream);

  ok = ok && tensor::inclusiveScan(device, a, b, tensor::Plus{}, cudaStream) && tensor::cudaMemcpy(got, b, cudaStream);
  want[0] = in[0];
  for (int i = 1; i < n; ++i) want[i] = want[i - 1] + in[i];
  ok = ok && equal(got, want, "sums");

  ok = ok && tensor::inclusiveScan<64>(device, b, b, tensor::Max{}, cudaStream) && tensor::cudaMemcpy(got, b, cudaStream);
  for (int i = 1; i < n; ++i) want[i] = std::max(want[i - 1], want[i]);
  ok = ok && equal(got, want, "peaks of sums");

  ok = ok && tensor::map(b.slice(0, n / 2), Doubled{}, cudaStream) && tensor::cudaMemcpy(got, b, cudaStream);
  for (int i = 0; i < n / 2; ++i) want[i] = Doubled{}(want[i]);
  ok = ok && equal(got, want, "half doubled");

  tensor::cudaFree(a);
  ok = ok && a.empty() && device.cudaErrors == 0 && device.cudaMemGetInfo() < (size_t(8) << 20);
  ok = device.cudaDeviceReset() && ok;
  ok = tensor::report(hipStreamDestroy(cudaStream), "cudaStreamDestroy") && ok;

  const my::Phase phase = my::Phase::cudaRun;
  std::printf("%s (%d)\n", cudaMallocMessage, my_cudaMalloc_calls + (phase == my::Phase::cudaInit));
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
