// Device symbols of every kind: copied to and from as a whole and with an
// offset, by address, asynchronously, as scalars, arrays and structs.
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE 6
#define SLOTS 256

typedef struct {
  int   shift;
  float gain;
  int   window[4];
} Settings;

__constant__ float c_poly[DEGREE + 1];
__constant__ Settings c_settings;
__device__ int d_table[SLOTS];
__device__ unsigned int d_counter = 7;
static __device__ double d_result;

namespace filter {
__constant__ int taps[3] = {1, 2, 1};
__device__ int history[2][8];
}  // namespace filter

#define SAFE(call)                                                         \
  {                                                                        \
    const hipError_t error = call;                                        \
    if (error != hipSuccess) {                                            \
      fprintf(stderr, "Error: %s:%d, ", __FILE__, __LINE__);               \
      fprintf(stderr, "%s, %s\n", hipGetErrorName(error), hipGetErrorString(error)); \
      exit(1);                                                             \
    }                                                                      \
  }

// Horner's rule with the constant coefficients; one thread.
__global__ void eval_poly(float x) {
  double sum = 0.0;
  for (int k = DEGREE; k >= 0; --k) sum = sum * x + c_poly[k];
  d_result = sum;
}

__global__ void use_table(void) {
  const int i = threadIdx.x;
  d_table[i] = d_table[i] * 2 + c_settings.shift + c_settings.window[i % 4];
  atomicAdd(&d_counter, 1u);
}

__global__ void convolve(void) {
  const int i = threadIdx.x;
  int sum = 0;
  for (int k = -1; k <= 1; ++k)
    if (i + k >= 0 && i + k < 8) sum += filter::taps[k + 1] * filter::history[0][i + k];
  filter::history[1][i] = sum;
}

static int failures = 0;

static void expect_int(const char* what, long got, long want) {
  printf("%s: %ld\n", what, got);
  if (got != want) {
    fprintf(stderr, "  %s: expected %ld\n", what, want);
    ++failures;
  }
}

int main(void) {
  size_t size = 0;

  /* Whole array, then one element through an offset. */
  float poly[DEGREE + 1] = {1.0f, 0.0f, -2.0f, 0.5f, 0.0f, 0.0f, 0.25f};
  const float replaced = 3.0f;
  SAFE(hipMemcpyToSymbol(HIP_SYMBOL(c_poly), poly, sizeof(poly)));
  SAFE(hipMemcpyToSymbol(HIP_SYMBOL(c_poly), &replaced, sizeof(float), 4 * sizeof(float), hipMemcpyHostToDevice));
  hipLaunchKernelGGL(eval_poly, dim3(1), dim3(1), 0, 0, 2.0f);
  SAFE(hipGetLastError());
  double result = 0.0;
  SAFE(hipMemcpyFromSymbol(&result, HIP_SYMBOL(d_result), sizeof(result)));
  /* 1 - 2*4 + 0.5*8 + 3*16 + 0.25*64 */
  expect_int("polynomial", (long)result, 61);

  /* A struct, and a table written through its address. */
  Settings settings = {10, 1.5f, {100, 200, 300, 400}};
  SAFE(hipMemcpyToSymbol(HIP_SYMBOL(c_settings), &settings, sizeof settings));

  int table[SLOTS];
  for (int i = 0; i < SLOTS; ++i) table[i] = i;
  void* address = NULL;
  SAFE(hipGetSymbolAddress(&address, HIP_SYMBOL(d_table)));
  SAFE(hipGetSymbolSize(&size, HIP_SYMBOL(d_table)));
  expect_int("table bytes", (long)size, (long)sizeof(table));
  SAFE(hipMemcpy(address, table, size, hipMemcpyHostToDevice));
  hipLaunchKernelGGL(use_table, dim3(1), dim3(SLOTS), 0, 0);
  SAFE(hipGetLastError());

  int half[SLOTS / 2];
  SAFE(hipMemcpyFromSymbol(half, HIP_SYMBOL(d_table), sizeof(half), (SLOTS / 2) * sizeof(int)));
  long sum = 0, want = 0;
  for (int i = 0; i < SLOTS / 2; ++i) {
    sum += half[i];
    want += 2 * (i + SLOTS / 2) + settings.shift + settings.window[i % 4];
  }
  expect_int("upper half of the table", sum, want);

  /* A scalar that has an initial value. */
  unsigned int counter = 0;
  SAFE(hipMemcpyFromSymbol(&counter, HIP_SYMBOL(d_counter), sizeof(counter), 0, hipMemcpyDeviceToHost));
  expect_int("counter", (long)counter, 7 + SLOTS);

  /* Symbols in a namespace, asynchronously, on a stream of their own. */
  hipStream_t stream;
  SAFE(hipStreamCreate(&stream));
  int history[8] = {0, 0, 1, 5, 1, 0, 0, 2}, smoothed[8];
  SAFE(hipMemcpyToSymbolAsync(HIP_SYMBOL(filter::history), history, sizeof(history), 0, hipMemcpyHostToDevice, stream));
  hipLaunchKernelGGL(convolve, dim3(1), dim3(8), 0, stream);
  SAFE(hipGetLastError());
  SAFE(hipMemcpyFromSymbolAsync(smoothed, HIP_SYMBOL(filter::history), sizeof(smoothed), sizeof(history),
                                 hipMemcpyDeviceToHost, stream));
  SAFE(hipStreamSynchronize(stream));
  SAFE(hipStreamDestroy(stream));
  const int expected[8] = {0, 1, 7, 12, 7, 1, 2, 4};
  expect_int("smoothed values that differ", memcmp(smoothed, expected, sizeof(expected)) != 0, 0);

  SAFE(hipGetSymbolSize(&size, HIP_SYMBOL(filter::taps)));
  expect_int("taps bytes", (long)size, 3 * (long)sizeof(int));
  SAFE(hipGetSymbolSize(&size, HIP_SYMBOL(c_settings)));
  expect_int("settings bytes", (long)size, (long)sizeof(Settings));

  puts(failures == 0 ? "PASS" : "FAIL");
  return failures == 0 ? 0 : 1;
}
