#include "reduce.cuh"
#include "maxima.hpp"
extern __shared__ unsigned char raw[];

template <class T> __global__ void maxima_kernel(const T *in, int length, T *out)
{
  T *warps = reinterpret_cast<T *>(raw);
  T best = in[blockIdx.x * length];
  for (int i = threadIdx.x; i < length; i += blockDim.x)
    best = Larger()(best, in[blockIdx.x * length + i]);
  best = reduce_in_warp(best, Larger());
  if (threadIdx.x % WARP_THREADS == 0) warps[threadIdx.x / WARP_THREADS] = best;
  __syncthreads();
  if (threadIdx.x < WARP_THREADS) {
    best = warps[threadIdx.x < WARPS_IN(blockDim.x) ? threadIdx.x : 0];
    best = reduce_in_warp(best, Larger());
    if (!threadIdx.x) out[blockIdx.x] = best;
  }
}
template <class T> void maxima(const T *in, int rows, int length, T *out, int threads)
{
  maxima_kernel<T><<<rows, threads, WARPS_IN(threads) * sizeof(T)>>>(in, length, out);
}
template void maxima<float>(const float *, int, int, float *, int);
template void maxima<long>(const long *, int, int, long *, int);
