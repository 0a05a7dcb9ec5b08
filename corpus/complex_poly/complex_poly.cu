/*
 * Evaluates a complex polynomial on a grid of points with Horner's rule and
 * counts how Newton's method from each point settles on its roots.
 */
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuComplex.h>
#include <cuda_runtime.h>

#define DEGREE 4

#define CHECK(call)                                              \
	do {                                                     \
		cudaError_t rc = (call);                         \
		if (rc != cudaSuccess) {                         \
			fprintf(stderr, "%s\n",                  \
				cudaGetErrorString(rc));         \
			exit(1);                                 \
		}                                                \
	} while (0)

/* Highest power first. */
__constant__ cuDoubleComplex coeff[DEGREE + 1];

static __host__ __device__ cuDoubleComplex grid_point(int i, int side)
{
	return make_cuDoubleComplex(-2.0 + 4.0 * (i % side) / (side - 1),
				    -2.0 + 4.0 * (i / side) / (side - 1));
}

/* p(z), and p'(z) along with it. */
__device__ void horner(cuDoubleComplex z, cuDoubleComplex *value, cuDoubleComplex *slope)
{
	cuDoubleComplex v = coeff[0];
	cuDoubleComplex s = make_cuDoubleComplex(0.0, 0.0);
	for (int k = 1; k <= DEGREE; ++k) {
		s = cuCadd(cuCmul(s, z), v);
		v = cuCfma(v, z, coeff[k]);
	}
	*value = v;
	*slope = s;
}

__global__ void evaluate(cuDoubleComplex *values, int *root, int side)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= side * side)
		return;
	cuDoubleComplex z = grid_point(i, side), v, s;
	horner(z, &v, &s);
	values[i] = v;

	/* the roots are 1, -1, i and -i */
	for (int step = 0; step < 60; ++step) {
		horner(z, &v, &s);
		if (cuCabs(v) < 1e-12 || cuCabs(s) < 1e-9)
			break;
		z = cuCsub(z, cuCdiv(v, s));
	}
	const double x = cuCreal(z), y = cuCimag(z);
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
__global__ void energies(const cuDoubleComplex *in, float *out, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		cuFloatComplex z = cuComplexDoubleToFloat(in[i]);
		out[i] = cuCrealf(cuCmulf(z, cuConjf(z)));
	}
}

int main(void)
{
	const int side = 128, n = side * side, threads = 128;
	/* z^4 - 1 */
	cuDoubleComplex c[DEGREE + 1];
	for (int k = 0; k <= DEGREE; ++k)
		c[k] = make_cuDoubleComplex(0.0, 0.0);
	c[0].x = 1.0;
	c[DEGREE].x = -1.0;
	CHECK(cudaMemcpyToSymbol(coeff, c, sizeof(c)));

	cuDoubleComplex *d_values;
	int *d_root;
	float *d_energy;
	CHECK(cudaMalloc((void **)&d_values, n * sizeof(cuDoubleComplex)));
	CHECK(cudaMalloc((void **)&d_root, n * sizeof(int)));
	CHECK(cudaMalloc((void **)&d_energy, n * sizeof(float)));

	evaluate<<<n / threads, threads>>>(d_values, d_root, side);
	CHECK(cudaGetLastError());
	energies<<<n / threads, threads>>>(d_values, d_energy, n);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());

	std::vector<cuDoubleComplex> values(n);
	std::vector<int> root(n);
	std::vector<float> energy(n);
	CHECK(cudaMemcpy(values.data(), d_values, n * sizeof(cuDoubleComplex), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(root.data(), d_root, n * sizeof(int), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(energy.data(), d_energy, n * sizeof(float), cudaMemcpyDeviceToHost));

	int off = 0, settled[5] = {0, 0, 0, 0, 0};
	double largest = 0;
	for (int i = 0; i < n; ++i) {
		const cuDoubleComplex g = grid_point(i, side);
		const std::complex<double> z(g.x, g.y), want = z * z * z * z - 1.0;
		const std::complex<double> got(cuCreal(values[i]), cuCimag(values[i]));
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

	CHECK(cudaFree(d_values));
	CHECK(cudaFree(d_root));
	CHECK(cudaFree(d_energy));
	const bool ok = off == 0 && fair;
	puts(ok ? "PASS" : "FAIL");
	return ok ? 0 : 1;
}
