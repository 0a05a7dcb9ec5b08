// Layer normalisation statistics: mean, variance and count are merged by shuffles, in double, for rows of many lengths.
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

template <typename T> struct Moments { T mean, m2; int n; };

template <typename T, int WarpSize = 32>
struct WelfordOps {
    __device__ static Moments<T> merge(Moments<T> a, Moments<T> b) {
        if (a.n == 0) return b;
        if (b.n == 0) return a;
        T delta = b.mean - a.mean;
        int n = a.n + b.n;
        return {a.mean + delta * b.n / n, a.m2 + b.m2 + delta * delta * a.n * b.n / n, n};
    }
    __device__ static Moments<T> shuffle_down(Moments<T> a, int offset) {
        return {__shfl_down_sync(~0u, a.mean, offset), __shfl_down_sync(~0u, a.m2, offset), __shfl_down_sync(~0u, a.n, offset)};
    }
    __device__ static Moments<T> reduce(Moments<T> a) {
        for (int offset = WarpSize / 2; offset >= 1; offset >>= 1) a = merge(a, shuffle_down(a, offset));
        return a;
    }
};

__global__ void norm(const double *x, int cols, double *mean, double *variance, int *count) {
    __shared__ Moments<double> shared[32];
    const double *row = x + blockIdx.x * cols;
    Moments<double> m = {0, 0, 0};
    for (int c = threadIdx.x; c < cols; c += blockDim.x) m = WelfordOps<double>::merge(m, {row[c], 0, 1});
    m = WelfordOps<double>::reduce(m);
    if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = m;
    __syncthreads();
    if (threadIdx.x < 32) {
        m = threadIdx.x < blockDim.x / 32 ? shared[threadIdx.x] : Moments<double>{0, 0, 0};
        m = WelfordOps<double>::reduce(m);
        if (threadIdx.x == 0) {
            mean[blockIdx.x] = m.mean;
            variance[blockIdx.x] = m.m2 / m.n;
            count[blockIdx.x] = m.n;
        }
    }
}

int main() {
    const int rows = 3;
    int errors = 0;
    for (int cols : {5, 64, 117, 250}) {
        static double x[rows * 250];
        double mean[rows], var[rows], *d_x, *d_m, *d_v;
        int count[rows], *d_c;
        for (int i = 0; i < rows * cols; ++i) x[i] = (i * 29) % 31 * 0.5;
        cudaMalloc(&d_x, sizeof(x));
        cudaMalloc(&d_m, sizeof(mean));
        cudaMalloc(&d_v, sizeof(var));
        cudaMalloc(&d_c, sizeof(count));
        cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
        norm<<<rows, 96>>>(d_x, cols, d_m, d_v, d_c);
        cudaMemcpy(mean, d_m, sizeof(mean), cudaMemcpyDeviceToHost);
        cudaMemcpy(var, d_v, sizeof(var), cudaMemcpyDeviceToHost);
        cudaMemcpy(count, d_c, sizeof(count), cudaMemcpyDeviceToHost);
        for (int r = 0; r < rows; ++r) {
            double m = 0, v = 0;
            for (int c = 0; c < cols; ++c) m += x[r * cols + c] / cols;
            for (int c = 0; c < cols; ++c) v += (x[r * cols + c] - m) * (x[r * cols + c] - m) / cols;
            errors += count[r] != cols || !(std::fabs(mean[r] - m) < 1e-9) || !(std::fabs(var[r] - v) < 1e-9);
        }
    }
    printf("errors %d\n", errors);
    return errors != 0;
}
