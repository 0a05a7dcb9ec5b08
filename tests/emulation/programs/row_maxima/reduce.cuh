#ifndef REDUCE_CUH
#define REDUCE_CUH
#ifndef WARP_THREADS
#define WARP_THREADS 32
#endif
#define WARPS_IN(threads) (((threads) + WARP_THREADS - 1) / WARP_THREADS)
template <class T, class F>
static __device__ __forceinline__ T reduce_in_warp(T v, F f, unsigned members = 0xffffffff)
{
  for (int mask = WARP_THREADS >> 1; mask; mask >>= 1)
    v = f(v, __shfl_xor_sync(members, v, mask));
  return v;
}
struct Larger { template <class T> __device__ T operator()(T a, T b) const { return a < b ? b : a; } };
#endif
