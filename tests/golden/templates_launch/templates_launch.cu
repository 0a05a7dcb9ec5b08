// One program, many ways to write a kernel launch. Every launch adds a known
// amount to each element of the same array.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CUDA_CHECK(x)                                                                        \
    do {                                                                                     \
        hipError_t err = (x);                                                               \
        if (err != hipSuccess) {                                                            \
            std::fprintf(stderr, "line %d: %s\n", __LINE__, hipGetErrorString(err));        \
            std::exit(1);                                                                    \
        }                                                                                    \
    } while (0)

#define B 128
#define BLOCKS(n, b) (((n) + (b) - 1) / (b))
#define ONE_PER_THREAD(n) BLOCKS(n, B), B

template <typename T>
struct wrap {
    using type = T;
    static constexpr int threads = 64;
};

template <typename T, int N>
struct amounts {
    T values[N];
};

__device__ int global_index() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void add_one(int *data, int n) {
    if (int i = global_index(); i < n) data[i] += 1;
}

__global__ void add_two(int *data, int n) {
    if (int i = global_index(); i < n) data[i] += 2;
}

namespace ns {
namespace detail {
template <typename T, int AMOUNT>
__global__ void add_amount(T *data, int n) {
    if (int i = global_index(); i < n) data[i] += AMOUNT;
}
}  // namespace detail

template <typename T, int AMOUNT>
__global__ void kernel(T *data, int n) {
    if (int i = global_index(); i < n) data[i] += AMOUNT;
}
}  // namespace ns

template <typename W>
__global__ void add_size(typename W::type *data, int n) {
    if (int i = global_index(); i < n) data[i] += static_cast<int>(sizeof(W));
}

template <bool TWICE, typename T = int>
__global__ void add_flag(T *data, int n) {
    if (int i = global_index(); i < n) data[i] += TWICE ? 2 : 1;
}

// Goes through dynamic shared memory so that its size matters.
template <typename T>
__global__ void add_via_shared(T *data, int n) {
    extern __shared__ char storage[];
    T *tile = reinterpret_cast<T *>(storage);
    const int i = global_index();
    tile[threadIdx.x] = i < n ? data[i] : T(0);
    __syncthreads();
    if (i < n) data[i] = tile[threadIdx.x] + 1;
}

template <typename F>
__global__ void for_each(int *data, int n, F f) {
    if (int i = global_index(); i < n) f(data[i]);
}

__global__ void add_2d(int *data, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) data[y * width + x] += 1;
}

struct Entry {
    const char *name;
    void (*kernel)(int *, int);
};

struct Launcher {
    void (*member)(int *, int);
    int *data;
    int n;
    void operator()(hipStream_t s) const { hipLaunchKernelGGL(member, dim3(BLOCKS(n, B)), dim3(B), 0, s, data, n); }
    template <int K>
    void many() const {
        hipLaunchKernelGGL(HIP_KERNEL_NAME(ns::kernel<int, K>), dim3((this->n - 1) / B + 1), dim3(B), 0, 0, this->data, this->n);
    }
};

template <typename T, template <typename> class W>
void launch_dependent(T *data, int n) {
    hipLaunchKernelGGL(add_size<W<T>>, dim3(BLOCKS(n, W<T>::threads)), dim3(W<T>::threads), 0, 0, data, n);
}

template <typename... Ts>
void launch_all(int *d, int n) {
    (add_size<wrap<Ts>><<<BLOCKS(n, B), B>>>(d, n), ...);
}

int main() {
    const int width = 100, height = 37, n = width * height;
    int expected = 0;
    int *d = nullptr;
    hipStream_t stream;
    CUDA_CHECK(hipMalloc(&d, n * sizeof(int)));
    CUDA_CHECK(hipMemset(d, 0, n * sizeof(int)));
    CUDA_CHECK(hipStreamCreate(&stream));

    // Namespaces and templates.
    hipLaunchKernelGGL(HIP_KERNEL_NAME(ns::kernel<int, 3>), dim3((n - 1) / B + 1), dim3(B), 0, 0, d, n);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(::ns::detail::add_amount<int, (7 > 5)>), dim3(BLOCKS(n, B)), dim3(B), 0, 0, d, n);
    expected += 3 + 1;

    // Closers glued to the launch.
    hipLaunchKernelGGL(add_size<wrap<int>>, dim3(BLOCKS(n, B)), dim3(B), 0, 0, d, n);
    hipLaunchKernelGGL(add_size<wrap<wrap<int>::type>>, dim3(BLOCKS(n, B)), dim3((sizeof(wrap<int>) << 7)), 0, 0, d, n);
    launch_dependent<int, wrap>(d, n);
    launch_all<int, int, int>(d, n);
    expected += 6;

    // Default and bool template arguments, comparison inside the brackets.
    hipLaunchKernelGGL(add_flag<true>, dim3(BLOCKS(n, B)), dim3(B), 0, 0, d, n);
    hipLaunchKernelGGL(HIP_KERNEL_NAME(add_flag<(sizeof(int) < 2)>), dim3(n / B + (n % B > 0 ? 1 : 0)), dim3(B), 0, 0, d, n);
    expected += 2 + 1;

    // Configuration: shifts, macro calls, a macro for both, braces, dim3.
    hipLaunchKernelGGL(add_one, dim3((n >> 7) + 1), dim3(1 << 7), 0, 0, d, n);
    add_one<<<ONE_PER_THREAD(n)>>>(d, n);
    hipLaunchKernelGGL(add_one, dim3(BLOCKS(n, B)), (dim3{B, 1, 1}), 0, 0, d, n);
    hipLaunchKernelGGL(add_one, (dim3{BLOCKS(n, B), 1, 1}), (dim3{B}), 0, 0, d, n);
    hipLaunchKernelGGL(add_2d, (dim3{(width + 15) / 16, (height + 7) / 8}), dim3(16, 8), 0, 0, d, width, height);
    expected += 5;

    // Shared bytes and streams.
    hipLaunchKernelGGL(add_via_shared<int>, dim3(BLOCKS(n, B)), dim3(B), sizeof(int) * B, 0, d, n);
    hipLaunchKernelGGL(add_via_shared, dim3(BLOCKS(n, B)), dim3(B), B * sizeof(decltype(*d + 0)), stream, d, n);
    CUDA_CHECK(hipStreamSynchronize(stream));
    hipLaunchKernelGGL(add_one, dim3(BLOCKS(n, B)), dim3(B), size_t{0}, hipStream_t{}, d, n);
    expected += 3;

    // Over several lines, with comments and conditional compilation inside.
    add_two<<<
        BLOCKS(n, B),  // one thread per element, >>> is not the end here
        B,             /* nor <<< a beginning */
#ifdef USE_EXTRA_SHARED
        1024,
#else
        0,
#endif
        nullptr
    >>>(
        d,  // in and out
        n);
    expected += 2;

    // Function pointers: a variable, a table, a struct's member, a cast.
    void (*fp)(int *, int) = add_one;
    hipLaunchKernelGGL(fp, dim3(BLOCKS(n, B)), dim3(B), 0, 0, d, n);
    hipLaunchKernelGGL((*fp), dim3(BLOCKS(n, B)), dim3(B), 0, 0, d, n);
    const Entry table[] = {{"one", add_one}, {"two", &add_two}, {"five", ns::kernel<int, 5>}};
    for (const Entry &e : table) hipLaunchKernelGGL(e.kernel, dim3(BLOCKS(n, B)), dim3(B), 0, 0, d, n);
    const Entry *second = &table[1];
    hipLaunchKernelGGL(second->kernel, dim3(BLOCKS(n, B)), dim3(B), 0, 0, d, n);
    hipLaunchKernelGGL(table[0].kernel, dim3(BLOCKS(n, B)), dim3(B), 0, 0, d, n);
    hipLaunchKernelGGL((expected ? add_one : add_two), dim3(BLOCKS(n, B)), dim3(B), 0, 0, d, n);
    expected += 2 + (1 + 2 + 5) + 2 + 1 + 1;

    const Launcher launcher{add_two, d, n};
    launcher(stream);
    CUDA_CHECK(hipStreamSynchronize(stream));
    launcher.many<4>();
    expected += 2 + 4;

    // Lambdas as kernel arguments.
    const int step = 6;
    hipLaunchKernelGGL(for_each, dim3(BLOCKS(n, B)), dim3(B), 0, 0, d, n, [=] __device__(int &v) { v += step; });
    auto twice = [step] __host__ __device__(int &v) {
        v += step;
        v -= step >> 1;
    };
    hipLaunchKernelGGL(for_each, dim3(BLOCKS(n, B)), dim3(B), 0, 0, d, n, twice);
    expected += 6 + 3;

    // As the statement of an if, in a comma expression, in a string nowhere.
    if (n > 0) hipLaunchKernelGGL(add_one, dim3(BLOCKS(n, B)), dim3(B), 0, 0, d, n); else hipLaunchKernelGGL(add_two, dim3(1), dim3(1), 0, 0, d, n);
    add_one<<<BLOCKS(n, B), B>>>(d, n), add_one<<<BLOCKS(n, B), B>>>(d, n);
    const char *text = "add_one<<<1, 1>>>(d, n);";
    expected += 3 + (text[0] == 'a' ? 0 : 1000);

    CUDA_CHECK(hipGetLastError());
    CUDA_CHECK(hipDeviceSynchronize());
    std::vector<int> host(n);
    CUDA_CHECK(hipMemcpy(host.data(), d, n * sizeof(int), hipMemcpyDeviceToHost));
    CUDA_CHECK(hipStreamDestroy(stream));
    CUDA_CHECK(hipFree(d));

    int wrong = 0;
    for (int v : host) wrong += v != expected;
    std::printf("elements %d, each %d (expected %d), wrong %d\n", n, host[n / 2], expected, wrong);
    std::puts(wrong == 0 ? "PASS" : "FAIL");
    return wrong == 0 ? 0 : 1;
}
