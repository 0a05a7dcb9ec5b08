/*
 * A pipeline over four streams: each stream copies its slice in, transforms
 * it and copies it back. Events order a final kernel after all of them.
 */
#include <hip/hip_runtime.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#define NUM_STREAMS 4
#define SLICE       (1 << 18)
#define TOTAL       (NUM_STREAMS * SLICE)

#define check_cuda(ans) check_cuda_impl((ans), __FILE__, __LINE__)

static inline void
check_cuda_impl(hipError_t code, const char *file, int line)
{
    if (code != hipSuccess) {
        fprintf(stderr, "%s:%d %s\n", file, line, hipGetErrorString(code));
        exit(1);
    }
}

struct host_log {
    std::atomic<int> slices;
    std::atomic<int> callback_errors;
};

/* Runs on a host thread once everything before it in the stream is done. */
static void
slice_done(void *user_data)
{
    static_cast<host_log *>(user_data)->slices.fetch_add(1);
}

/* The older interface, which also gets the stream's state. */
static void
all_done(hipStream_t stream, hipError_t status, void *user_data)
{
    (void)stream;
    if (status != hipSuccess)
        static_cast<host_log *>(user_data)->callback_errors.fetch_add(1);
    static_cast<host_log *>(user_data)->slices.fetch_add(100);
}

__global__ void
transform(int *data, int n, int factor, int offset)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        data[i] = data[i] * factor + offset;
}

__global__ void
sum_slices(const int *data, int n, unsigned long long *sum)
{
    __shared__ unsigned long long block_sum;
    if (threadIdx.x == 0)
        block_sum = 0;
    __syncthreads();

    unsigned long long mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        mine += (unsigned long long)data[i];
    atomicAdd(&block_sum, mine);
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAdd(sum, block_sum);
}

int
main(void)
{
    int *host = NULL, *device = NULL;
    unsigned long long *d_sum = NULL, *h_sum = NULL;
    hipStream_t streams[NUM_STREAMS], last;
    hipEvent_t ready[NUM_STREAMS], begin, end;
    static host_log log = { {0}, {0} };

    check_cuda(hipHostMalloc((void **)&host, TOTAL * sizeof(int), hipHostMallocDefault));
    check_cuda(hipHostAlloc((void **)&h_sum, sizeof(*h_sum), hipHostMallocDefault));
    check_cuda(hipMalloc((void **)&device, TOTAL * sizeof(int)));
    check_cuda(hipMalloc((void **)&d_sum, sizeof(*d_sum)));

    unsigned long long expected = 0;
    for (int i = 0; i < TOTAL; i++) {
        host[i] = i % 1013;
        expected += (unsigned long long)(host[i] * (i / SLICE + 2) + 10 * (i / SLICE));
    }

    for (int s = 0; s < NUM_STREAMS; s++) {
        check_cuda(hipStreamCreate(&streams[s]));
        check_cuda(hipEventCreateWithFlags(&ready[s], hipEventDisableTiming));
    }
    check_cuda(hipStreamCreateWithFlags(&last, hipStreamNonBlocking));
    check_cuda(hipEventCreate(&begin));
    check_cuda(hipEventCreate(&end));

    check_cuda(hipMemsetAsync(d_sum, 0, sizeof(*d_sum), last));
    check_cuda(hipEventRecord(begin, last));
    for (int s = 0; s < NUM_STREAMS; s++) {
        int *h = host + s * SLICE;
        int *d = device + s * SLICE;

        check_cuda(hipMemcpyAsync(d, h, SLICE * sizeof(int), hipMemcpyHostToDevice, streams[s]));
        transform<<<64,            /* grid */
                    256,           /* block */
                    0,             /* no dynamic shared memory */
                    streams[s]     /* stream */
                    >>>(d, SLICE, s + 2, 10 * s);
        check_cuda(hipGetLastError());
        check_cuda(hipMemcpyAsync(h, d, SLICE * sizeof(int), hipMemcpyDeviceToHost, streams[s]));
        check_cuda(hipLaunchHostFunc(streams[s], slice_done, &log));
        check_cuda(hipEventRecord(ready[s], streams[s]));
        check_cuda(hipStreamWaitEvent(last, ready[s], 0));
    }

    sum_slices<<<128, 256, 0, last>>>(device, TOTAL, d_sum);
    check_cuda(hipGetLastError());
    check_cuda(hipMemcpyAsync(h_sum, d_sum, sizeof(*h_sum), hipMemcpyDeviceToHost, last));
    check_cuda(hipEventRecord(end, last));
    check_cuda(hipStreamAddCallback(last, all_done, &log, 0));
    check_cuda(hipStreamSynchronize(last));
    check_cuda(hipEventSynchronize(end));

    float elapsed_ms = -1.0f;
    check_cuda(hipEventElapsedTime(&elapsed_ms, begin, end));
    const bool idle = hipStreamQuery(last) == hipSuccess && hipEventQuery(end) == hipSuccess;

    int wrong = 0;
    for (int i = 0; i < TOTAL; i++)
        wrong += host[i] != (i % 1013) * (i / SLICE + 2) + 10 * (i / SLICE);

    const unsigned long long sum = *h_sum;
    for (int s = 0; s < NUM_STREAMS; s++) {
        check_cuda(hipEventDestroy(ready[s]));
        check_cuda(hipStreamDestroy(streams[s]));
    }
    check_cuda(hipEventDestroy(begin));
    check_cuda(hipEventDestroy(end));
    check_cuda(hipStreamDestroy(last));
    check_cuda(hipFree(device));
    check_cuda(hipFree(d_sum));
    check_cuda(hipHostFree(h_sum));
    check_cuda(hipHostFree(host));

    printf("elements %d in %d streams\n", TOTAL, NUM_STREAMS);
    printf("sum %llu, wrong %d\n", sum, wrong);
    printf("host functions: %d, callback errors: %d\n", log.slices.load(), log.callback_errors.load());
    printf("elapsed time is not negative: %s, streams idle: %s\n", elapsed_ms >= 0.0f ? "yes" : "no", idle ? "yes" : "no");

    bool ok = sum == expected && wrong == 0 && log.slices == NUM_STREAMS + 100 &&
              log.callback_errors == 0 && elapsed_ms >= 0.0f && idle;
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
