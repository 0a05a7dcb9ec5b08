/*
 * Matrix products through cuBLAS: single, double, mixed half/float and a
 * strided batch.  The inputs are small integers, so each product is exact in
 * every precision and is compared with the CPU for equality.
 *
 * All matrices are column-major, as cuBLAS wants them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include "hipblas/hipblas.h"

static const char *blas_error_name(hipblasStatus_t st)
{
	switch (st) {
	case HIPBLAS_STATUS_SUCCESS:          return "success";
	case HIPBLAS_STATUS_NOT_INITIALIZED:  return "not initialized";
	case HIPBLAS_STATUS_ALLOC_FAILED:     return "allocation failed";
	case HIPBLAS_STATUS_INVALID_VALUE:    return "invalid value";
	case HIPBLAS_STATUS_ARCH_MISMATCH:    return "architecture mismatch";
	case HIPBLAS_STATUS_MAPPING_ERROR:    return "mapping error";
	case HIPBLAS_STATUS_EXECUTION_FAILED: return "execution failed";
	case HIPBLAS_STATUS_INTERNAL_ERROR:   return "internal error";
	case HIPBLAS_STATUS_NOT_SUPPORTED:    return "not supported";
	default:                             return "unknown";
	}
}

#define CUDA_CHECK(call)                                                     \
	do {                                                                     \
		hipError_t err_ = (call);                                           \
		if (err_ != hipSuccess) {                                           \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,               \
			        hipGetErrorString(err_));                               \
			exit(EXIT_FAILURE);                                              \
		}                                                                    \
	} while (0)

#define CUBLAS_CHECK(call)                                                   \
	do {                                                                     \
		hipblasStatus_t st_ = (call);                                         \
		if (st_ != HIPBLAS_STATUS_SUCCESS) {                                  \
			fprintf(stderr, "%s:%d: cublas: %s\n", __FILE__, __LINE__,       \
			        blas_error_name(st_));                                   \
			exit(EXIT_FAILURE);                                              \
		}                                                                    \
	} while (0)

/* Small integer in [-4, 4], the same on every run. */
static int pattern(int i, int salt)
{
	unsigned h = (unsigned)i * 2654435761u + (unsigned)salt * 40503u;
	return (int)((h >> 13) % 9u) - 4;
}

template <typename T>
static std::vector<T> make_matrix(int count, int salt)
{
	std::vector<T> v(count);
	for (int i = 0; i < count; ++i)
		v[i] = T((float)pattern(i, salt));
	return v;
}

template <typename T>
static T *upload(const std::vector<T> &host)
{
	T *dev = NULL;
	CUDA_CHECK(hipMalloc((void **)&dev, host.size() * sizeof(T)));
	CUDA_CHECK(hipMemcpy(dev, host.data(), host.size() * sizeof(T),
	                      hipMemcpyHostToDevice));
	return dev;
}

/* Compares C = alpha*A*op(B) + beta*C0 with integers made by pattern(). */
template <typename T>
static bool matches(const T *dC, int m, int n, int k, bool transB, int saltA,
                    int saltB, int saltC, int alpha, int beta, int offA,
                    int offB, int offC, const char *what)
{
	std::vector<T> got(m * n);
	CUDA_CHECK(hipMemcpy(got.data(), dC, got.size() * sizeof(T),
	                      hipMemcpyDeviceToHost));
	long long sum = 0;
	int bad = 0;
	for (int j = 0; j < n; ++j) {
		for (int i = 0; i < m; ++i) {
			int acc = 0;
			for (int p = 0; p < k; ++p) {
				int b = transB ? j + p * n : p + j * k;
				acc += pattern(offA + i + p * m, saltA) * pattern(offB + b, saltB);
			}
			int want = alpha * acc;
			if (beta)
				want += beta * pattern(offC + i + j * m, saltC);
			bad += (got[i + j * m] != (T)want);
			sum += (long long)got[i + j * m] * (1 + (i + 3 * j) % 5);
		}
	}
	printf("%-14s %dx%dx%d checksum %lld mismatches %d\n", what, m, n, k, sum, bad);
	return bad == 0;
}

int main(void)
{
	const int m = 48, n = 40, k = 56, batch = 3;
	bool ok = true;
	hipblasHandle_t handle;
	CUBLAS_CHECK(hipblasCreate(&handle));

	{	/* single precision, C accumulated into */
		float *A = upload(make_matrix<float>(m * k, 1));
		float *B = upload(make_matrix<float>(k * n, 2));
		float *C = upload(make_matrix<float>(m * n, 3));
		const float alpha = 2.0f, beta = -3.0f;
		CUBLAS_CHECK(hipblasSgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, m, n, k,
		                         &alpha, A, m, B, k, &beta, C, m));
		ok &= matches(C, m, n, k, false, 1, 2, 3, 2, -3, 0, 0, 0, "sgemm");
		hipFree(A); hipFree(B); hipFree(C);
	}
	{	/* double precision, B stored transposed */
		double *A = upload(make_matrix<double>(m * k, 4));
		double *B = upload(make_matrix<double>(k * n, 5));
		double *C = upload(make_matrix<double>(m * n, 6));
		const double alpha = 1.0, beta = 0.0;
		CUBLAS_CHECK(hipblasDgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_T, m, n, k,
		                         &alpha, A, m, B, n, &beta, C, m));
		ok &= matches(C, m, n, k, true, 4, 5, 6, 1, 0, 0, 0, 0, "dgemm");
		hipFree(A); hipFree(B); hipFree(C);
	}
	{	/* half in, float out, accumulated in float */
		__half *A = upload(make_matrix<__half>(m * k, 7));
		__half *B = upload(make_matrix<__half>(k * n, 8));
		float *C = upload(make_matrix<float>(m * n, 9));
		const float alpha = 1.0f, beta = 1.0f;
		CUBLAS_CHECK(hipblasGemmEx(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, m, n, k,
		                          &alpha, A, HIP_R_16F, m, B, HIP_R_16F, k,
		                          &beta, C, HIP_R_32F, m,
		                          HIPBLAS_COMPUTE_32F, HIPBLAS_GEMM_DEFAULT));
		ok &= matches(C, m, n, k, false, 7, 8, 9, 1, 1, 0, 0, 0, "gemmEx");
		hipFree(A); hipFree(B); hipFree(C);
	}
	{	/* several independent products in one call */
		float *A = upload(make_matrix<float>(batch * m * k, 10));
		float *B = upload(make_matrix<float>(batch * k * n, 11));
		float *C = upload(make_matrix<float>(batch * m * n, 12));
		const float alpha = 1.0f, beta = 0.0f;
		CUBLAS_CHECK(hipblasSgemmStridedBatched(
		    handle, HIPBLAS_OP_N, HIPBLAS_OP_N, m, n, k, &alpha, A, m,
		    (long long)m * k, B, k, (long long)k * n, &beta, C, m,
		    (long long)m * n, batch));
		for (int b = 0; b < batch; ++b)
			ok &= matches(C + b * m * n, m, n, k, false, 10, 11, 12, 1, 0,
			              b * m * k, b * k * n, b * m * n, "stridedBatched");
		hipFree(A); hipFree(B); hipFree(C);
	}

	CUBLAS_CHECK(hipblasDestroy(handle));
	printf("%s\n", ok ? "PASS" : "FAIL");
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
