/*
 * y = A x for a sparse matrix in CSR form.
 *
 * The scalar kernel gives each row to one thread, the vector kernel gives
 * each row to one group of 32 lanes, which add up their parts with shuffles.
 */
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define WARP 32
#define FULL_MASK 0xffffffff

static void cuda_assert(hipError_t err, int line)
{
	if (err != hipSuccess)
	{
		fprintf(stderr, "CUDA error in line %d: %s\n", line, hipGetErrorString(err));
		exit(EXIT_FAILURE);
	}
}
#define CUDA_ASSERT(e) cuda_assert(e, __LINE__)

struct csr_matrix
{
	int rows;
	int cols;
	std::vector<int> row_start;
	std::vector<int> col;
	std::vector<float> val;
};

__global__ void spmv_scalar(int rows, const int *row_start, const int *col,
                            const float *val, const float *x, float *y)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row < rows)
	{
		float sum = 0.0f;
		for (int k = row_start[row]; k < row_start[row + 1]; k++)
			sum += val[k] * x[col[k]];
		y[row] = sum;
	}
}

__global__ void spmv_vector(int rows, const int *__restrict__ row_start, const int *__restrict__ col,
                            const float *__restrict__ val, const float *__restrict__ x, float *__restrict__ y)
{
	int thread = blockIdx.x * blockDim.x + threadIdx.x;
	int row = thread / WARP;
	int lane = thread % WARP;

	if (row < rows) /* the same for all lanes of a warp */
	{
		float sum = 0.0f;
		for (int k = row_start[row] + lane; k < row_start[row + 1]; k += WARP)
			sum += val[k] * __ldg(&x[col[k]]);

		for (int delta = WARP / 2; delta > 0; delta >>= 1)
			sum += __shfl_down(sum, delta, WARP);

		if (lane == 0)
			y[row] = sum;
	}
}

/* Row lengths vary from 0 to about 200; values and x are small integers. */
static csr_matrix make_matrix(int rows, int cols)
{
	csr_matrix m;
	m.rows = rows;
	m.cols = cols;
	m.row_start.push_back(0);
	for (int r = 0; r < rows; r++)
	{
		int length = (r % 17 == 0) ? 0 : (r * 29) % 37;
		if (r % 101 == 5)
			length += 163;
		for (int k = 0; k < length; k++)
		{
			m.col.push_back((r * 3 + k * 11) % cols);
			m.val.push_back((float)((r + k) % 9 - 4));
		}
		m.row_start.push_back((int)m.col.size());
	}
	return m;
}

template <typename T>
static T *to_device(const std::vector<T> &host)
{
	T *device;
	CUDA_ASSERT(hipMalloc((void **)&device, host.size() * sizeof(T)));
	CUDA_ASSERT(hipMemcpy(device, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice));
	return device;
}

int main()
{
	csr_matrix m = make_matrix(5000, 4096);
	std::vector<float> x(m.cols), y(m.rows), want(m.rows, 0.0f);

	for (int i = 0; i < m.cols; i++)
		x[i] = (float)(i % 7 - 2);
	for (int r = 0; r < m.rows; r++)
		for (int k = m.row_start[r]; k < m.row_start[r + 1]; k++)
			want[r] += m.val[k] * x[m.col[k]];

	int *d_row_start = to_device(m.row_start);
	int *d_col = to_device(m.col);
	float *d_val = to_device(m.val);
	float *d_x = to_device(x);
	float *d_y;
	CUDA_ASSERT(hipMalloc(&d_y, m.rows * sizeof(float)));

	int failures = 0;
	printf("rows %d, nonzeros %d\n", m.rows, m.row_start[m.rows]);
	for (int variant = 0; variant < 2; variant++)
	{
		int threads = 256;
		CUDA_ASSERT(hipMemset(d_y, 0xff, m.rows * sizeof(float)));
		if (variant == 0)
		{
			int blocks = (m.rows + threads - 1) / threads;
			hipLaunchKernelGGL(spmv_scalar, dim3(blocks), dim3(threads), 0, 0, m.rows, d_row_start, d_col, d_val, d_x, d_y);
		}
		else
		{
			int rows_per_block = threads / WARP;
			hipLaunchKernelGGL(spmv_vector,
				dim3((m.rows + rows_per_block - 1) / rows_per_block), dim3(threads), 0, 0,
				m.rows, d_row_start, d_col, d_val, d_x, d_y);
		}
		CUDA_ASSERT(hipGetLastError());
		CUDA_ASSERT(hipMemcpy(y.data(), d_y, m.rows * sizeof(float), hipMemcpyDeviceToHost));

		int wrong = 0;
		long long weighted = 0;
		for (int r = 0; r < m.rows; r++)
		{
			if (y[r] != want[r])
				wrong++;
			weighted += (long long)(r % 97) * (long long)y[r];
		}
		printf("%s: wrong rows %d, weighted sum %lld\n", variant ? "vector" : "scalar", wrong, weighted);
		failures += wrong;
	}

	hipFree(d_row_start);
	hipFree(d_col);
	hipFree(d_val);
	hipFree(d_x);
	hipFree(d_y);
	printf(failures ? "FAIL\n" : "PASS\n");
	return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
