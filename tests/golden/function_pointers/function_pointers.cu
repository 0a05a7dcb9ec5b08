/* Device function pointers: fetched from device symbols, kept in tables in
 * device and constant memory, and passed to kernels inside structs. */
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>

typedef int (*binary_op)(int, int);
typedef float (*shape_fn)(float);

#define TABLE_SIZE 4
#define N 4096

#define CUDA_OR_DIE(call)                                                  \
	do {                                                               \
		hipError_t status = call;                                 \
		if (status != hipSuccess) {                               \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, \
			        hipGetErrorString(status));               \
			exit(1);                                           \
		}                                                          \
	} while (0)

__host__ __device__ int op_add(int a, int b) { return a + b; }
__host__ __device__ int op_sub(int a, int b) { return a - b; }
__host__ __device__ int op_mul(int a, int b) { return a * b; }
__host__ __device__ int op_max(int a, int b) { return a > b ? a : b; }

__host__ __device__ float ramp(float x) { return x < 0.0f ? 0.0f : x; }
__host__ __device__ float hat(float x) { return x < 0.5f ? 2.0f * x : 2.0f - 2.0f * x; }

/* Addresses of device functions exist on the device only, so each one sits in
 * a variable there and is copied to the host from it. */
__device__ binary_op p_add = op_add;
__device__ binary_op p_max = op_max;
__device__ shape_fn p_ramp = ramp;
__device__ shape_fn p_hat = hat;

__device__ binary_op d_table[TABLE_SIZE] = { op_add, op_sub, op_mul, op_max };
__constant__ binary_op c_table[TABLE_SIZE];

struct stage {
	binary_op combine;
	shape_fn shape;
	int operand;
};

__global__ void apply(binary_op op, const int *a, const int *b, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = op(a[i], b[i]);
}

/* Element i uses the table's entry i % TABLE_SIZE. */
__global__ void apply_mixed(const int *a, const int *b, int *out, int use_constant)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	binary_op *table = use_constant ? c_table : d_table;
	out[i] = table[i % TABLE_SIZE](a[i], b[i]);
}

__global__ void run_stages(const stage *stages, int count, const int *a, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = a[i];
	for (int s = 0; s < count; s++) {
		v = stages[s].combine(v, stages[s].operand);
		if (stages[s].shape != NULL)
			v = (int)(16.0f * stages[s].shape((float)v / 16.0f));
	}
	out[i] = v;
}

template <binary_op OP>
__global__ void apply_static(const int *a, const int *b, int *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = OP(a[i], b[i]);
}

static int h_a[N], h_b[N], h_out[N];
static int *d_a, *d_b, *d_out;
static int all_wrong;

static void fetch(const char *what, int (*expected)(int i))
{
	int wrong = 0;
	long sum = 0;

	CUDA_OR_DIE(hipGetLastError());
	CUDA_OR_DIE(hipMemcpy(h_out, d_out, sizeof(h_out), hipMemcpyDeviceToHost));
	for (int i = 0; i < N; i++) {
		wrong += h_out[i] != expected(i);
		sum += h_out[i];
	}
	printf("%-16s sum %ld, wrong %d\n", what, sum, wrong);
	all_wrong += wrong;
}

static int want_max(int i) { return op_max(h_a[i], h_b[i]); }
static int want_mul(int i) { return op_mul(h_a[i], h_b[i]); }
static int want_mixed(int i)
{
	static const binary_op host_table[TABLE_SIZE] = { op_add, op_sub, op_mul, op_max };
	return host_table[i % TABLE_SIZE](h_a[i], h_b[i]);
}
static int want_stages(int i)
{
	int v = op_add(h_a[i], -20);
	v = (int)(16.0f * ramp((float)v / 16.0f));
	v = op_max(v, 3);
	return (int)(16.0f * hat((float)v / 16.0f));
}

int main(void)
{
	binary_op h_add, h_max, h_table[TABLE_SIZE];
	stage stages[2], *d_stages;

	for (int i = 0; i < N; i++) {
		h_a[i] = (i * 13) % 101 - 30;
		h_b[i] = (i * 7) % 89 - 40;
	}
	CUDA_OR_DIE(hipMalloc((void **)&d_a, sizeof(h_a)));
	CUDA_OR_DIE(hipMalloc((void **)&d_b, sizeof(h_b)));
	CUDA_OR_DIE(hipMalloc((void **)&d_out, sizeof(h_out)));
	CUDA_OR_DIE(hipMalloc((void **)&d_stages, sizeof(stages)));
	CUDA_OR_DIE(hipMemcpy(d_a, h_a, sizeof(h_a), hipMemcpyHostToDevice));
	CUDA_OR_DIE(hipMemcpy(d_b, h_b, sizeof(h_b), hipMemcpyHostToDevice));

	/* One pointer as a kernel argument. */
	CUDA_OR_DIE(hipMemcpyFromSymbol(&h_add, HIP_SYMBOL(p_add), sizeof(binary_op)));
	CUDA_OR_DIE(hipMemcpyFromSymbol(&h_max, HIP_SYMBOL(p_max), sizeof(binary_op)));
	hipLaunchKernelGGL(apply, dim3(N / 128), dim3(128), 0, 0, h_max, d_a, d_b, d_out);
	fetch("argument", want_max);

	/* A table on the device, and its copy in constant memory. */
	hipLaunchKernelGGL(apply_mixed, dim3(N / 128), dim3(128), 0, 0, d_a, d_b, d_out, 0);
	fetch("device table", want_mixed);
	CUDA_OR_DIE(hipMemcpyFromSymbol(h_table, HIP_SYMBOL(d_table), sizeof(h_table)));
	CUDA_OR_DIE(hipMemcpyToSymbol(HIP_SYMBOL(c_table), h_table, sizeof(h_table)));
	hipLaunchKernelGGL(apply_mixed, dim3(N / 128), dim3(128), 0, 0, d_a, d_b, d_out, 1);
	fetch("constant table", want_mixed);

	/* Pointers inside structs. */
	stages[0].combine = h_add;
	stages[0].operand = -20;
	CUDA_OR_DIE(hipMemcpyFromSymbol(&stages[0].shape, HIP_SYMBOL(p_ramp), sizeof(shape_fn)));
	stages[1].combine = h_max;
	stages[1].operand = 3;
	CUDA_OR_DIE(hipMemcpyFromSymbol(&stages[1].shape, HIP_SYMBOL(p_hat), sizeof(shape_fn)));
	CUDA_OR_DIE(hipMemcpy(d_stages, stages, sizeof(stages), hipMemcpyHostToDevice));
	hipLaunchKernelGGL(run_stages, dim3(N / 256), dim3(256), 0, 0, d_stages, 2, d_a, d_out);
	fetch("stages", want_stages);

	/* Known at compile time. */
	hipLaunchKernelGGL(apply_static<op_mul>, dim3(N / 64), dim3(64), 0, 0, d_a, d_b, d_out);
	fetch("template", want_mul);

	CUDA_OR_DIE(hipFree(d_a));
	CUDA_OR_DIE(hipFree(d_b));
	CUDA_OR_DIE(hipFree(d_out));
	CUDA_OR_DIE(hipFree(d_stages));
	printf("%s\n", all_wrong ? "FAIL" : "PASS");
	return all_wrong ? 1 : 0;
}
