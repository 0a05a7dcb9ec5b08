// A lock that one thread of a block takes, with a growing pause; and a barrier of blocks built by hand.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

class DeviceLock {
 public:
  __device__ void lock() {
    unsigned ns = 8;
    while (atomicCAS(&taken_, 0, 1) != 0) {
#if defined(__HIP_DEVICE_COMPILE__)
      __builtin_amdgcn_s_sleep(1);
#endif
      if (ns < 256) ns *= 2;
    }
    __threadfence();
  }

  __device__ void unlock() {
    __threadfence();
    atomicExch(&taken_, 0);
  }

 private:
  int taken_;
};

struct Account { int balance, transactions; long long checksum; };

// Every block books several entries; the order of blocks does not change the result.
__global__ void book(DeviceLock *lock, volatile Account *account, const int *entries, int perBlock) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (int k = threadIdx.x; k < perBlock; k += blockDim.x) atomicAdd(&sum, entries[blockIdx.x * perBlock + k]);
  __syncthreads();
  if (threadIdx.x == 0) {
    lock->lock();
    account->balance = account->balance + sum;
    account->transactions = account->transactions + 1;
    account->checksum = account->checksum + (long long)sum * sum;
    lock->unlock();
  }
}

// All blocks of the grid meet here; the grid is small enough to be resident.
__device__ void meet(unsigned *arrived, unsigned expected) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1u);
    while (atomicAdd(arrived, 0u) < expected) __builtin_amdgcn_s_sleep(1);
    __threadfence();
  }
  __syncthreads();
}

__global__ void two_phases(int *a, int *b, unsigned *arrived) {
  const int n = gridDim.x * blockDim.x, i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = i * 7 % n;
  meet(arrived, gridDim.x);
  b[i] = ((volatile int *)a)[n - 1 - i];
  meet(arrived, 2 * gridDim.x);
  a[i] = ((volatile int *)b)[(i + 1) % n] + 1;
}

static void check(hipError_t e, const char *what) {
  if (e != hipSuccess) {
    std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(e));
    std::exit(1);
  }
}

int main() {
  const int blocks = 300, perBlock = 100;
  std::vector<int> entries(blocks * perBlock);
  Account want = {0, blocks, 0}, got;
  for (int b = 0; b < blocks; ++b) {
    int sum = 0;
    for (int k = 0; k < perBlock; ++k) sum += entries[b * perBlock + k] = (b * 31 + k * 17) % 201 - 100;
    want.balance += sum;
    want.checksum += (long long)sum * sum;
  }
  int *d_entries;
  DeviceLock *d_lock;
  Account *d_account;
  check(hipMalloc(&d_entries, entries.size() * sizeof(int)), "entries");
  check(hipMalloc(&d_lock, sizeof(DeviceLock)), "lock");
  check(hipMalloc(&d_account, sizeof(Account)), "account");
  check(hipMemset(d_lock, 0, sizeof(DeviceLock)), "clear lock");
  check(hipMemset(d_account, 0, sizeof(Account)), "clear account");
  check(hipMemcpy(d_entries, entries.data(), entries.size() * sizeof(int), hipMemcpyHostToDevice), "copy");
  hipLaunchKernelGGL(book, dim3(blocks), dim3(64), 0, 0, d_lock, d_account, d_entries, perBlock);
  check(hipGetLastError(), "book");
  check(hipMemcpy(&got, d_account, sizeof got, hipMemcpyDeviceToHost), "copy back");
  int wrong = got.balance != want.balance || got.transactions != want.transactions || got.checksum != want.checksum;
  std::printf("balance %d after %d transactions, checksum %lld\n", got.balance, got.transactions, got.checksum);

  const int grid = 16, threads = 128, n = grid * threads;
  int *d_a, *d_b;
  unsigned *d_arrived;
  std::vector<int> a(n);
  check(hipMalloc(&d_a, n * sizeof(int)), "a");
  check(hipMalloc(&d_b, n * sizeof(int)), "b");
  check(hipMalloc(&d_arrived, sizeof(unsigned)), "arrived");
  check(hipMemset(d_arrived, 0, sizeof(unsigned)), "clear");
  hipLaunchKernelGGL(two_phases, dim3(grid), dim3(threads), 0, 0, d_a, d_b, d_arrived);
  check(hipGetLastError(), "two_phases");
  check(hipMemcpy(a.data(), d_a, n * sizeof(int), hipMemcpyDeviceToHost), "copy back");
  int misplaced = 0;
  for (int i = 0; i < n; ++i) misplaced += a[i] != (n - 1 - (i + 1) % n) * 7 % n + 1;
  std::printf("phases: wrong %d\n", misplaced);

  for (void *p : {(void *)d_entries, (void *)d_lock, (void *)d_account, (void *)d_a, (void *)d_b, (void *)d_arrived}) check(hipFree(p), "free");
  std::puts(wrong || misplaced ? "FAIL" : "PASS");
  return wrong || misplaced;
}
