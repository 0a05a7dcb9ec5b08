// Dense linear systems with cuSOLVER: LU with partial pivoting for a general
// matrix and Cholesky for a symmetric positive definite one.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <hip/hip_runtime.h>
#include <hipsolver/hipsolver.h>

inline void checkCuda(hipError_t code, const char* file, int line)
{
	if (code == hipSuccess) return;
	std::fprintf(stderr, "%s(%d): CUDA error %s\n", file, line, hipGetErrorString(code));
	std::exit(1);
}

inline void checkSolver(hipsolverStatus_t code, const char* file, int line)
{
	if (code == HIPSOLVER_STATUS_SUCCESS) return;
	std::fprintf(stderr, "%s(%d): cuSOLVER error %d\n", file, line, static_cast<int>(code));
	std::exit(1);
}

#define CHECK_CUDA(x) checkCuda((x), __FILE__, __LINE__)
#define CHECK_SOLVER(x) checkSolver((x), __FILE__, __LINE__)

typedef std::vector<double> Vec;

/* Largest |A*x - b| over all right-hand sides; A is n x n, column-major. */
static double residual(const Vec& A, const double* x, const double* b, int n, int nrhs)
{
	double worst = 0.0;
	for (int r = 0; r < nrhs; ++r)
		for (int i = 0; i < n; ++i)
		{
			double s = -b[r * n + i];
			for (int j = 0; j < n; ++j) s += A[i + j * n] * x[r * n + j];
			worst = std::fmax(worst, std::fabs(s));
		}
	return worst;
}

static bool solveLU(hipsolverHandle_t handle, int n, int nrhs)
{
	Vec A(n * n), X(n * nrhs), B(n * nrhs, 0.0), got(n * nrhs);
	for (int j = 0; j < n; ++j)
		for (int i = 0; i < n; ++i)
			// a strong anti-diagonal, so that the pivoting has work to do
			A[i + j * n] = ((i * 31 + j * 17) % 13 - 6) + (i + j == n - 1 ? 8.0 * n : 0.0);
	for (int k = 0; k < n * nrhs; ++k) X[k] = k % 10 - 4;
	for (int r = 0; r < nrhs; ++r)
		for (int j = 0; j < n; ++j)
			for (int i = 0; i < n; ++i) B[r * n + i] += A[i + j * n] * X[r * n + j];

	double *dA, *dB, *work;
	int *pivots, *info, lwork = 0, status = -1;
	CHECK_CUDA(hipMalloc((void**)&dA, sizeof(double) * n * n));
	CHECK_CUDA(hipMalloc((void**)&dB, sizeof(double) * n * nrhs));
	CHECK_CUDA(hipMalloc((void**)&pivots, sizeof(int) * n));
	CHECK_CUDA(hipMalloc((void**)&info, sizeof(int)));
	CHECK_CUDA(hipMemcpy(dA, A.data(), sizeof(double) * n * n, hipMemcpyHostToDevice));
	CHECK_CUDA(hipMemcpy(dB, B.data(), sizeof(double) * n * nrhs, hipMemcpyHostToDevice));

	CHECK_SOLVER(hipsolverDnDgetrf_bufferSize(handle, n, n, dA, n, &lwork));
	CHECK_CUDA(hipMalloc((void**)&work, sizeof(double) * lwork));
	CHECK_SOLVER(hipsolverDnDgetrf(handle, n, n, dA, n, work, pivots, info));
	CHECK_CUDA(hipMemcpy(&status, info, sizeof(int), hipMemcpyDeviceToHost));
	if (status != 0)
	{
		std::printf("getrf info %d\n", status);
		return false;
	}
	CHECK_SOLVER(hipsolverDnDgetrs(handle, HIPBLAS_OP_N, n, nrhs, dA, n, pivots, dB, n, info));
	CHECK_CUDA(hipMemcpy(&status, info, sizeof(int), hipMemcpyDeviceToHost));
	CHECK_CUDA(hipMemcpy(got.data(), dB, sizeof(double) * n * nrhs, hipMemcpyDeviceToHost));

	std::vector<int> piv(n);
	CHECK_CUDA(hipMemcpy(piv.data(), pivots, sizeof(int) * n, hipMemcpyDeviceToHost));
	int swaps = 0;
	for (int i = 0; i < n; ++i) swaps += piv[i] != i + 1;

	for (void* p : {(void*)dA, (void*)dB, (void*)work, (void*)pivots, (void*)info})
		CHECK_CUDA(hipFree(p));

	long checksum = 0;
	double off = 0.0;
	for (int k = 0; k < n * nrhs; ++k)
	{
		checksum += std::lround(got[k]) * (k % 7 + 1);
		off = std::fmax(off, std::fabs(got[k] - X[k]));
	}
	std::printf("lu n=%d nrhs=%d row swaps %d checksum %ld\n", n, nrhs, swaps, checksum);
	return status == 0 && off < 1e-10 && residual(A, got.data(), B.data(), n, nrhs) < 1e-8;
}

static bool solveCholesky(hipsolverHandle_t handle, int n)
{
	// Second-difference matrix: symmetric positive definite, determinant n+1.
	Vec A(n * n, 0.0), b(n, 0.0), x(n), factor(n * n);
	for (int i = 0; i < n; ++i)
	{
		A[i + i * n] = 2.0;
		if (i + 1 < n) A[i + 1 + i * n] = A[i + (i + 1) * n] = -1.0;
	}
	b[n - 1] = n + 1.0;                     // then x is 1, 2, ..., n

	double *dA, *db, *work;
	int *info, lwork = 0, status = -1;
	CHECK_CUDA(hipMalloc((void**)&dA, sizeof(double) * n * n));
	CHECK_CUDA(hipMalloc((void**)&db, sizeof(double) * n));
	CHECK_CUDA(hipMalloc((void**)&info, sizeof(int)));
	CHECK_CUDA(hipMemcpy(dA, A.data(), sizeof(double) * n * n, hipMemcpyHostToDevice));
	CHECK_CUDA(hipMemcpy(db, b.data(), sizeof(double) * n, hipMemcpyHostToDevice));

	const hipblasFillMode_t uplo = HIPBLAS_FILL_MODE_LOWER;
	CHECK_SOLVER(hipsolverDnDpotrf_bufferSize(handle, uplo, n, dA, n, &lwork));
	CHECK_CUDA(hipMalloc((void**)&work, sizeof(double) * lwork));
	CHECK_SOLVER(hipsolverDnDpotrf(handle, uplo, n, dA, n, work, lwork, info));
	CHECK_CUDA(hipMemcpy(&status, info, sizeof(int), hipMemcpyDeviceToHost));
	if (status == 0)
		CHECK_SOLVER(hipsolverDnDpotrs(handle, uplo, n, 1, dA, n, db, n, info));
	CHECK_CUDA(hipMemcpy(x.data(), db, sizeof(double) * n, hipMemcpyDeviceToHost));
	CHECK_CUDA(hipMemcpy(factor.data(), dA, sizeof(double) * n * n, hipMemcpyDeviceToHost));
	CHECK_CUDA(hipFree(dA));
	CHECK_CUDA(hipFree(db));
	CHECK_CUDA(hipFree(work));
	CHECK_CUDA(hipFree(info));

	double det = 1.0, off = 0.0;
	for (int i = 0; i < n; ++i)
	{
		det *= factor[i + i * n] * factor[i + i * n];
		off = std::fmax(off, std::fabs(x[i] - (i + 1)));
	}
	std::printf("cholesky n=%d determinant %ld last unknown %ld\n", n, std::lround(det),
	            std::lround(x[n - 1]));
	return status == 0 && off < 1e-8 && std::fabs(det - (n + 1)) < 1e-8;
}

int main()
{
	hipsolverHandle_t handle;
	hipStream_t stream;
	CHECK_CUDA(hipStreamCreate(&stream));
	CHECK_SOLVER(hipsolverDnCreate(&handle));
	CHECK_SOLVER(hipsolverSetStream(handle, stream));

	bool ok = solveLU(handle, 64, 3);
	CHECK_CUDA(hipDeviceSynchronize());
	ok = solveCholesky(handle, 50) && ok;

	CHECK_SOLVER(hipsolverDnDestroy(handle));
	CHECK_CUDA(hipStreamDestroy(stream));
	std::puts(ok ? "PASS" : "FAIL");
	return ok ? 0 : 1;
}
