/*
 * Evaluates a complex polynomial on a grid of points with Horner's rule and
 * counts how Newton's method from each point settles on its roots.
 */
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <hip/hip_complex.h>
#include <hip/hip_runtime.h>

#define DEGREE 4

#define CHECK(call)                                              \
	do {                                                     \
		hipError_t rc = (call);                         \
		if (rc != hipSuccess) {                         \
			fprintf(stderr, "%s\n",                  \
				hipGetErrorString(rc));         \
			exit(1);                                 \
		}                                                \
	} while (0)

/* Highest power first. */
__constant__ hipDoubleComplex coeff[DEGREE + 1];

static __host__ __device__ hipDoubleComplex grid_point(int i, int side)
{
	return make_hipDoubleComplex(-2.0 + 4.0 * (i % side) / (side - 1),
				    -2.0 + 4.0 * (i / side) / (side - 1));
}

/* p(z), and p'(z) along with it. */
__device__ void horner(hipDoubleComplex z, hipDoubleComplex *value, hipDoubleComplex *slope)
{
	hipDoubleComplex v = coeff[0];
	hipDoubleComplex s = make_hipDoubleComplex(0.0, 0.0);
	for (int k = 1; k <= DEGREE; ++k) {
		s = hipCadd(hipCmul(s, z), v);
		v = hipCfma(v, z, coeff[k]);
	}
	*value = v;
	*slope = s;
}

__global__ void evaluate(hipDoubleComplex *values, int *root, int side)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= side * side)
		return;
	hipDoubleComplex z = grid_point(i, side), v, s;
	horner(z, &v, &s);
	values[i] = v;

	/* the roots are 1, -1, i and -i */
	for (int step = 0; step < 60; ++step) {
		horner(z, &v, &s);
		if (hipCabs(v) < 1e-12 || hipCabs(s) < 1e-9)
			break;
		z = hipCsub(z, hipCdiv(v, s));
	}
	const double x = hipCreal(z), y = hipCimag(z);
	if (fabs(x - 1) < 1e-6 && fabs(y) < 1e-6)
		root[i] = 1;
	else if (fabs(x + 1) < 1e-6 && fabs(y) < 1e-6)
		root[i] = 2;
	else if (fabs(x) < 1e-6 && fabs(y - 1) < 1e-6)
		root[i] = 3;
	else if (fabs(x) < 1e-6 && fabs(y + 1) < 1e-6)
		root[i] = 4;
	else
		root[i] = 0;
}

/* Single precision: |z|^2 as z times its conjugate. */
__global__ void energies(const hipDoubleComplex *in, float *out, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		hipFloatComplex z = hipComplexDoubleToFloat(in[i]);
		out[i] = hipCrealf(hipCmulf(z, hipConjf(z)));
	}
}

int main(void)
{
	const int side = 128, n = side * side, threads = 128;
	/* z^4 - 1 */
	hipDoubleComplex c[DEGREE + 1];
	for (int k = 0; k <= DEGREE; ++k)
		c[k] = make_hipDoubleComplex(0.0, 0.0);
	c[0].x = 1.0;
	c[DEGREE].x = -1.0;
	CHECK(hipMemcpyToSymbol(HIP_SYMBOL(coeff), c, sizeof(c)));

	hipDoubleComplex *d_values;
	int *d_root;
	float *d_energy;
	CHECK(hipMalloc((void **)&d_values, n * sizeof(hipDoubleComplex)));
	CHECK(hipMalloc((void **)&d_root, n * sizeof(int)));
	CHECK(hipMalloc((void **)&d_energy, n * sizeof(float)));

	hipLaunchKernelGGL(evaluate, dim3(n / threads), dim3(threads), 0, 0, d_values, d_root, side);
	CHECK(hipGetLastError());
	hipLaunchKernelGGL(energies, dim3(n / threads), dim3(threads), 0, 0, d_values, d_energy, n);
	CHECK(hipGetLastError());
	CHECK(hipDeviceSynchronize());

	std::vector<hipDoubleComplex> values(n);
	std::vector<int> root(n);
	std::vector<float> energy(n);
	CHECK(hipMemcpy(values.data(), d_values, n * sizeof(hipDoubleComplex), hipMemcpyDeviceToHost));
	CHECK(hipMemcpy(root.data(), d_root, n * sizeof(int), hipMemcpyDeviceToHost));
	CHECK(hipMemcpy(energy.data(), d_energy, n * sizeof(float), hipMemcpyDeviceToHost));

	int off = 0, settled[5] = {0, 0, 0, 0, 0};
	double largest = 0;
	for (int i = 0; i < n; ++i) {
		const hipDoubleComplex g = grid_point(i, side);
		const std::complex<double> z(g.x, g.y), want = z * z * z * z - 1.0;
		const std::complex<double> got(hipCreal(values[i]), hipCimag(values[i]));
		if (std::abs(got - want) > 1e-10)
			++off;
		if (std::abs(energy[i] - std::norm(want)) > 1e-4 * (1 + std::norm(want)))
			++off;
		if (std::abs(want) > largest)
			largest = std::abs(want);
		++settled[root[i]];
	}
	/* the four basins are images of each other, up to rounding at their edges */
	bool fair = settled[0] < n / 30;
	for (int k = 1; k <= 4; ++k)
		fair = fair && settled[k] > n / 5 && settled[k] < n / 3;
	printf("points %d degree %d\n", n, DEGREE);
	printf("largest |p| %.1f, values off %d, basins %s\n", largest, off, fair ? "fair" : "lopsided");

	CHECK(hipFree(d_values));
	CHECK(hipFree(d_root));
	CHECK(hipFree(d_energy));
	const bool ok = off == 0 && fair;
	puts(ok ? "PASS" : "FAIL");
	return ok ? 0 : 1;
}
