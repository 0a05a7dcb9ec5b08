/*
 * cuRAND host API: pseudo-random numbers generated into device memory, and on
 * the host, with statistics reduced by our own kernel.  Only properties that
 * hold for any good generator are printed, never the numbers themselves.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <hip/hip_runtime.h>
#include <hiprand/hiprand.h>

#define N (1 << 20)
#define BLOCK 256
#define GRID 64

static int failures = 0;

static void cuda_ok(hipError_t e, const char *where)
{
    if (e == hipSuccess)
        return;
    fprintf(stderr, "%s: %s\n", where, hipGetErrorString(e));
    exit(1);
}

static void rand_ok(hiprandStatus_t s, const char *where)
{
    const char *text = "other error";
    switch (s) {
    case HIPRAND_STATUS_SUCCESS:             return;
    case HIPRAND_STATUS_NOT_INITIALIZED:     text = "not initialized"; break;
    case HIPRAND_STATUS_ALLOCATION_FAILED:   text = "allocation failed"; break;
    case HIPRAND_STATUS_TYPE_ERROR:          text = "wrong generator type"; break;
    case HIPRAND_STATUS_OUT_OF_RANGE:        text = "out of range"; break;
    case HIPRAND_STATUS_LENGTH_NOT_MULTIPLE: text = "length not a multiple"; break;
    case HIPRAND_STATUS_LAUNCH_FAILURE:      text = "launch failure"; break;
    default:                                break;
    }
    fprintf(stderr, "%s: curand: %s\n", where, text);
    exit(1);
}

static void expect(const char *what, int good)
{
    printf("%-28s %s\n", what, good ? "ok" : "WRONG");
    if (!good)
        failures++;
}

/* Sum and sum of squares of v, one double pair per block. */
__global__ void moments(const float *v, int n, double *out)
{
    __shared__ double s1[BLOCK], s2[BLOCK];
    double a = 0, b = 0;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
        a += v[i];
        b += (double)v[i] * v[i];
    }
    s1[threadIdx.x] = a;
    s2[threadIdx.x] = b;
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half >>= 1) {
        if (threadIdx.x < half) {
            s1[threadIdx.x] += s1[threadIdx.x + half];
            s2[threadIdx.x] += s2[threadIdx.x + half];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        out[2 * blockIdx.x] = s1[0];
        out[2 * blockIdx.x + 1] = s2[0];
    }
}

static void mean_and_variance(const float *dev, double *mean, double *var)
{
    double part[2 * GRID], s = 0, q = 0, *d_part;
    cuda_ok(hipMalloc((void **)&d_part, sizeof part), "cudaMalloc");
    hipLaunchKernelGGL(moments, dim3(GRID), dim3(BLOCK), 0, 0, dev, N, d_part);
    cuda_ok(hipGetLastError(), "moments");
    cuda_ok(hipMemcpy(part, d_part, sizeof part, hipMemcpyDeviceToHost), "cudaMemcpy");
    cuda_ok(hipFree(d_part), "cudaFree");
    for (int i = 0; i < GRID; i++) {
        s += part[2 * i];
        q += part[2 * i + 1];
    }
    *mean = s / N;
    *var = q / N - *mean * *mean;
}

int main(void)
{
    float *d_values, *first, *second;
    unsigned int *d_bits, *bits;
    double mean, var;
    hiprandGenerator_t gen, twin;
    int i, same = 1, inside = 1;

    cuda_ok(hipMalloc((void **)&d_values, N * sizeof(float)), "cudaMalloc");
    cuda_ok(hipMalloc((void **)&d_bits, N * sizeof(unsigned int)), "cudaMalloc");
    first = (float *)malloc(N * sizeof(float));
    second = (float *)malloc(N * sizeof(float));
    bits = (unsigned int *)malloc(N * sizeof(unsigned int));
    if (!first || !second || !bits)
        return 1;

    rand_ok(hiprandCreateGenerator(&gen, HIPRAND_RNG_PSEUDO_PHILOX4_32_10), "create");
    rand_ok(hiprandSetPseudoRandomGeneratorSeed(gen, 20240229ULL), "seed");
    rand_ok(hiprandSetGeneratorOrdering(gen, HIPRAND_ORDERING_PSEUDO_DEFAULT), "ordering");

    printf("samples %d\n", N);

    rand_ok(hiprandGenerateUniform(gen, d_values, N), "uniform");
    mean_and_variance(d_values, &mean, &var);
    cuda_ok(hipMemcpy(first, d_values, N * sizeof(float), hipMemcpyDeviceToHost), "cudaMemcpy");
    for (i = 0; i < N; i++)
        if (!(first[i] > 0.0f && first[i] <= 1.0f))
            inside = 0;
    expect("uniform in (0,1]", inside);
    expect("uniform mean 1/2", fabs(mean - 0.5) < 2e-3);
    expect("uniform variance 1/12", fabs(var - 1.0 / 12) < 2e-3);

    /* Same generator, same seed: the same numbers again. */
    rand_ok(hiprandCreateGenerator(&twin, HIPRAND_RNG_PSEUDO_PHILOX4_32_10), "create");
    rand_ok(hiprandSetPseudoRandomGeneratorSeed(twin, 20240229ULL), "seed");
    rand_ok(hiprandGenerateUniform(twin, d_values, N), "uniform");
    cuda_ok(hipMemcpy(second, d_values, N * sizeof(float), hipMemcpyDeviceToHost), "cudaMemcpy");
    for (i = 0; i < N; i++)
        if (first[i] != second[i])
            same = 0;
    expect("same seed, same numbers", same);
    rand_ok(hiprandDestroyGenerator(twin), "destroy");

    rand_ok(hiprandGenerateNormal(gen, d_values, N, 5.0f, 2.0f), "normal");
    mean_and_variance(d_values, &mean, &var);
    expect("normal mean 5", fabs(mean - 5.0) < 2e-2);
    expect("normal variance 4", fabs(var - 4.0) < 5e-2);

    rand_ok(hiprandGenerate(gen, d_bits, N), "generate");
    cuda_ok(hipMemcpy(bits, d_bits, N * sizeof(unsigned int), hipMemcpyDeviceToHost), "cudaMemcpy");
    double ones = 0;
    for (i = 0; i < N; i++)
        for (unsigned int b = bits[i]; b; b &= b - 1)
            ones++;
    expect("half of all bits set", fabs(ones / N - 16.0) < 5e-2);
    rand_ok(hiprandDestroyGenerator(gen), "destroy");

    /* A quasi-random sequence fills the interval far more evenly. */
    rand_ok(hiprandCreateGenerator(&gen, HIPRAND_RNG_QUASI_SOBOL32), "create sobol");
    rand_ok(hiprandSetQuasiRandomGeneratorDimensions(gen, 1), "dimensions");
    rand_ok(hiprandGenerateUniform(gen, d_values, N), "sobol uniform");
    mean_and_variance(d_values, &mean, &var);
    expect("sobol mean 1/2", fabs(mean - 0.5) < 1e-4);
    rand_ok(hiprandDestroyGenerator(gen), "destroy");

    /* A host generator writes into ordinary memory. */
    rand_ok(hiprandCreateGeneratorHost(&gen, HIPRAND_RNG_PSEUDO_MRG32K3A), "create host");
    rand_ok(hiprandSetPseudoRandomGeneratorSeed(gen, 7ULL), "seed");
    rand_ok(hiprandGenerateUniform(gen, second, N), "host uniform");
    rand_ok(hiprandDestroyGenerator(gen), "destroy");
    for (mean = 0, i = 0; i < N; i++)
        mean += second[i];
    expect("host generator mean 1/2", fabs(mean / N - 0.5) < 2e-3);

    free(first);
    free(second);
    free(bits);
    cuda_ok(hipFree(d_values), "cudaFree");
    cuda_ok(hipFree(d_bits), "cudaFree");
    puts(failures ? "FAIL" : "PASS");
    return failures ? 1 : 0;
}
