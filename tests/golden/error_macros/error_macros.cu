// Everything goes through macros here: error checks that hold API calls,
// launches inside multi-line macros, kernels and templates made by macros.
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define CUDA_CHECK(call)                                                     \
    do {                                                                     \
        hipError_t _e = (call);                                             \
        if (_e != hipSuccess) {                                             \
            fprintf(stderr, "CUDA_CHECK(%s) failed: %s\n", #call,            \
                    hipGetErrorString(_e));                                 \
            exit(EXIT_FAILURE);                                              \
        }                                                                    \
    } while (0)

/* Checks the launch itself and the kernel's execution. */
#define CUDA_CHECK_KERNEL()                   \
    do {                                      \
        CUDA_CHECK(hipGetLastError());       \
        CUDA_CHECK(hipDeviceSynchronize());  \
    } while (0)

/* The whole launch is the macro's argument, commas and all. */
#define CHECKED_LAUNCH(...)   \
    do {                      \
        __VA_ARGS__;          \
        CUDA_CHECK_KERNEL();  \
    } while (0)

#define BLOCK_SIZE 192
#define GRID_FOR(n) (((n) + BLOCK_SIZE - 1) / BLOCK_SIZE)

/* One call allocates, one call copies, one call frees; types are arguments. */
#define DEVICE_ALLOC(type, name, count) \
    type *name = NULL;                  \
    CUDA_CHECK(hipMalloc((void **)&name, (count) * sizeof(type)))
#define TO_DEVICE(dst, src, count) \
    CUDA_CHECK(hipMemcpy(dst, src, (count) * sizeof(*(dst)), hipMemcpyHostToDevice))
#define TO_HOST(dst, src, count) \
    CUDA_CHECK(hipMemcpy(dst, src, (count) * sizeof(*(dst)), hipMemcpyDeviceToHost))

/* Element-wise kernels: the operation's name becomes part of the kernel's. */
#define DEFINE_UNARY(name, expression)                                   \
    __global__ void unary_##name(const int *in, int *out, int n)         \
    {                                                                    \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;             \
        if (i < n) {                                                     \
            const int x = in[i];                                         \
            out[i] = (expression);                                       \
        }                                                                \
    }                                                                    \
    static int host_##name(int x) { return (expression); }

DEFINE_UNARY(negate, -x)
DEFINE_UNARY(square, x * x)
DEFINE_UNARY(clamp, x < -10 ? -10 : (x > 10 ? 10 : x))

/* Macro-generated templates. */
#define DEFINE_BINARY(NAME, OP)                                                  \
    template <typename T, int REPEAT>                                            \
    __global__ void NAME##_kernel(const T *a, const T *b, T *out, int n)         \
    {                                                                            \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                     \
        if (i >= n)                                                              \
            return;                                                              \
        T v = a[i];                                                              \
        for (int r = 0; r < REPEAT; ++r)                                         \
            v = v OP b[i];                                                       \
        out[i] = v;                                                              \
    }                                                                            \
    template <typename T, int REPEAT>                                            \
    void NAME##_launch(const T *a, const T *b, T *out, int n)                    \
    {                                                                            \
        hipLaunchKernelGGL(HIP_KERNEL_NAME(NAME##_kernel<T, REPEAT>), dim3(GRID_FOR(n)), dim3(BLOCK_SIZE), 0, 0, a, b, out, n);     \
        CUDA_CHECK_KERNEL();                                                     \
    }

DEFINE_BINARY(plus, +)
DEFINE_BINARY(minus, -)

/* A launch with a backslash in the middle of its configuration. */
#define RUN_UNARY(name)                                           \
    do {                                                          \
        hipLaunchKernelGGL(HIP_KERNEL_NAME(unary_##name), dim3(GRID_FOR(n)),                               \
                       dim3(BLOCK_SIZE),                                \
                       0, 0, d_a, d_out, n);                    \
        CUDA_CHECK_KERNEL();                                      \
        TO_HOST(out.data(), d_out, n);                            \
        int wrong = 0;                                            \
        for (int i = 0; i < n; ++i)                               \
            wrong += out[i] != host_##name(a[i]);                 \
        report(#name, out, wrong);                                \
    } while (0)

#define FOR_ALL_UNARY(M) M(negate); M(square); M(clamp)

static int total_wrong = 0;

static void report(const char *name, const std::vector<int> &values, int wrong)
{
    long long sum = 0;
    for (int v : values)
        sum += v;
    printf("%s: sum %lld, wrong %d\n", name, sum, wrong);
    total_wrong += wrong;
}

int main(void)
{
    const int n = 10007;
    std::vector<int> a(n), b(n), out(n);
    for (int i = 0; i < n; ++i) {
        a[i] = i % 41 - 20;
        b[i] = i % 7;
    }

    DEVICE_ALLOC(int, d_a, n);
    DEVICE_ALLOC(int, d_b, n);
    DEVICE_ALLOC(int, d_out, n);
    TO_DEVICE(d_a, a.data(), n);
    TO_DEVICE(d_b, b.data(), n);

    FOR_ALL_UNARY(RUN_UNARY);

    CHECKED_LAUNCH(hipLaunchKernelGGL(HIP_KERNEL_NAME(plus_kernel<int, 3>), dim3(GRID_FOR(n)), dim3(BLOCK_SIZE), 0, 0, d_a, d_b, d_out, n));
    TO_HOST(out.data(), d_out, n);
    int wrong = 0;
    for (int i = 0; i < n; ++i)
        wrong += out[i] != a[i] + 3 * b[i];
    report("plus", out, wrong);

    minus_launch<int, 2>(d_a, d_b, d_out, n);
    TO_HOST(out.data(), d_out, n);
    wrong = 0;
    for (int i = 0; i < n; ++i)
        wrong += out[i] != a[i] - 2 * b[i];
    report("minus", out, wrong);

    /* A call that must fail, and whose error must not stay behind. */
    void *nothing = NULL;
    const hipError_t expected = hipMemcpy(nothing, d_a, sizeof(int), (hipMemcpyKind)42);
    const bool refused = expected != hipSuccess;
    (void)hipGetLastError();
    const bool cleared = hipPeekAtLastError() == hipSuccess;
    printf("bad copy refused: %s, error cleared: %s\n", refused ? "yes" : "no", cleared ? "yes" : "no");

    CUDA_CHECK(hipFree(d_a)); CUDA_CHECK(hipFree(d_b)); CUDA_CHECK(hipFree(d_out));

    const bool ok = total_wrong == 0 && refused && cleared;
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
