#pragma once
// Scans and maps over views, generic in the element and the operator.

#include <hip/hip_runtime.h>
#include "tensor/view.cuh"

namespace tensor {

struct Plus {
  template <typename T>
  __host__ __device__ T operator()(T a, T b) const { return a + b; }
  template <typename T>
  __host__ __device__ static constexpr T identity() { return T(0); }
};

struct Max {
  template <typename T>
  __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
  template <typename T>
  __host__ __device__ static constexpr T identity() { return T(-2147483647); }
};

namespace detail {

// Inclusive scan of one block's values in shared memory; needs no more than
// __syncthreads(), so it does not care how wide a warp is.
template <int Block, typename T, typename Op>
__device__ T blockScan(T value, T* scratch, Op op) {
  scratch[threadIdx.x] = value;
  __syncthreads();
#pragma unroll
  for (int reach = 1; reach < Block; reach *= 2) {
    T other = Op::template identity<T>();
    if (threadIdx.x >= reach) other = scratch[threadIdx.x - reach];
    __syncthreads();
    value = op(other, value);
    scratch[threadIdx.x] = value;
    __syncthreads();
  }
  return value;
}

template <int Block, typename T, typename Op>
__global__ void scanTiles(View<const T> in, View<T> out, View<T> tails, Op op) {
  extern __shared__ __align__(16) unsigned char raw[];
  T* scratch = reinterpret_cast<T*>(raw);
  const int i = blockIdx.x * Block + threadIdx.x;
  const T mine = i < in.size ? in[i] : Op::template identity<T>();
  const T scanned = blockScan<Block>(mine, scratch, op);
  if (i < out.size) out[i] = scanned;
  if (threadIdx.x == Block - 1 && !tails.empty()) tails[blockIdx.x] = scanned;
}

// Puts what came before a tile in front of each of its values.
template <typename T, typename Op>
__global__ void addTails(View<T> out, View<const T> tails, Op op, int tile) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + tile;
  if (i < out.size) out[i] = op(tails[i / tile - 1], out[i]);
}

template <typename T, typename F>
__global__ void apply(View<T> view, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < view.size; i += gridDim.x * blockDim.x)
    view[i] = f(view[i]);
}

template <typename T>
View<const T> readOnly(View<T> v) { return {v.data, v.size}; }

}  // namespace detail

/// Inclusive scan of any length; its scratch comes from the device's pool.
template <int Block = 256, typename T, typename Op>
bool inclusiveScan(Device& device, View<T> in, View<T> out, Op op, hipStream_t cudaStream = 0) {
  const int tiles = (in.size + Block - 1) / Block;
  if (tiles == 0) return true;
  View<T> tails{};
  if (tiles > 1) {
    tails = allocate<T>(device, tiles);
    if (!tails.data) return false;
  }
  hipLaunchKernelGGL(HIP_KERNEL_NAME(detail::scanTiles<Block, T, Op>), dim3(tiles), dim3(Block), Block * sizeof(T), cudaStream, detail::readOnly(in), out, tails, op);
  if (!report(hipGetLastError(), "scanTiles")) return false;
  if (tiles > 1) {
    if (!inclusiveScan<Block>(device, tails, tails, op, cudaStream)) return false;
    hipLaunchKernelGGL(detail::addTails, dim3(tiles - 1), dim3(Block), 0, cudaStream, out, detail::readOnly(tails), op, Block);
    if (!report(hipGetLastError(), "addTails")) return false;
    tensor::cudaFree(tails);
  }
  return true;
}

template <typename T, typename F>
bool map(View<T> view, F f, hipStream_t cudaStream = 0) {
  hipLaunchKernelGGL(HIP_KERNEL_NAME(detail::apply<T, F>), dim3(32), dim3(128), 0, cudaStream, view, f);
  return report(hipPeekAtLastError(), "map");
}

}  // namespace tensor
