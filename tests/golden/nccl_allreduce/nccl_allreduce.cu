// Gradient averaging as data-parallel training does it, driven by one process
// through NCCL.  The communicator has a single rank so that it runs anywhere,
// but the code is written for any number of ranks in one process.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <hip/hip_runtime.h>
#include <rccl/rccl.h>

#define CUDACHECK(cmd) do {                                   \
  hipError_t e = cmd;                                        \
  if (e != hipSuccess) {                                     \
    fprintf(stderr, "CUDA failure at line %d: '%s'\n",        \
            __LINE__, hipGetErrorString(e));                 \
    exit(EXIT_FAILURE);                                       \
  }                                                           \
} while (0)

#define NCCLCHECK(cmd) do {                                   \
  ncclResult_t r = cmd;                                       \
  if (r != ncclSuccess) {                                     \
    fprintf(stderr, "NCCL failure at line %d: '%s'\n",        \
            __LINE__, ncclGetErrorString(r));                 \
    exit(EXIT_FAILURE);                                       \
  }                                                           \
} while (0)

constexpr int kRanks = 1;
constexpr int kCount = 1 << 16;

struct Rank {
  int device;
  ncclComm_t comm;
  hipStream_t stream;
  float* gradient;
  float* averaged;
  int* votes;
  double* gathered;
};

// Each rank's share of the gradient; integers keep every sum exact.
__host__ __device__ inline float gradientOf(int rank, int i) {
  return static_cast<float>((i * 13 + rank * 5) % 101 - 50);
}

__global__ void fillGradient(float* g, int rank, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) g[i] = gradientOf(rank, i);
}

int main() {
  std::vector<Rank> ranks(kRanks);
  std::vector<ncclComm_t> comms(kRanks);
  std::vector<int> devices(kRanks);
  for (int r = 0; r < kRanks; ++r) devices[r] = r;

  NCCLCHECK(ncclCommInitAll(comms.data(), kRanks, devices.data()));

  for (int r = 0; r < kRanks; ++r) {
    Rank& k = ranks[r];
    k.device = devices[r];
    k.comm = comms[r];
    int nranks = 0, me = -1;
    NCCLCHECK(ncclCommCount(k.comm, &nranks));
    NCCLCHECK(ncclCommUserRank(k.comm, &me));
    printf("rank %d of %d\n", me, nranks);

    CUDACHECK(hipSetDevice(k.device));
    CUDACHECK(hipStreamCreate(&k.stream));
    CUDACHECK(hipMalloc(&k.gradient, kCount * sizeof(float)));
    CUDACHECK(hipMalloc(&k.averaged, kCount * sizeof(float)));
    CUDACHECK(hipMalloc(&k.votes, sizeof(int)));
    CUDACHECK(hipMalloc(&k.gathered, kRanks * sizeof(double)));
    hipLaunchKernelGGL(fillGradient, dim3((kCount + 255) / 256), dim3(256), 0, k.stream, k.gradient, me, kCount);
    CUDACHECK(hipGetLastError());
    const int vote = 40 + me;
    const double loss = 0.5 * (me + 1);
    CUDACHECK(hipMemcpyAsync(k.votes, &vote, sizeof(vote), hipMemcpyHostToDevice, k.stream));
    CUDACHECK(hipMemcpyAsync(k.gathered + me, &loss, sizeof(loss), hipMemcpyHostToDevice, k.stream));
    CUDACHECK(hipStreamSynchronize(k.stream));
  }

  // One process calls for all ranks, so the calls go into a group.
  NCCLCHECK(ncclGroupStart());
  for (Rank& k : ranks)
    NCCLCHECK(ncclAllReduce(k.gradient, k.averaged, kCount, ncclFloat, ncclSum, k.comm, k.stream));
  NCCLCHECK(ncclGroupEnd());

  NCCLCHECK(ncclGroupStart());
  for (Rank& k : ranks) {
    NCCLCHECK(ncclAllReduce(k.votes, k.votes, 1, ncclInt32, ncclMax, k.comm, k.stream));
    NCCLCHECK(ncclBroadcast(k.gradient, k.gradient, kCount, ncclFloat32, 0, k.comm, k.stream));
    NCCLCHECK(ncclAllGather(k.gathered + k.device, k.gathered, 1, ncclDouble, k.comm, k.stream));
  }
  NCCLCHECK(ncclGroupEnd());

  bool ok = true;
  for (int r = 0; r < kRanks; ++r) {
    Rank& k = ranks[r];
    CUDACHECK(hipSetDevice(k.device));
    CUDACHECK(hipStreamSynchronize(k.stream));
    ncclResult_t asyncError = ncclSuccess;
    NCCLCHECK(ncclCommGetAsyncError(k.comm, &asyncError));
    ok = ok && asyncError == ncclSuccess;

    std::vector<float> sum(kCount), root(kCount);
    int vote = 0;
    double losses[kRanks];
    CUDACHECK(hipMemcpy(sum.data(), k.averaged, kCount * sizeof(float), hipMemcpyDeviceToHost));
    CUDACHECK(hipMemcpy(root.data(), k.gradient, kCount * sizeof(float), hipMemcpyDeviceToHost));
    CUDACHECK(hipMemcpy(&vote, k.votes, sizeof(int), hipMemcpyDeviceToHost));
    CUDACHECK(hipMemcpy(losses, k.gathered, sizeof(losses), hipMemcpyDeviceToHost));

    long checksum = 0;
    int wrong = 0;
    for (int i = 0; i < kCount; ++i) {
      float want = 0;
      for (int q = 0; q < kRanks; ++q) want += gradientOf(q, i);
      wrong += sum[i] != want || root[i] != gradientOf(0, i);
      checksum += static_cast<long>(sum[i]) * (i % 3 + 1);
    }
    ok = ok && wrong == 0 && vote == 40 + kRanks - 1;
    for (int q = 0; q < kRanks; ++q) ok = ok && losses[q] == 0.5 * (q + 1);
    printf("rank %d: %d values checksum %ld wrong %d vote %d\n", r, kCount, checksum, wrong, vote);

    CUDACHECK(hipFree(k.gradient));
    CUDACHECK(hipFree(k.averaged));
    CUDACHECK(hipFree(k.votes));
    CUDACHECK(hipFree(k.gathered));
    CUDACHECK(hipStreamDestroy(k.stream));
    NCCLCHECK(ncclCommDestroy(k.comm));
  }
  printf("%s\n", ok ? "PASS" : "FAIL");
  return ok ? 0 : 1;
}
