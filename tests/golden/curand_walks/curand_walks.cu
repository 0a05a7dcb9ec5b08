// Random walks and pi from cuRAND's device generators, summed by warps; the statistics are checked, not the draws.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <hiprand/hiprand_kernel.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CALL(x) do { if ((x) != hipSuccess) { std::printf("Error at %s:%d\n", __FILE__, __LINE__); return EXIT_FAILURE; } } while (0)

__device__ unsigned long long warpReduce(unsigned long long v) {
  for (int offset = 32 / 2; offset > 0; offset /= 2) v += __shfl_down(v, offset, 32);
  return v;
}

__global__ void setup_kernel(hiprandState *state, unsigned long long seed) {
  const int id = threadIdx.x + blockIdx.x * blockDim.x;
  hiprand_init(seed, id, 0, &state[id]);
}

__global__ void inside_circle(hiprandState *state, int draws, unsigned long long *inside) {
  const int id = threadIdx.x + blockIdx.x * blockDim.x;
  hiprandState local = state[id];
  unsigned long long mine = 0;
  for (int i = 0; i < draws; ++i) {
    const float x = hiprand_uniform(&local), y = hiprand_uniform(&local);
    mine += x * x + y * y <= 1.0f;
  }
  state[id] = local;
  mine = warpReduce(mine);
  if ((threadIdx.x & (32 - 1)) == 0) atomicAdd(inside, mine);
}

// Philox gives four at a time
__global__ void walks(double *sum, double *squares, int steps, unsigned long long seed) {
  hiprandStatePhilox4_32_10_t state;
  const int id = threadIdx.x + blockIdx.x * blockDim.x;
  hiprand_init(seed, id, 0, &state);
  double at = 0.0;
  for (int s = 0; s < steps; s += 4) {
    const float4 n = hiprand_normal4(&state);
    at += static_cast<double>(n.x) + n.y + n.z + n.w;
  }
  atomicAdd(sum, at);
  atomicAdd(squares, at * at);
}

__global__ void dice(unsigned int *faces, int throws, unsigned long long seed) {
  hiprandState_t state;
  hiprand_init(seed, blockIdx.x * blockDim.x + threadIdx.x, 10, &state);
  for (int t = 0; t < throws; ++t) {
    const unsigned face = hiprand(&state) % 6u;
    const unsigned peers = hipify::warp32::match_any_sync(hipify::warp32::activemask(), face);
    if (static_cast<int>(threadIdx.x % 32) == __ffs(peers) - 1) atomicAdd(&faces[face], __popc(peers));
  }
}

int main() {
  const int blocks = 64, threads = 128, count = blocks * threads, draws = 2000;
  hiprandState *states;
  unsigned long long *d_inside, inside = 0;
  double *d_moments, moments[2];
  unsigned *d_faces, faces[6];
  CUDA_CALL(hipMalloc(&states, count * sizeof(hiprandState)));
  CUDA_CALL(hipMalloc(&d_inside, sizeof inside));
  CUDA_CALL(hipMalloc(&d_moments, sizeof moments));
  CUDA_CALL(hipMalloc(&d_faces, sizeof faces));
  CUDA_CALL(hipMemset(d_inside, 0, sizeof inside));
  CUDA_CALL(hipMemset(d_moments, 0, sizeof moments));
  CUDA_CALL(hipMemset(d_faces, 0, sizeof faces));

  hipLaunchKernelGGL(setup_kernel, dim3(blocks), dim3(threads), 0, 0, states, 1234ULL);
  hipLaunchKernelGGL(inside_circle, dim3(blocks), dim3(threads), 0, 0, states, draws, d_inside);
  hipLaunchKernelGGL(walks, dim3(blocks), dim3(threads), 0, 0, d_moments, d_moments + 1, 64, 99ULL);
  hipLaunchKernelGGL(dice, dim3(blocks), dim3(threads), 0, 0, d_faces, 60, 7ULL);
  CUDA_CALL(hipGetLastError());
  CUDA_CALL(hipMemcpy(&inside, d_inside, sizeof inside, hipMemcpyDeviceToHost));
  CUDA_CALL(hipMemcpy(moments, d_moments, sizeof moments, hipMemcpyDeviceToHost));
  CUDA_CALL(hipMemcpy(faces, d_faces, sizeof faces, hipMemcpyDeviceToHost));

  const double total = static_cast<double>(count) * draws;
  const double pi = 4.0 * inside / total;
  const bool circle = std::fabs(pi - 3.14159265) < 0.003;
  // the mean of a walk of 64 steps is 0 with a deviation of 8, its square's mean is 64
  const double mean = moments[0] / count, square = moments[1] / count;
  const bool walked = std::fabs(mean) < 0.6 && std::fabs(square - 64.0) < 6.0;
  unsigned thrown = 0;
  bool fair = true;
  for (unsigned f : faces) {
    thrown += f;
    fair = fair && std::fabs(f - count * 10.0) < 5.0 * std::sqrt(count * 10.0);
  }
  std::printf("pi to two places: %s\nwalks: %s\ndice: %u throws, %s\n", circle ? "yes" : "no", walked ? "as expected" : "off", thrown,
              fair ? "fair" : "loaded");
  CUDA_CALL(hipFree(states));
  CUDA_CALL(hipFree(d_inside));
  CUDA_CALL(hipFree(d_moments));
  CUDA_CALL(hipFree(d_faces));
  const bool ok = circle && walked && fair && thrown == count * 60u;
  std::puts(ok ? "PASS" : "FAIL");
  return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
