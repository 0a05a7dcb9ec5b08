// Sparse matrix times vector, one warp a row (CSR), and 4 or 8 lanes a row for short rows.
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

template <int THREADS_PER_VECTOR>
__global__ void csr_vector(int rows, const int *row_ptr, const int *col, const double *val, const double *x, double *y) {
    const int thread_id = blockDim.x * blockIdx.x + threadIdx.x;
    const int lane = thread_id & (THREADS_PER_VECTOR - 1);
    const int vectors = gridDim.x * blockDim.x / THREADS_PER_VECTOR;
    for (int row = thread_id / THREADS_PER_VECTOR; row < rows; row += vectors) {
        double sum = 0;
        for (int j = row_ptr[row] + lane; j < row_ptr[row + 1]; j += THREADS_PER_VECTOR) sum += val[j] * x[col[j]];
        const unsigned mask = THREADS_PER_VECTOR == 32
            ? 0xffffffffu
            : ((1u << (THREADS_PER_VECTOR & 31)) - 1) << (threadIdx.x % 32 / THREADS_PER_VECTOR * THREADS_PER_VECTOR);
        for (int d = THREADS_PER_VECTOR / 2; d > 0; d /= 2) sum += __shfl_down_sync(mask, sum, d, THREADS_PER_VECTOR);
        if (lane == 0) y[row] = sum;
    }
}

int main() {
    const int rows = 75;
    std::vector<int> ptr{0}, col;
    std::vector<double> val, x(rows), y(rows), want(rows, 0.0);
    for (int i = 0; i < rows; ++i) x[i] = i % 11;
    for (int r = 0; r < rows; ++r) {
        for (int k = 0; k < (r * 29) % 83; ++k) {
            col.push_back((r + k * 3) % rows);
            val.push_back(k % 6 - 2);
            want[r] += val.back() * x[col.back()];
        }
        ptr.push_back((int)col.size());
    }
    int *d_ptr, *d_col;
    double *d_val, *d_x, *d_y;
    cudaMalloc(&d_ptr, ptr.size() * sizeof(int));
    cudaMalloc(&d_col, col.size() * sizeof(int));
    cudaMalloc(&d_val, val.size() * sizeof(double));
    cudaMalloc(&d_x, rows * sizeof(double));
    cudaMalloc(&d_y, rows * sizeof(double));
    cudaMemcpy(d_ptr, ptr.data(), ptr.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_col, col.data(), col.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_val, val.data(), val.size() * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x.data(), rows * sizeof(double), cudaMemcpyHostToDevice);
    int errors = 0;
    for (int kind = 0; kind < 3; ++kind) {
        cudaMemset(d_y, 0, rows * sizeof(double));
        if (kind == 0) csr_vector<32><<<3, 96>>>(rows, d_ptr, d_col, d_val, d_x, d_y);
        if (kind == 1) csr_vector<8><<<3, 64>>>(rows, d_ptr, d_col, d_val, d_x, d_y);
        if (kind == 2) csr_vector<4><<<1, 128>>>(rows, d_ptr, d_col, d_val, d_x, d_y);
        cudaMemcpy(y.data(), d_y, rows * sizeof(double), cudaMemcpyDeviceToHost);
        for (int r = 0; r < rows; ++r) errors += y[r] != want[r];
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
