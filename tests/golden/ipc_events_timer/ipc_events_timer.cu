// A stopwatch made of events: times work on streams of different priority,
// polls for its end, and orders streams after each other.  Times differ from
// run to run, so only that they are not negative is printed.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include <hip/hip_runtime.h>

#define CK(x)                                                                                   \
    do {                                                                                        \
        if (auto e_ = (x); e_ != hipSuccess) {                                                 \
            std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, hipGetErrorString(e_));     \
            std::exit(1);                                                                       \
        }                                                                                       \
    } while (0)

class Event
{
public:
    explicit Event(unsigned flags = hipEventDefault) { CK(hipEventCreateWithFlags(&event_, flags)); }
    Event(Event &&other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    Event(const Event &) = delete;
    ~Event()
    {
        if (event_) hipEventDestroy(event_);
    }

    void record(hipStream_t s) { CK(hipEventRecord(event_, s)); }
    void wait() const { CK(hipEventSynchronize(event_)); }
    bool reached() const
    {
        const hipError_t state = hipEventQuery(event_);
        if (state == hipErrorNotReady) return false;
        CK(state);
        return true;
    }
    hipEvent_t get() const { return event_; }

private:
    hipEvent_t event_ = nullptr;
};

class Stopwatch
{
public:
    explicit Stopwatch(hipStream_t s) : stream_(s) {}
    void start() { begin_.record(stream_); }
    float stop()
    {
        end_.record(stream_);
        end_.wait();
        float ms = -1.0f;
        CK(hipEventElapsedTime(&ms, begin_.get(), end_.get()));
        return ms;
    }

private:
    hipStream_t stream_;
    Event begin_, end_{hipEventBlockingSync};
};

// Another process could wait for the event through this handle; never called.
bool shareEvent(const Event &event, hipIpcEventHandle_t *handle)
{
    return hipIpcGetEventHandle(handle, event.get()) == hipSuccess;
}

// Steps a Collatz walk from each start, and adds up how long the walks are.
__global__ void walkLengths(unsigned long long first, int n, unsigned long long *total)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned long long v = first + i, steps = 0;
    while (v != 1) {
        v = v % 2 ? 3 * v + 1 : v / 2;
        ++steps;
    }
    atomicAdd(total, steps);
}

static unsigned long long reference(unsigned long long first, int n)
{
    unsigned long long steps = 0;
    for (int i = 0; i < n; ++i)
        for (unsigned long long v = first + i; v != 1; ++steps) v = v % 2 ? 3 * v + 1 : v / 2;
    return steps;
}

int main()
{
    const int n = 100000, streams = 3;

    int least = 0, greatest = 0;
    CK(hipDeviceGetStreamPriorityRange(&least, &greatest));
    bool ok = greatest <= least;  // smaller numbers come first

    std::vector<hipStream_t> stream(streams);
    for (int s = 0; s < streams; ++s)
        CK(hipStreamCreateWithPriority(&stream[s], hipStreamNonBlocking, s == 0 ? greatest : least));
    int priority = 1;
    CK(hipStreamGetPriority(stream[0], &priority));
    ok = ok && priority == greatest;

    unsigned long long *totals;
    CK(hipMalloc(&totals, streams * sizeof(*totals)));
    CK(hipMemset(totals, 0, streams * sizeof(*totals)));
    CK(hipDeviceSynchronize());

    // Every stream waits for the one before it.
    std::vector<Event> finished;
    for (int s = 0; s < streams; ++s) finished.emplace_back(hipEventDisableTiming);
    Stopwatch whole(stream[streams - 1]);
    whole.start();
    for (int s = 0; s < streams; ++s) {
        if (s > 0) CK(hipStreamWaitEvent(stream[s], finished[s - 1].get(), 0));
        hipLaunchKernelGGL(walkLengths, dim3((n + 127) / 128), dim3(128), 0, stream[s], 1 + (unsigned long long)s * n, n, totals + s);
        CK(hipGetLastError());
        finished[s].record(stream[s]);
    }

    // Polls instead of blocking; the host could do something useful here.
    while (!finished[streams - 1].reached()) std::this_thread::sleep_for(std::chrono::microseconds(50));
    for (int s = 0; s < streams; ++s) {
        const hipError_t idle = hipStreamQuery(stream[s]);
        ok = ok && idle == hipSuccess && finished[s].reached();
    }
    const float elapsed = whole.stop();
    std::printf("elapsed %s\n", elapsed >= 0.0f ? "not negative" : "negative");
    ok = ok && elapsed >= 0.0f;

    std::vector<unsigned long long> got(streams);
    CK(hipMemcpy(got.data(), totals, streams * sizeof(*totals), hipMemcpyDeviceToHost));
    for (int s = 0; s < streams; ++s) {
        std::printf("stream %d: %llu steps\n", s, got[s]);
        ok = ok && got[s] == reference(1 + (unsigned long long)s * n, n);
        CK(hipStreamDestroy(stream[s]));
    }
    CK(hipFree(totals));
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
