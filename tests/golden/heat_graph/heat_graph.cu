// 1D heat equation; a fixed number of time steps is captured once into a
// CUDA graph, which is then launched many times.
#include <hip/hip_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

template <class... Context>
void guard(hipError_t status, const char *format, Context... context) {
    if (status != hipSuccess) {
        std::fprintf(stderr, format, context...);
        std::fprintf(stderr, ": %s\n", hipGetErrorString(status));
        std::exit(1);
    }
}

// Owns a stream; not copyable.
class Stream {
public:
    Stream() { guard(hipStreamCreateWithFlags(&handle_, hipStreamNonBlocking), "stream creation"); }
    ~Stream() { hipStreamDestroy(handle_); }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;
    operator hipStream_t() const { return handle_; }
    void sync() const { guard(hipStreamSynchronize(handle_), "stream sync"); }

private:
    hipStream_t handle_ = nullptr;
};

class StepGraph {
public:
    // Records what `work` puts into the stream.
    template <class Work>
    StepGraph(hipStream_t stream, Work &&work) {
        guard(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), "begin capture");
        work(stream);
        guard(hipStreamEndCapture(stream, &graph_), "end capture");
        guard(hipGraphInstantiateWithFlags(&exec_, graph_, 0), "instantiate");
    }
    ~StepGraph() {
        hipGraphExecDestroy(exec_);
        hipGraphDestroy(graph_);
    }
    StepGraph(const StepGraph &) = delete;
    StepGraph &operator=(const StepGraph &) = delete;

    std::size_t nodes() const {
        std::size_t count = 0;
        guard(hipGraphGetNodes(graph_, nullptr, &count), "node count");
        return count;
    }
    void launch(hipStream_t stream) const { guard(hipGraphLaunch(exec_, stream), "graph launch"); }

private:
    hipGraph_t graph_ = nullptr;
    hipGraphExec_t exec_ = nullptr;
};

// u_i' = u_i / 2 + (u_{i-1} + u_{i+1}) / 4 with fixed ends.
__global__ void heat_step(const float *__restrict__ u, float *__restrict__ next, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (i == 0 || i == n - 1)
        next[i] = u[i];
    else
        next[i] = 0.5f * u[i] + 0.25f * (u[i - 1] + u[i + 1]);
}

__global__ void count_launch(int *counter) { *counter += 1; }

}  // namespace

int main() {
    constexpr int n = 5000;
    constexpr int steps_per_graph = 10;  // even, so that the result is back in d_u
    constexpr int launches = 20;
    constexpr int block = 256;

    std::vector<float> u(n), next(n), result(n);
    for (int i = 0; i < n; ++i) u[i] = (i / 100) % 2 ? 96.0f : 32.0f;

    float *d_u = nullptr, *d_next = nullptr;
    int *d_counter = nullptr;
    guard(hipMalloc(&d_u, n * sizeof(float)), "allocating %d floats", n);
    guard(hipMalloc(&d_next, n * sizeof(float)), "allocating %d floats", n);
    guard(hipMalloc(&d_counter, sizeof(int)), "allocating the counter");
    guard(hipMemset(d_counter, 0, sizeof(int)), "clearing the counter");
    guard(hipMemcpy(d_u, u.data(), n * sizeof(float), hipMemcpyHostToDevice), "upload");
    guard(hipDeviceSynchronize(), "sync after upload");

    int counter = 0;
    std::size_t nodes = 0;
    {
        Stream stream;
        StepGraph graph(stream, [&](hipStream_t s) {
            float *from = d_u, *to = d_next;
            for (int i = 0; i < steps_per_graph; ++i) {
                hipLaunchKernelGGL(heat_step, dim3((n + block - 1) / block), dim3(block), 0, s, from, to, n);
                float *t = from;
                from = to;
                to = t;
            }
            hipLaunchKernelGGL(count_launch, dim3(1), dim3(1), 0, s, d_counter);
        });
        guard(hipGetLastError(), "capture");

        nodes = graph.nodes();
        for (int i = 0; i < launches; ++i) graph.launch(stream);
        guard(hipMemcpyAsync(result.data(), d_u, n * sizeof(float), hipMemcpyDeviceToHost, stream), "download");
        guard(hipMemcpyAsync(&counter, d_counter, sizeof(int), hipMemcpyDeviceToHost, stream), "download");
        stream.sync();
    }

    for (int s = 0; s < steps_per_graph * launches; ++s) {
        next[0] = u[0];
        next[n - 1] = u[n - 1];
        for (int i = 1; i < n - 1; ++i) next[i] = 0.5f * u[i] + 0.25f * (u[i - 1] + u[i + 1]);
        u.swap(next);
    }

    int wrong = 0;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        wrong += u[i] != result[i];
        sum += result[i];
    }
    guard(hipFree(d_u), "free");
    guard(hipFree(d_next), "free");
    guard(hipFree(d_counter), "free");

    std::printf("points %d, graph nodes %zu, graph launches %d\n", n, nodes, counter);
    std::printf("sum %.0f, wrong points %d\n", sum, wrong);
    const bool ok = wrong == 0 && counter == launches && nodes == steps_per_graph + 1;
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
