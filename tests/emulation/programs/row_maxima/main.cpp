// Host code only, compiled by the host's compiler in the original.
#include <cstdio>
#include <vector>
#include <cuda_runtime_api.h>
#include "maxima.hpp"
template <class T> static int test(int rows, int length, int warps)
{
  int device = 0, warp = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  std::vector<T> in(rows * length), out(rows);
  for (int i = 0; i < rows * length; ++i) in[i] = T((i * 7907) % 6007) - T(6000);
  T *d_in, *d_out;
  cudaMalloc((void **)&d_in, in.size() * sizeof(T));
  cudaMalloc((void **)&d_out, rows * sizeof(T));
  cudaMemcpy(d_in, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice);
  maxima(d_in, rows, length, d_out, warps * warp);
  cudaMemcpy(out.data(), d_out, rows * sizeof(T), cudaMemcpyDeviceToHost);
  int errors = 0;
  for (int r = 0; r < rows; ++r) {
    T want = in[r * length];
    for (int i = 0; i < length; ++i) want = in[r * length + i] > want ? in[r * length + i] : want;
    errors += out[r] != want;
  }
  return errors;
}
int main()
{
  int errors = test<float>(5, 100, 3) + test<long>(3, 40, 1) + test<long>(3, 333, 5);
  printf("errors %d\n", errors);
  return errors != 0;
}
