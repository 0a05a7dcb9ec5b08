// Walks over the set lanes of a mask: every lane with a task gets the help of its whole warp.
#include <hip/hip_runtime.h>
#include "hipify_support.hpp"
#include <stdio.h>
#include <stdlib.h>

#define NTHREADS 96
#define MAX_LOG 16

#define CALL(x)                                                         \
  {                                                                     \
    hipError_t r = (x);                                                \
    if (r != hipSuccess) {                                             \
      printf("%s:%d %s\n", __FILE__, __LINE__, hipGetErrorString(r));  \
      exit(2);                                                          \
    }                                                                   \
  }

struct Task { int begin, end; };

// Each thread owns a task of very different length; the warp serves them one after the other.
__global__ void serve(const Task *tasks, const int *data, long long *result)
{
  const int lane = threadIdx.x % 32;
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  const Task own = tasks[t];

  unsigned pending = hipify::warp32::ballot_sync(0xffffffff, own.end > own.begin);
  long long mine = 0;
  while (pending) {
    const int owner = __ffs(pending) - 1;
    const int begin = __shfl(own.begin, owner, 32);
    const int end = __shfl(own.end, owner, 32);
    long long sum = 0;
    for (int k = begin + lane; k < end; k += 32)
      sum += (long long)data[k] * (k - begin + 1);
    for (int s = 16; s > 0; s >>= 1)
      sum += __shfl_xor(sum, s, 32);
    if (lane == owner)
      mine = sum;
    pending &= pending - 1;
  }
  result[t] = mine;
}

// Splits the warp by value, round by round, and writes down each group's mask.
__global__ void split(const int *value, unsigned *log, int *rounds)
{
  unsigned todo = hipify::warp32::activemask();
  const int v = value[threadIdx.x];
  int r = 0;
  while (todo != 0) {
    const int first = 31 - __clz(todo);              // from the top this time
    const int chosen = __shfl(v, first, 32);
    const unsigned group = hipify::warp32::ballot_sync(0xffffffff, v == chosen);
    if (threadIdx.x == 0)
      log[r] = group;
    todo &= ~group;
    ++r;
  }
  if (threadIdx.x == 0)
    *rounds = r;
}

int main()
{
  static Task tasks[NTHREADS];
  static int data[40000];
  static long long got[NTHREADS];
  for (int i = 0; i < 40000; ++i)
    data[i] = i % 23 - 11;
  for (int t = 0; t < NTHREADS; ++t) {
    tasks[t].begin = t * 100;
    tasks[t].end = t % 3 ? tasks[t].begin : tasks[t].begin + (t * t * 13) % 3001;
  }

  Task *dTasks; int *dData; long long *dGot;
  CALL(hipMalloc(&dTasks, sizeof tasks));
  CALL(hipMalloc(&dData, sizeof data));
  CALL(hipMalloc(&dGot, sizeof got));
  CALL(hipMemcpy(dTasks, tasks, sizeof tasks, hipMemcpyHostToDevice));
  CALL(hipMemcpy(dData, data, sizeof data, hipMemcpyHostToDevice));
  hipLaunchKernelGGL(serve, dim3(1), dim3(NTHREADS), 0, 0, dTasks, dData, dGot);
  CALL(hipGetLastError());
  CALL(hipMemcpy(got, dGot, sizeof got, hipMemcpyDeviceToHost));

  int wrong = 0;
  long long all = 0;
  for (int t = 0; t < NTHREADS; ++t) {
    long long want = 0;
    for (int k = tasks[t].begin; k < tasks[t].end; ++k)
      want += (long long)data[k] * (k - tasks[t].begin + 1);
    wrong += got[t] != want;
    all += got[t];
  }
  printf("tasks: sum %lld, wrong %d\n", all, wrong);

  int value[32], rounds = 0;
  unsigned log[MAX_LOG], *dLog;
  for (int l = 0; l < 32; ++l)
    value[l] = l * l % 10;
  int *dValue, *dRounds;
  CALL(hipMalloc(&dValue, sizeof value));
  CALL(hipMalloc(&dRounds, sizeof rounds));
  CALL(hipMalloc(&dLog, sizeof log));
  CALL(hipMemcpy(dValue, value, sizeof value, hipMemcpyHostToDevice));
  hipLaunchKernelGGL(split, dim3(1), dim3(32), 0, 0, dValue, dLog, dRounds);
  CALL(hipGetLastError());
  CALL(hipMemcpy(&rounds, dRounds, sizeof rounds, hipMemcpyDeviceToHost));
  CALL(hipMemcpy(log, dLog, sizeof log, hipMemcpyDeviceToHost));

  unsigned seen = 0;
  for (int r = 0; r < rounds && r < MAX_LOG; ++r) {
    printf("group %d: mask 0x%08x\n", r, log[r]);
    unsigned want = 0;
    int top = 31;
    while (seen >> top & 1u)
      --top;
    for (int l = 0; l < 32; ++l)
      if (value[l] == value[top])
        want |= 1u << l;
    wrong += log[r] != want;
    seen |= log[r];
  }
  wrong += seen != 0xffffffffu;

  CALL(hipFree(dTasks)); CALL(hipFree(dData)); CALL(hipFree(dGot));
  CALL(hipFree(dValue)); CALL(hipFree(dRounds)); CALL(hipFree(dLog));
  puts(wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
