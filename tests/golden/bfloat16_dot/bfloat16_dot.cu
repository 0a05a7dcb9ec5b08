/*
 * bfloat16: rounds floats to bfloat16 on the device, checks the rounding bit by
 * bit against integer code on the host, and takes a dot product in which only
 * the storage is narrow.
 */
#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 16384
#define THREADS 256

static hipError_t last;
#define OK_OR_DIE(x) \
	if ((last = (x)) != hipSuccess) { fprintf(stderr, "line %d: %s\n", __LINE__, hipGetErrorString(last)); exit(1); }

__global__ void narrow(const float *in, __hip_bfloat16 *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = __float2bfloat16(in[i]);
}

__global__ void dot(const __hip_bfloat162 *x, const __hip_bfloat162 *y, double *result, int pairs)
{
	__shared__ double sums[THREADS];
	double s = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pairs; i += gridDim.x * blockDim.x) {
		float2 a = __bfloat1622float2(x[i]);
		float2 b = __bfloat1622float2(y[i]);
		s += (double)a.x * b.x;
		s += (double)a.y * b.y;
	}
	sums[threadIdx.x] = s;
	__syncthreads();
	for (int k = THREADS / 2; k; k >>= 1) {
		if (threadIdx.x < k)
			sums[threadIdx.x] += sums[threadIdx.x + k];
		__syncthreads();
	}
	if (!threadIdx.x)
		result[blockIdx.x] = sums[0];
}

/* z = x*y + 1 in bfloat16 arithmetic, on small integers */
__global__ void fuse(const __hip_bfloat16 *x, const __hip_bfloat16 *y, __hip_bfloat16 *z, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	__hip_bfloat16 one = __float2bfloat16(1.0f);
	if (i < n)
		z[i] = __hadd(__hmul(x[i], y[i]), one);
}

/* Round to nearest even on the bits; no NaNs come here. */
static uint16_t reference_bits(float f)
{
	uint32_t u;
	memcpy(&u, &f, sizeof u);
	u += 0x7fffu + ((u >> 16) & 1u);
	return (uint16_t)(u >> 16);
}

static float widen(uint16_t b)
{
	uint32_t u = (uint32_t)b << 16;
	float f;
	memcpy(&f, &u, sizeof f);
	return f;
}

int main()
{
	static float hx[COUNT], hy[COUNT];
	static uint16_t bx[COUNT], by[COUNT];
	static __hip_bfloat16 hz[COUNT];
	const int blocks = COUNT / THREADS;
	float *dx, *dy;
	__hip_bfloat16 *nx, *ny, *nz;
	double *dsum, hsum[8];
	int i, wrong = 0;

	for (i = 0; i < COUNT; i++) {
		/* many mantissa bits, several binades, exact ties now and then */
		hx[i] = (float)((i * 1103515245u + 12345u) % 65536u) / 256.0f - 128.0f;
		hy[i] = (i % 16 == 0) ? 1.00390625f : 3.0f + (float)(i % 777) / 1000.0f;
	}
	OK_OR_DIE(hipMalloc(&dx, sizeof hx));
	OK_OR_DIE(hipMalloc(&dy, sizeof hy));
	OK_OR_DIE(hipMalloc(&nx, COUNT * sizeof *nx));
	OK_OR_DIE(hipMalloc(&ny, COUNT * sizeof *ny));
	OK_OR_DIE(hipMalloc(&nz, COUNT * sizeof *nz));
	OK_OR_DIE(hipMalloc(&dsum, sizeof hsum));
	OK_OR_DIE(hipMemcpy(dx, hx, sizeof hx, hipMemcpyHostToDevice));
	OK_OR_DIE(hipMemcpy(dy, hy, sizeof hy, hipMemcpyHostToDevice));

	hipLaunchKernelGGL(narrow, dim3(blocks), dim3(THREADS), 0, 0, dx, nx, COUNT);
	hipLaunchKernelGGL(narrow, dim3(blocks), dim3(THREADS), 0, 0, dy, ny, COUNT);
	OK_OR_DIE(hipGetLastError());
	OK_OR_DIE(hipMemcpy(bx, nx, sizeof bx, hipMemcpyDeviceToHost));
	OK_OR_DIE(hipMemcpy(by, ny, sizeof by, hipMemcpyDeviceToHost));
	unsigned long bits = 0;
	for (i = 0; i < COUNT; i++) {
		wrong += bx[i] != reference_bits(hx[i]);
		wrong += by[i] != reference_bits(hy[i]);
		bits += bx[i] ^ by[i];
	}
	printf("rounded %d values, bit checksum %lu, wrong %d\n", 2 * COUNT, bits, wrong);

	hipLaunchKernelGGL(dot, dim3(8), dim3(THREADS), 0, 0, (const __hip_bfloat162 *)nx, (const __hip_bfloat162 *)ny, dsum, COUNT / 2);
	OK_OR_DIE(hipGetLastError());
	OK_OR_DIE(hipMemcpy(hsum, dsum, sizeof hsum, hipMemcpyDeviceToHost));
	double got = 0, want = 0;
	for (i = 0; i < 8; i++)
		got += hsum[i];
	for (i = 0; i < COUNT; i++)
		want += (double)widen(bx[i]) * widen(by[i]);
	/* products of two 8-bit mantissas: exact in double, in any order */
	printf("dot %.3f\n", got);
	wrong += got != want;

	for (i = 0; i < COUNT; i++) {
		hx[i] = (float)(i % 15 - 7);
		hy[i] = (float)(i % 13 - 6);
	}
	OK_OR_DIE(hipMemcpy(dx, hx, sizeof hx, hipMemcpyHostToDevice));
	OK_OR_DIE(hipMemcpy(dy, hy, sizeof hy, hipMemcpyHostToDevice));
	hipLaunchKernelGGL(narrow, dim3(blocks), dim3(THREADS), 0, 0, dx, nx, COUNT);
	hipLaunchKernelGGL(narrow, dim3(blocks), dim3(THREADS), 0, 0, dy, ny, COUNT);
	hipLaunchKernelGGL(fuse, dim3(blocks), dim3(THREADS), 0, 0, nx, ny, nz, COUNT);
	OK_OR_DIE(hipGetLastError());
	OK_OR_DIE(hipMemcpy(hz, nz, sizeof hz, hipMemcpyDeviceToHost));
	long sum = 0;
	for (i = 0; i < COUNT; i++) {
		float z = __bfloat162float(hz[i]);
		wrong += z != hx[i] * hy[i] + 1.0f;
		sum += (long)z * (i % 4);
	}
	printf("fused checksum %ld, wrong %d\n", sum, wrong);

	OK_OR_DIE(hipFree(dx));
	OK_OR_DIE(hipFree(dy));
	OK_OR_DIE(hipFree(nx));
	OK_OR_DIE(hipFree(ny));
	OK_OR_DIE(hipFree(nz));
	OK_OR_DIE(hipFree(dsum));
	puts(wrong ? "FAIL" : "PASS");
	return wrong != 0;
}
