/*
 * The application side: prepares the data, lets the driver-API engine work on
 * them, and computes the same with a kernel of its own for comparison.
 */
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "vector_engine.h"


__global__ void axpby(float a, const float *x, float b, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + b * y[i];
}

static bool cuda_failed(hipError_t err, const char *what)
{
    if (err == hipSuccess)
        return false;
    fprintf(stderr, "%s: %s\n", what, hipGetErrorString(err));
    return true;
}

/* The runtime-API way to the same result. */
static bool run_with_runtime(float a, const std::vector<float> &x, float b, std::vector<float> &y)
{
    const size_t bytes = x.size() * sizeof(float);
    const int n = (int)x.size();
    float *dx = NULL, *dy = NULL;

    bool failed = cuda_failed(hipMalloc((void **)&dx, bytes), "cudaMalloc")
               || cuda_failed(hipMalloc((void **)&dy, bytes), "cudaMalloc")
               || cuda_failed(hipMemcpy(dx, x.data(), bytes, hipMemcpyHostToDevice), "copy x")
               || cuda_failed(hipMemcpy(dy, y.data(), bytes, hipMemcpyHostToDevice), "copy y");
    if (!failed) {
        hipLaunchKernelGGL(axpby, dim3((n + 191) / 192), dim3(192), 0, 0, a, dx, b, dy, n);
        failed = cuda_failed(hipGetLastError(), "axpby")
              || cuda_failed(hipMemcpy(y.data(), dy, bytes, hipMemcpyDeviceToHost), "copy back");
    }
    hipFree(dx);
    hipFree(dy);
    return !failed;
}

int main()
{
    const int n = 70001;
    const float a = 2.0f, b = -1.0f;
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; ++i) {
        x[i] = (float)(i % 129 - 64);
        y[i] = (float)(i % 57);
    }
    std::vector<float> by_driver(y), by_runtime(y);
    float largest = 0.0f;

    struct engine *eng = engine_open();
    if (!eng)
        return EXIT_FAILURE;
    bool ok = engine_axpby(eng, a, x.data(), b, by_driver.data(), n)
           && engine_max_abs(eng, by_driver.data(), n, &largest);
    /* while the engine holds the primary context, which both APIs use */
    ok = run_with_runtime(a, x, b, by_runtime) && ok;
    engine_close(eng);

    int wrong = 0;
    float want_largest = 0.0f;
    long checksum = 0;
    for (int i = 0; i < n; ++i) {
        const float want = a * x[i] + b * y[i];
        const float mag = want < 0 ? -want : want;
        if (mag > want_largest)
            want_largest = mag;
        wrong += by_driver[i] != want || by_runtime[i] != want;
        checksum += (long)by_driver[i] * (i % 5);
    }
    printf("n %d checksum %ld wrong %d\n", n, checksum, wrong);
    printf("largest magnitude %.0f\n", largest);
    ok = ok && wrong == 0 && largest == want_largest;
    puts(ok ? "PASS" : "FAIL");
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
