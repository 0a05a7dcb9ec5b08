#include <cstdio>
#include "kernels.h"
static Plan make_plan(int rows, int cols) {
    const int rows_per_block = 4;
    return Plan{rows / rows_per_block, rows_per_block << 5, cols};
}
int main() {
    const int rows = 12, cols = 30;
    static int in[rows * cols], out[rows * cols], *d_in, *d_out;
    for (int i = 0; i < rows * cols; ++i) in[i] = i % 19;
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    launch(make_plan(rows, cols), d_in, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    int errors = 0;
    for (int r = 0; r < rows; ++r)
        for (int c = 0, s = 0; c < cols; ++c) errors += out[r * cols + c] != (s += in[r * cols + c]);
    printf("errors %d\n", errors);
    return errors != 0;
}
