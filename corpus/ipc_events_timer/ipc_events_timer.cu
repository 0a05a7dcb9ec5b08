// A stopwatch made of events: times work on streams of different priority,
// polls for its end, and orders streams after each other.  Times differ from
// run to run, so only that they are not negative is printed.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#define CK(x)                                                                                   \
    do {                                                                                        \
        if (auto e_ = (x); e_ != cudaSuccess) {                                                 \
            std::fprintf(stderr, "%s:%d %s\n", __FILE__, __LINE__, cudaGetErrorString(e_));     \
            std::exit(1);                                                                       \
        }                                                                                       \
    } while (0)

class Event
{
public:
    explicit Event(unsigned flags = cudaEventDefault) { CK(cudaEventCreateWithFlags(&event_, flags)); }
    Event(Event &&other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
    Event(const Event &) = delete;
    ~Event()
    {
        if (event_) cudaEventDestroy(event_);
    }

    void record(cudaStream_t s) { CK(cudaEventRecord(event_, s)); }
    void wait() const { CK(cudaEventSynchronize(event_)); }
    bool reached() const
    {
        const cudaError_t state = cudaEventQuery(event_);
        if (state == cudaErrorNotReady) return false;
        CK(state);
        return true;
    }
    cudaEvent_t get() const { return event_; }

private:
    cudaEvent_t event_ = nullptr;
};

class Stopwatch
{
public:
    explicit Stopwatch(cudaStream_t s) : stream_(s) {}
    void start() { begin_.record(stream_); }
    float stop()
    {
        end_.record(stream_);
        end_.wait();
        float ms = -1.0f;
        CK(cudaEventElapsedTime(&ms, begin_.get(), end_.get()));
        return ms;
    }

private:
    cudaStream_t stream_;
    Event begin_, end_{cudaEventBlockingSync};
};

// Another process could wait for the event through this handle; never called.
bool shareEvent(const Event &event, cudaIpcEventHandle_t *handle)
{
    return cudaIpcGetEventHandle(handle, event.get()) == cudaSuccess;
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
    CK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    bool ok = greatest <= least;  // smaller numbers come first

    std::vector<cudaStream_t> stream(streams);
    for (int s = 0; s < streams; ++s)
        CK(cudaStreamCreateWithPriority(&stream[s], cudaStreamNonBlocking, s == 0 ? greatest : least));
    int priority = 1;
    CK(cudaStreamGetPriority(stream[0], &priority));
    ok = ok && priority == greatest;

    unsigned long long *totals;
    CK(cudaMalloc(&totals, streams * sizeof(*totals)));
    CK(cudaMemset(totals, 0, streams * sizeof(*totals)));
    CK(cudaDeviceSynchronize());

    // Every stream waits for the one before it.
    std::vector<Event> finished;
    for (int s = 0; s < streams; ++s) finished.emplace_back(cudaEventDisableTiming);
    Stopwatch whole(stream[streams - 1]);
    whole.start();
    for (int s = 0; s < streams; ++s) {
        if (s > 0) CK(cudaStreamWaitEvent(stream[s], finished[s - 1].get(), 0));
        walkLengths<<<(n + 127) / 128, 128, 0, stream[s]>>>(1 + (unsigned long long)s * n, n, totals + s);
        CK(cudaGetLastError());
        finished[s].record(stream[s]);
    }

    // Polls instead of blocking; the host could do something useful here.
    while (!finished[streams - 1].reached()) std::this_thread::sleep_for(std::chrono::microseconds(50));
    for (int s = 0; s < streams; ++s) {
        const cudaError_t idle = cudaStreamQuery(stream[s]);
        ok = ok && idle == cudaSuccess && finished[s].reached();
    }
    const float elapsed = whole.stop();
    std::printf("elapsed %s\n", elapsed >= 0.0f ? "not negative" : "negative");
    ok = ok && elapsed >= 0.0f;

    std::vector<unsigned long long> got(streams);
    CK(cudaMemcpy(got.data(), totals, streams * sizeof(*totals), cudaMemcpyDeviceToHost));
    for (int s = 0; s < streams; ++s) {
        std::printf("stream %d: %llu steps\n", s, got[s]);
        ok = ok && got[s] == reference(1 + (unsigned long long)s * n, n);
        CK(cudaStreamDestroy(stream[s]));
    }
    CK(cudaFree(totals));
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
