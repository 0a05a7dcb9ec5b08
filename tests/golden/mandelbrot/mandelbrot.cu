// Mandelbrot iteration counts. The exact picture is computed in 8.24 fixed
// point, where CPU and GPU must agree on every pixel; a float version must
// agree with it on all but a few pixels near the boundary.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstdint>
#include <vector>

#define WIDTH      640
#define HEIGHT     480
#define MAX_ITER   200
#define FRACTION   24

#define CUDA_CALL(x) do { if ((x) != hipSuccess) { \
    fprintf(stderr, "CUDA failure at %s:%d\n", __FILE__, __LINE__); \
    exit(1); } } while (0)

struct View
{
    double left, top, step;
};

__host__ __device__ static int iterations_fixed(int64_t cr, int64_t ci)
{
    const int64_t four = (int64_t)4 << FRACTION;
    int64_t zr = 0, zi = 0;
    int i = 0;
    for (; i < MAX_ITER; ++i)
    {
        const int64_t rr = (zr * zr) >> FRACTION;
        const int64_t ii = (zi * zi) >> FRACTION;
        if (rr + ii > four)
            break;
        zi = ((zr * zi) >> (FRACTION - 1)) + ci;
        zr = rr - ii + cr;
    }
    return i;
}

__host__ __device__ static int64_t to_fixed(double v)
{
    return (int64_t)(v * (double)((int64_t)1 << FRACTION));
}

__global__ void mandel_fixed(unsigned short *out, View view)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= WIDTH || y >= HEIGHT)
        return;
    const int64_t step = to_fixed(view.step);
    out[y * WIDTH + x] = (unsigned short)iterations_fixed(to_fixed(view.left) + x * step,
                                                          to_fixed(view.top) - y * step);
}

__global__ void mandel_float(unsigned short *out, View view)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= WIDTH || y >= HEIGHT)
        return;
    const float2 c = make_float2((float)view.left + x * (float)view.step,
                                 (float)view.top - y * (float)view.step);
    float2 z = make_float2(0.0f, 0.0f);
    int i = 0;
    while (i < MAX_ITER && z.x * z.x + z.y * z.y <= 4.0f)
    {
        z = make_float2(z.x * z.x - z.y * z.y + c.x, 2.0f * z.x * z.y + c.y);
        ++i;
    }
    out[y * WIDTH + x] = (unsigned short)i;
}

int main()
{
    const size_t pixels = (size_t)WIDTH * HEIGHT;
    const View view = { -2.25, 1.125, 1.0 / 208.0 };
    std::vector<unsigned short> fixed(pixels), approx(pixels);
    unsigned short *d_out = NULL;

    CUDA_CALL(hipMalloc(&d_out, pixels * sizeof(*d_out)));

    dim3 block(16, 16);
    dim3 grid((WIDTH + block.x - 1) / block.x, (HEIGHT + block.y - 1) / block.y);

    hipLaunchKernelGGL(mandel_fixed, grid, block, 0, 0, d_out, view);
    CUDA_CALL(hipGetLastError());
    CUDA_CALL(hipMemcpy(fixed.data(), d_out, pixels * sizeof(*d_out), hipMemcpyDeviceToHost));

    hipLaunchKernelGGL(mandel_float, grid, block, 0, hipStreamDefault, d_out, view);
    CUDA_CALL(hipGetLastError());
    CUDA_CALL(hipMemcpy(approx.data(), d_out, pixels * sizeof(*d_out), hipMemcpyDeviceToHost));
    CUDA_CALL(hipFree(d_out));

    size_t wrong = 0, off = 0, inside = 0;
    unsigned long long total = 0;
    const int64_t step = to_fixed(view.step);
    for (int y = 0; y < HEIGHT; ++y)
    {
        for (int x = 0; x < WIDTH; ++x)
        {
            const size_t p = (size_t)y * WIDTH + x;
            const int want = iterations_fixed(to_fixed(view.left) + x * step,
                                              to_fixed(view.top) - y * step);
            wrong += fixed[p] != want;
            off += fixed[p] != approx[p];
            inside += fixed[p] == MAX_ITER;
            total += fixed[p];
        }
    }

    const bool float_ok = off * 25 < pixels; // under 4 percent
    printf("image: %d x %d\n", WIDTH, HEIGHT);
    printf("inside: %zu, iterations: %llu\n", inside, total);
    printf("wrong pixels: %zu\n", wrong);
    printf("float version within 4%%: %s\n", float_ok ? "yes" : "no");
    const bool ok = wrong == 0 && float_ok;
    printf("%s\n", ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
