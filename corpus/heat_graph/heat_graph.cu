// 1D heat equation; a fixed number of time steps is captured once into a
// CUDA graph, which is then launched many times.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

template <class... Context>
void guard(cudaError_t status, const char *format, Context... context) {
    if (status != cudaSuccess) {
        std::fprintf(stderr, format, context...);
        std::fprintf(stderr, ": %s\n", cudaGetErrorString(status));
        std::exit(1);
    }
}

// Owns a stream; not copyable.
class Stream {
public:
    Stream() { guard(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking), "stream creation"); }
    ~Stream() { cudaStreamDestroy(handle_); }
    Stream(const Stream &) = delete;
    Stream &operator=(const Stream &) = delete;
    operator cudaStream_t() const { return handle_; }
    void sync() const { guard(cudaStreamSynchronize(handle_), "stream sync"); }

private:
    cudaStream_t handle_ = nullptr;
};

class StepGraph {
public:
    // Records what `work` puts into the stream.
    template <class Work>
    StepGraph(cudaStream_t stream, Work &&work) {
        guard(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "begin capture");
        work(stream);
        guard(cudaStreamEndCapture(stream, &graph_), "end capture");
        guard(cudaGraphInstantiate(&exec_, graph_, 0), "instantiate");
    }
    ~StepGraph() {
        cudaGraphExecDestroy(exec_);
        cudaGraphDestroy(graph_);
    }
    StepGraph(const StepGraph &) = delete;
    StepGraph &operator=(const StepGraph &) = delete;

    std::size_t nodes() const {
        std::size_t count = 0;
        guard(cudaGraphGetNodes(graph_, nullptr, &count), "node count");
        return count;
    }
    void launch(cudaStream_t stream) const { guard(cudaGraphLaunch(exec_, stream), "graph launch"); }

private:
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
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
    guard(cudaMalloc(&d_u, n * sizeof(float)), "allocating %d floats", n);
    guard(cudaMalloc(&d_next, n * sizeof(float)), "allocating %d floats", n);
    guard(cudaMalloc(&d_counter, sizeof(int)), "allocating the counter");
    guard(cudaMemset(d_counter, 0, sizeof(int)), "clearing the counter");
    guard(cudaMemcpy(d_u, u.data(), n * sizeof(float), cudaMemcpyHostToDevice), "upload");
    guard(cudaDeviceSynchronize(), "sync after upload");

    int counter = 0;
    std::size_t nodes = 0;
    {
        Stream stream;
        StepGraph graph(stream, [&](cudaStream_t s) {
            float *from = d_u, *to = d_next;
            for (int i = 0; i < steps_per_graph; ++i) {
                heat_step<<<(n + block - 1) / block, block, 0, s>>>(from, to, n);
                float *t = from;
                from = to;
                to = t;
            }
            count_launch<<<1, 1, 0, s>>>(d_counter);
        });
        guard(cudaGetLastError(), "capture");

        nodes = graph.nodes();
        for (int i = 0; i < launches; ++i) graph.launch(stream);
        guard(cudaMemcpyAsync(result.data(), d_u, n * sizeof(float), cudaMemcpyDeviceToHost, stream), "download");
        guard(cudaMemcpyAsync(&counter, d_counter, sizeof(int), cudaMemcpyDeviceToHost, stream), "download");
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
    guard(cudaFree(d_u), "free");
    guard(cudaFree(d_next), "free");
    guard(cudaFree(d_counter), "free");

    std::printf("points %d, graph nodes %zu, graph launches %d\n", n, nodes, counter);
    std::printf("sum %.0f, wrong points %d\n", sum, wrong);
    const bool ok = wrong == 0 && counter == launches && nodes == steps_per_graph + 1;
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
