// Approximate math in PTX, pasted by a macro: each within a tolerance of the C library.
#include <hip/hip_runtime.h>
#include <math.h>
#include <stdio.h>
#include <vector>

#define UNARY_F32(name, instruction)                                   \
    __device__ __forceinline__ float name(float x)                     \
    {                                                                  \
        float y;                                                       \
        y = instruction;            \
        return y;                                                      \
    }

UNARY_F32(ptx_exp2, exp2f(x))
UNARY_F32(ptx_log2, __log2f(x))
UNARY_F32(ptx_rcp, 1.0f / x)
UNARY_F32(ptx_rsqrt, rsqrtf(x))
UNARY_F32(ptx_sqrt, sqrtf(x))
UNARY_F32(ptx_sin, __sinf(x))
UNARY_F32(ptx_cos, __cosf(x))
#undef UNARY_F32

__device__ __forceinline__ float ptx_fma(float a, float b, float c)
{
    float d;
    d = fmaf(a, b, c);
    return d;
}

__device__ __forceinline__ float ptx_div(float a, float b)
{
    float d;
    d = a / b;
    return d;
}

// e^x and a sigmoid, as fast kernels write them
__device__ __forceinline__ float fast_exp(float x) { return ptx_exp2(x * 1.4426950408889634f); }
__device__ __forceinline__ float fast_sigmoid(float x) { return ptx_rcp(1.0f + fast_exp(-x)); }

enum { EXP2, LOG2, RCP, RSQRT, SQRT, SIN, COS, FMA, DIV, SIGMOID, COUNT };
static const char *const names[COUNT] = {"ex2", "lg2", "rcp", "rsqrt", "sqrt", "sin", "cos", "fma", "div", "sigmoid"};

__global__ void evaluate(const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const float v = x[i];
        y[EXP2 * n + i] = ptx_exp2(v);
        y[LOG2 * n + i] = ptx_log2(v);
        y[RCP * n + i] = ptx_rcp(v);
        y[RSQRT * n + i] = ptx_rsqrt(v);
        y[SQRT * n + i] = ptx_sqrt(v);
        y[SIN * n + i] = ptx_sin(v - 2.0f);
        y[COS * n + i] = ptx_cos(v - 2.0f);
        y[FMA * n + i] = ptx_fma(v, v, -1.0f);
        y[DIV * n + i] = ptx_div(1.0f, v + 3.0f);
        y[SIGMOID * n + i] = fast_sigmoid(v - 2.0f);
    }
}

static double exact(int function, double v)
{
    switch (function) {
    case EXP2: return exp2(v);
    case LOG2: return log2(v);
    case RCP: return 1.0 / v;
    case RSQRT: return 1.0 / sqrt(v);
    case SQRT: return sqrt(v);
    case SIN: return sin(v - 2.0);
    case COS: return cos(v - 2.0);
    case FMA: return v * v - 1.0;
    case DIV: return 1.0 / (v + 3.0);
    default: return 1.0 / (1.0 + exp(2.0 - v));
    }
}

int main()
{
    const int n = 8000;
    std::vector<float> x(n), y(n * COUNT);
    for (int i = 0; i < n; i++) x[i] = 0.0625f + i * 0.0005f;

    float *dx, *dy;
    hipMalloc(&dx, n * sizeof(float));
    hipMalloc(&dy, n * COUNT * sizeof(float));
    hipMemcpy(dx, x.data(), n * sizeof(float), hipMemcpyHostToDevice);
    hipLaunchKernelGGL(evaluate, dim3(32), dim3(128), 0, 0, dx, dy, n);
    hipMemcpy(y.data(), dy, n * COUNT * sizeof(float), hipMemcpyDeviceToHost);
    hipError_t err = hipGetLastError();
    if (err != hipSuccess) {
        printf("%s\n", hipGetErrorString(err));
        return 1;
    }

    int failures = 0;
    for (int f = 0; f < COUNT; f++) {
        double worst = 0.0;
        for (int i = 0; i < n; i++) {
            const double want = exact(f, x[i]);
            const double error = fabs(y[f * n + i] - want) / fmax(fabs(want), 1.0);
            worst = error > worst ? error : worst;
        }
        printf("%-8s %s\n", names[f], worst < 4e-6 ? "ok" : "too far off");
        failures += !(worst < 4e-6);
    }
    hipFree(dx);
    hipFree(dy);
    puts(failures ? "FAIL" : "PASS");
    return failures != 0;
}
