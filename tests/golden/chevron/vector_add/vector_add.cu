/*
 * vector_add: c = a + b in three ways (one element per thread, grid-stride
 * loop, and float4 loads with a scalar tail). All inputs are multiples of
 * 0.25, so every sum is exact and the three results must agree bit for bit.
 */
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call)                                                         \
	do {                                                                \
		hipError_t err_ = (call);                                  \
		if (err_ != hipSuccess) {                                  \
			fprintf(stderr, "%s:%d: %s failed: %s\n", __FILE__, \
				__LINE__, #call, hipGetErrorString(err_)); \
			exit(1);                                            \
		}                                                           \
	} while (0)

#define N 1000003
#define BLOCK 256

__global__ void add_plain(const float *a, const float *b, float *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = a[i] + b[i];
}

__global__ void add_stride(const float *a, const float *b, float *c, int n)
{
	int step = gridDim.x * blockDim.x;

	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
		c[i] = a[i] + b[i];
}

/* Four elements per thread; the last n % 4 elements go to the first threads. */
__global__ void add_vec4(const float *a, const float *b, float *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int quads = n / 4;

	if (i < quads) {
		float4 x = reinterpret_cast<const float4 *>(a)[i];
		float4 y = reinterpret_cast<const float4 *>(b)[i];
		reinterpret_cast<float4 *>(c)[i] =
			make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
	}
	if (i < n - quads * 4) {
		int t = quads * 4 + i;
		c[t] = a[t] + b[t];
	}
}

static int count_wrong(const float *got, const float *want, int n)
{
	int wrong = 0;

	for (int i = 0; i < n; i++)
		wrong += got[i] != want[i];
	return wrong;
}

int main(void)
{
	const size_t bytes = N * sizeof(float);
	float *h_a = (float *)malloc(bytes);
	float *h_b = (float *)malloc(bytes);
	float *h_c = (float *)malloc(bytes);
	float *h_ref = (float *)malloc(bytes);
	float *d_a = NULL, *d_b = NULL, *d_c = NULL;
	int wrong[3];
	double total = 0.0;

	if (!h_a || !h_b || !h_c || !h_ref) {
		fprintf(stderr, "out of host memory\n");
		return 1;
	}
	for (int i = 0; i < N; i++) {
		h_a[i] = 0.5f * (float)(i % 1000);
		h_b[i] = 0.25f * (float)(i % 77);
		h_ref[i] = h_a[i] + h_b[i];
	}

	CHECK(hipSetDevice(0));
	CHECK(hipMalloc((void **)&d_a, bytes));
	CHECK(hipMalloc((void **)&d_b, bytes));
	CHECK(hipMalloc((void **)&d_c, bytes));
	CHECK(hipMemcpy(d_a, h_a, bytes, hipMemcpyHostToDevice));
	CHECK(hipMemcpy(d_b, h_b, bytes, hipMemcpyHostToDevice));

	for (int variant = 0; variant < 3; variant++) {
		CHECK(hipMemset(d_c, 0xff, bytes)); /* NaN pattern */
		switch (variant) {
		case 0:
			add_plain<<<(N + BLOCK - 1) / BLOCK, BLOCK>>>(d_a, d_b, d_c, N);
			break;
		case 1:
			add_stride<<<64, BLOCK>>>(d_a, d_b, d_c, N);
			break;
		default:
			add_vec4<<<(N / 4 + BLOCK - 1) / BLOCK, BLOCK, 0, 0>>>(d_a, d_b, d_c, N);
			break;
		}
		CHECK(hipGetLastError());
		CHECK(hipDeviceSynchronize());
		CHECK(hipMemcpy(h_c, d_c, bytes, hipMemcpyDeviceToHost));
		wrong[variant] = count_wrong(h_c, h_ref, N);
	}

	for (int i = 0; i < N; i++)
		total += h_c[i];

	CHECK(hipFree(d_a));
	CHECK(hipFree(d_b));
	CHECK(hipFree(d_c));
	free(h_a);
	free(h_b);
	free(h_c);
	free(h_ref);

	int ok = wrong[0] == 0 && wrong[1] == 0 && wrong[2] == 0;
	printf("elements: %d\n", N);
	printf("wrong: plain %d, stride %d, vec4 %d\n", wrong[0], wrong[1], wrong[2]);
	printf("sum: %.2f\n", total);
	printf("%s\n", ok ? "PASS" : "FAIL");
	return ok ? 0 : 1;
}
