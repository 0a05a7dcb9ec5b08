// Plain C++ with names that only look like CUDA's: nothing here is a CUDA reference.
#include <cuchar>
#include <vector>

struct Cube { double cut, cubic; };
struct Pool { void cudaMalloc(int); void *cudaPtr = nullptr; };
namespace my { void cudaFree(void *) {} }
int cudaSuccessCount = 0;

int shifts(int a, int b) { return a << 3 >> 1 << b; }

int f(Pool &pool, Pool *other) {
  pool.cudaMalloc(1);
  other->cudaMalloc(2);
  my::cudaFree(pool.cudaPtr);
  const char *text = "cudaMalloc(&p, n); k<<<1, 2>>>(p);";
  const char *raw = R"(#include <cuda_runtime.h> cudaFree)";
  return text[0] + raw[0] + cudaSuccessCount;
}
