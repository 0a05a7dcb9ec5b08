// Monte Carlo estimates with the device-side random number API: the area of
// a quarter disc, and the mean and variance of a normal distribution. The
// checks are tolerances of many standard deviations, so that any correct
// generator passes.
#include <hip/hip_runtime.h>
#include <hiprand/hiprand_kernel.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static const int kBlocks = 64;
static const int kThreads = 128;
static const int kSamplesPerThread = 400;
static const unsigned long long kSeed = 20240607ULL;

bool Succeeded(hipError_t error, const char *expression)
{
   if (error == hipSuccess) return true;
   std::fprintf(stderr, "%s: %s\n", expression, hipGetErrorString(error));
   return false;
}

#define RETURN_IF_FAILED(expression) \
   if (!Succeeded(expression, #expression)) return 1

// One generator per thread; the thread index is the subsequence.
__global__ void SetupStates(hiprandState *states, unsigned long long seed)
{
   const int id = blockIdx.x * blockDim.x + threadIdx.x;
   hiprand_init(seed, id, 0, &states[id]);
}

__global__ void CountInside(hiprandState *states, unsigned int *inside, int samples)
{
   const int id = blockIdx.x * blockDim.x + threadIdx.x;
   hiprandState local = states[id];
   unsigned int hits = 0;
   for (int i = 0; i < samples; ++i)
   {
      const float x = hiprand_uniform(&local);
      const float y = hiprand_uniform(&local);
      if (x * x + y * y <= 1.0f) ++hits;
   }
   states[id] = local;
   inside[id] = hits;
}

__global__ void NormalMoments(hiprandState *states, double *sum, double *sum_of_squares, int samples)
{
   const int id = blockIdx.x * blockDim.x + threadIdx.x;
   hiprandState local = states[id];
   double s = 0.0, q = 0.0;
   for (int i = 0; i < samples; ++i)
   {
      const double z = hiprand_normal(&local);
      s += z;
      q += z * z;
   }
   states[id] = local;
   sum[id] = s;
   sum_of_squares[id] = q;
}

// The counter-based generator needs no stored state: two runs must agree.
__global__ void PhiloxDigest(unsigned long long seed, unsigned int *digest)
{
   const int id = blockIdx.x * blockDim.x + threadIdx.x;
   hiprandStatePhilox4_32_10_t state;
   hiprand_init(seed, id, 4 * id, &state);
   unsigned int mixed = 0;
   for (int i = 0; i < 8; ++i) mixed = mixed * 31u + hiprand(&state);
   digest[id] = mixed;
}

int main()
{
   const int total_threads = kBlocks * kThreads;
   const double total_samples = double(total_threads) * kSamplesPerThread;

   hiprandState *d_states = nullptr;
   unsigned int *d_words = nullptr;
   double *d_sums = nullptr;
   RETURN_IF_FAILED(hipMalloc(&d_states, total_threads * sizeof(hiprandState)));
   RETURN_IF_FAILED(hipMalloc(&d_words, total_threads * sizeof(unsigned int)));
   RETURN_IF_FAILED(hipMalloc(&d_sums, 2 * total_threads * sizeof(double)));

   hipLaunchKernelGGL(SetupStates, dim3(kBlocks), dim3(kThreads), 0, 0, d_states, kSeed);
   RETURN_IF_FAILED(hipGetLastError());

   // Quarter disc.
   hipLaunchKernelGGL(CountInside, dim3(kBlocks), dim3(kThreads), 0, 0, d_states, d_words, kSamplesPerThread);
   RETURN_IF_FAILED(hipGetLastError());
   std::vector<unsigned int> words(total_threads), again(total_threads);
   RETURN_IF_FAILED(hipMemcpy(words.data(), d_words, total_threads * sizeof(unsigned int), hipMemcpyDeviceToHost));
   double inside = 0;
   for (unsigned int w : words) inside += w;
   const double pi = 4.0 * inside / total_samples;
   const bool pi_ok = std::fabs(pi - 3.14159265358979) < 0.01;

   // Normal numbers.
   hipLaunchKernelGGL(NormalMoments, dim3(kBlocks), dim3(kThreads), 0, 0, d_states, d_sums, d_sums + total_threads, kSamplesPerThread);
   RETURN_IF_FAILED(hipGetLastError());
   std::vector<double> sums(2 * total_threads);
   RETURN_IF_FAILED(hipMemcpy(sums.data(), d_sums, sums.size() * sizeof(double), hipMemcpyDeviceToHost));
   double mean = 0, square = 0;
   for (int i = 0; i < total_threads; ++i)
   {
      mean += sums[i];
      square += sums[total_threads + i];
   }
   mean /= total_samples;
   square /= total_samples;
   const bool mean_ok = std::fabs(mean) < 0.005;
   const bool variance_ok = std::fabs(square - mean * mean - 1.0) < 0.01;

   // Repeatability.
   hipLaunchKernelGGL(PhiloxDigest, dim3(kBlocks), dim3(kThreads), 0, 0, kSeed, d_words);
   RETURN_IF_FAILED(hipMemcpy(words.data(), d_words, total_threads * sizeof(unsigned int), hipMemcpyDeviceToHost));
   hipLaunchKernelGGL(PhiloxDigest, dim3(kBlocks), dim3(kThreads), 0, 0, kSeed, d_words);
   RETURN_IF_FAILED(hipMemcpy(again.data(), d_words, total_threads * sizeof(unsigned int), hipMemcpyDeviceToHost));
   const bool repeatable = words == again && words[0] != words[1];

   RETURN_IF_FAILED(hipFree(d_states));
   RETURN_IF_FAILED(hipFree(d_words));
   RETURN_IF_FAILED(hipFree(d_sums));

   std::printf("samples: %.0f\n", total_samples);
   std::printf("pi within 0.01: %s\n", pi_ok ? "yes" : "no");
   std::printf("mean within 0.005: %s\n", mean_ok ? "yes" : "no");
   std::printf("variance within 0.01: %s\n", variance_ok ? "yes" : "no");
   std::printf("philox repeatable: %s\n", repeatable ? "yes" : "no");
   const bool ok = pi_ok && mean_ok && variance_ok && repeatable;
   std::puts(ok ? "PASS" : "FAIL");
   return ok ? 0 : 1;
}
