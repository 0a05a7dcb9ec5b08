// Triangular solve without levels: a thread a row, which spins until the rows that it needs are solved.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void solve(const int *ptr, const int *col, const double *val, const double *b, double *x, int *ready, int n) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    double sum = b[row];
    for (int k = ptr[row]; k < ptr[row + 1]; ++k) {
        while (atomicAdd(&ready[col[k]], 0) != 1) ;  // warned: HIP311
        sum -= val[k] * ((volatile double *)x)[col[k]];
    }
    ((volatile double *)x)[row] = sum;
    __threadfence();
    atomicExch(&ready[row], 1);
}
int main() {
    const int n = 60;
    int ptr[n + 1] = {0}, col[2 * n], *d_p, *d_c, *d_r, errors = 0;
    double val[2 * n], b[n], x[n], want[n], *d_v, *d_b, *d_x;
    for (int r = 0, k = 0; r < n; ++r) {
        want[r] = b[r] = r % 5 + 1;
        for (int c : {r - 1, r - 7})
            if (c >= 0) {
                col[k] = c;
                val[k] = (r + c) % 3 - 1;
                want[r] -= val[k++] * want[c];
            }
        ptr[r + 1] = k;
    }
    cudaMalloc(&d_p, sizeof(ptr));
    cudaMalloc(&d_c, sizeof(col));
    cudaMalloc(&d_r, n * sizeof(int));
    cudaMalloc(&d_v, sizeof(val));
    cudaMalloc(&d_b, sizeof(b));
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_p, ptr, sizeof(ptr), cudaMemcpyHostToDevice);
    cudaMemcpy(d_c, col, sizeof(col), cudaMemcpyHostToDevice);
    cudaMemcpy(d_v, val, sizeof(val), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof(b), cudaMemcpyHostToDevice);
    cudaMemset(d_r, 0, n * sizeof(int));
    solve<<<1, 64>>>(d_p, d_c, d_v, d_b, d_x, d_r, n);
    cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDeviceToHost);
    for (int r = 0; r < n; ++r) errors += x[r] != want[r];
    printf("errors %d\n", errors);
    return errors != 0;
}
