/* stencil_2d - repeated 5x5 cross stencil on a 2D grid.
 *
 * Das Verfahren glättet ein Feld; die Gewichte liegen im Konstantenspeicher
 * (Größe: RADIUS + 1 Werte, Prüfung gegen eine CPU-Schleife für jeden Punkt).
 *
 * All weights are powers of two and the field starts as small integers, so
 * that CPU and GPU compute the same floats, fused multiply-adds or not.
 */
#include <hip/hip_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define RADIUS  2
#define TILE_X  32
#define TILE_Y  8
#define WIDTH   500
#define HEIGHT  333
#define STEPS   4

__constant__ float c_weight[RADIUS + 1];

static void die(const char* what, hipError_t e)
{
    fprintf(stderr, "%s: %s\n", what, hipGetErrorString(e));
    exit(1);
}

#define TRY(call) { hipError_t e = call; if (e != hipSuccess) die(#call, e); }

__host__ __device__ inline int clamp_index(int i, int n)
{
    return i < 0 ? 0 : (i >= n ? n - 1 : i);
}

__global__ void smooth(const float* src, float* dst, int w, int h)
{
    __shared__ float tile[TILE_Y + 2 * RADIUS][TILE_X + 2 * RADIUS];

    const int gx = blockIdx.x * TILE_X + threadIdx.x;
    const int gy = blockIdx.y * TILE_Y + threadIdx.y;

    /* Load the tile together with its halo; the border repeats the edge. */
    for (int ty = threadIdx.y; ty < TILE_Y + 2 * RADIUS; ty += TILE_Y) {
        for (int tx = threadIdx.x; tx < TILE_X + 2 * RADIUS; tx += TILE_X) {
            int sx = clamp_index((int)blockIdx.x * TILE_X + tx - RADIUS, w);
            int sy = clamp_index((int)blockIdx.y * TILE_Y + ty - RADIUS, h);
            tile[ty][tx] = src[sy * w + sx];
        }
    }
    __syncthreads();

    if (gx >= w || gy >= h) return;

    const int lx = threadIdx.x + RADIUS;
    const int ly = threadIdx.y + RADIUS;
    float sum = c_weight[0] * tile[ly][lx];
    for (int r = 1; r <= RADIUS; ++r)
        sum += c_weight[r] * ((tile[ly][lx - r] + tile[ly][lx + r]) +
                              (tile[ly - r][lx] + tile[ly + r][lx]));
    dst[gy * w + gx] = sum;
}

static void smooth_cpu(const float* src, float* dst, const float* weight, int w, int h)
{
    for (int y = 0; y < h; ++y) {
        for (int x = 0; x < w; ++x) {
            float sum = weight[0] * src[y * w + x];
            for (int r = 1; r <= RADIUS; ++r) {
                float left = src[y * w + clamp_index(x - r, w)];
                float right = src[y * w + clamp_index(x + r, w)];
                float up = src[clamp_index(y - r, h) * w + x];
                float down = src[clamp_index(y + r, h) * w + x];
                sum += weight[r] * ((left + right) + (up + down));
            }
            dst[y * w + x] = sum;
        }
    }
}

int main(void)
{
    const float weight[RADIUS + 1] = { 0.25f, 0.125f, 0.0625f };
    const size_t bytes = sizeof(float) * WIDTH * HEIGHT;
    float* a = (float*)malloc(bytes);
    float* b = (float*)malloc(bytes);
    float* result = (float*)malloc(bytes);
    float *d_src, *d_dst;

    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        a[i] = (float)((i * 31 + (i / WIDTH) * 17) % 64);

    TRY(hipMalloc(&d_src, bytes));
    TRY(hipMalloc(&d_dst, bytes));
    TRY(hipMemcpy(d_src, a, bytes, hipMemcpyHostToDevice));
    TRY(hipMemcpyToSymbol(HIP_SYMBOL(c_weight), weight, sizeof(weight)));

    dim3 threads(TILE_X, TILE_Y);
    dim3 blocks((WIDTH + TILE_X - 1) / TILE_X, (HEIGHT + TILE_Y - 1) / TILE_Y);
    for (int s = 0; s < STEPS; ++s) {
        hipLaunchKernelGGL(smooth, blocks, threads, 0, 0, d_src, d_dst, WIDTH, HEIGHT);
        float* t = d_src; d_src = d_dst; d_dst = t;
    }
    TRY(hipGetLastError());
    TRY(hipMemcpy(result, d_src, bytes, hipMemcpyDeviceToHost));

    for (int s = 0; s < STEPS; ++s) {
        smooth_cpu(a, b, weight, WIDTH, HEIGHT);
        float* t = a; a = b; b = t;
    }

    int bad = 0;
    double sum = 0.0;
    for (int i = 0; i < WIDTH * HEIGHT; ++i) {
        bad += result[i] != a[i];
        sum += result[i];
    }

    TRY(hipFree(d_src));
    TRY(hipFree(d_dst));
    free(a); free(b); free(result);

    printf("grid %d x %d, %d steps\n", WIDTH, HEIGHT, STEPS);
    printf("differing points: %d\n", bad);
    printf("sum: %.1f\n", sum);
    printf("%s\n", bad == 0 ? "PASS" : "FAIL");
    return bad != 0;
}
