// Kernels that need registers, for launch_bounds.py, and one that does not.
#include <hip/hip_runtime.h>

#ifndef BOUNDS
#define BOUNDS __launch_bounds__(256)
#endif
#define ROTR(x, n) (((x) >> (n)) | ((x) << (32 - (n))))

/// An 8 x 8 tile of a matrix product in the registers of each thread.
extern "C" __global__ BOUNDS void gemm_tile(const float *a, const float *b, float *c, int n) {
  __shared__ float as[16][128], bs[16][128];
  float acc[8][8] = {};
  int row = (threadIdx.x / 16) * 8 % 128, column = (threadIdx.x % 16) * 8;
  for (int k = 0; k < n; k += 16) {
    for (int i = threadIdx.x; i < 16 * 128; i += blockDim.x) {
      as[i / 128][i % 128] = a[(blockIdx.y * 128 + i % 128) * n + k + i / 128];
      bs[i / 128][i % 128] = b[(k + i / 128) * n + blockIdx.x * 128 + i % 128];
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 16; ++kk) {
      float x[8], y[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) { x[i] = as[kk][row + i]; y[i] = bs[kk][column + i]; }
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) acc[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) c[(blockIdx.y * 128 + row + i) * n + blockIdx.x * 128 + column + j] = acc[i][j];
}

/// The same with 12 x 12 values.
extern "C" __global__ BOUNDS void gemm_wide(const float *a, const float *b, float *c, int n) {
  float acc[12][12] = {};
  int row = threadIdx.y * 12, column = threadIdx.x * 12;
  for (int k = 0; k < n; ++k) {
    float x[12], y[12];
#pragma unroll
    for (int i = 0; i < 12; ++i) { x[i] = a[(row + i) * n + k]; y[i] = b[k * n + column + i]; }
#pragma unroll
    for (int i = 0; i < 12; ++i)
#pragma unroll
      for (int j = 0; j < 12; ++j) acc[i][j] += x[i] * y[j];
  }
#pragma unroll
  for (int i = 0; i < 12; ++i)
#pragma unroll
    for (int j = 0; j < 12; ++j) c[(row + i) * n + column + j] = acc[i][j];
}

/// SHA-256 of one block a thread, written out.
__constant__ unsigned round_constants[64];
extern "C" __global__ BOUNDS void sha256(const unsigned *in, unsigned *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= n) return;
  unsigned w[64], s[8] = {1, 2, 3, 4, 5, 6, 7, 8};
#pragma unroll
  for (int i = 0; i < 16; ++i) w[i] = in[at * 16 + i];
#pragma unroll
  for (int i = 16; i < 64; ++i)
    w[i] = w[i - 16] + (ROTR(w[i - 15], 7) ^ ROTR(w[i - 15], 18) ^ (w[i - 15] >> 3)) + w[i - 7] +
           (ROTR(w[i - 2], 17) ^ ROTR(w[i - 2], 19) ^ (w[i - 2] >> 10));
#pragma unroll
  for (int i = 0; i < 64; ++i) {
    unsigned t = s[7] + (ROTR(s[4], 6) ^ ROTR(s[4], 11) ^ ROTR(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) +
                 round_constants[i] + w[i];
    unsigned u = (ROTR(s[0], 2) ^ ROTR(s[0], 13) ^ ROTR(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
    s[7] = s[6]; s[6] = s[5]; s[5] = s[4]; s[4] = s[3] + t; s[3] = s[2]; s[2] = s[1]; s[1] = s[0]; s[0] = t + u;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) out[at * 8 + i] = s[i];
}

/// An 8 x 8 system of doubles, solved in registers.
extern "C" __global__ BOUNDS void solve8(const double *in, double *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  double m[8][8], x[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    x[i] = in[(64 + i) * n + at];
#pragma unroll
    for (int j = 0; j < 8; ++j) m[i][j] = in[(i * 8 + j) * n + at];
  }
#pragma unroll
  for (int p = 0; p < 8; ++p) {
    double inverse = 1.0 / m[p][p];
#pragma unroll
    for (int i = p + 1; i < 8; ++i) {
      double f = m[i][p] * inverse;
#pragma unroll
      for (int j = p; j < 8; ++j) m[i][j] -= f * m[p][j];
      x[i] -= f * x[p];
    }
  }
#pragma unroll
  for (int i = 7; i >= 0; --i) {
#pragma unroll
    for (int j = i + 1; j < 8; ++j) x[i] -= m[i][j] * x[j];
    x[i] /= m[i][i];
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) out[i * n + at] = x[i];
}

/// 32 keys a thread, sorted in registers by a network.
extern "C" __global__ BOUNDS void sort32(unsigned *keys, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned k[32];
#pragma unroll
  for (int i = 0; i < 32; ++i) k[i] = keys[i * n + at];
#pragma unroll
  for (int size = 2; size <= 32; size *= 2)
#pragma unroll
    for (int step = size / 2; step; step /= 2)
#pragma unroll
      for (int i = 0; i < 32; ++i) {
        int j = i ^ step;
        if (j > i) {
          unsigned low = min(k[i], k[j]), high = max(k[i], k[j]);
          k[i] = (i & size) ? high : low;
          k[j] = (i & size) ? low : high;
        }
      }
#pragma unroll
  for (int i = 0; i < 32; ++i) keys[i * n + at] = k[i];
}

/// A transform of 16 complex numbers a thread.
extern "C" __global__ BOUNDS void fft16(const float2 *in, float2 *out, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float2 v[16];
#pragma unroll
  for (int i = 0; i < 16; ++i) v[i] = in[i * n + at];
#pragma unroll
  for (int half = 8; half; half /= 2)
#pragma unroll
    for (int i = 0; i < 16; ++i)
      if (!(i & half)) {
        float sine, cosine;
        __sincosf(-3.14159265f * (at + (i % half)) / half, &sine, &cosine);
        float2 x = v[i], y = v[i + half];
        v[i] = make_float2(x.x + y.x, x.y + y.y);
        float dx = x.x - y.x, dy = x.y - y.y;
        v[i + half] = make_float2(dx * cosine - dy * sine, dx * sine + dy * cosine);
      }
#pragma unroll
  for (int i = 0; i < 16; ++i) out[i * n + at] = v[i];
}

/// A star stencil of radius 8 that streams along z, its column in registers.
extern "C" __global__ BOUNDS void stencil8(const float *in, float *out, int nx, int ny, int nz, float c0, float c1) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float column[33];
#pragma unroll
  for (int i = 0; i < 33; ++i) column[i] = in[(i * ny + y) * nx + x];
  for (int z = 16; z < nz - 16; ++z) {
    float sum = c0 * column[16];
#pragma unroll
    for (int r = 1; r <= 16; ++r)
      sum += c1 * r * (column[16 - r] + column[16 + r] + in[(z * ny + y) * nx + x + r] + in[(z * ny + y) * nx + x - r] +
                       in[(z * ny + y + r) * nx + x] + in[(z * ny + y - r) * nx + x]);
    out[(z * ny + y) * nx + x] = sum;
#pragma unroll
    for (int i = 0; i < 32; ++i) column[i] = column[i + 1];
    column[32] = in[((z + 17) * ny + y) * nx + x];
  }
}

/// One query of attention a thread: 96 values of it and 96 of the sum in registers.
extern "C" __global__ BOUNDS void attention(const float *q, const float *k, const float *v, float *o, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  float query[96], sum[96] = {}, most = -1e30f, total = 0;
#pragma unroll
  for (int i = 0; i < 96; ++i) query[i] = q[i * n + at];
  for (int j = 0; j < n; ++j) {
    float score = 0;
#pragma unroll
    for (int i = 0; i < 96; ++i) score += query[i] * k[j * 96 + i];
    float next = fmaxf(most, score), scale = __expf(most - next), weight = __expf(score - next);
    total = total * scale + weight;
    most = next;
#pragma unroll
    for (int i = 0; i < 96; ++i) sum[i] = sum[i] * scale + weight * v[j * 96 + i];
  }
#pragma unroll
  for (int i = 0; i < 96; ++i) o[i * n + at] = sum[i] / total;
}

/// Many exponentials at once: what the scheduler interleaves.
extern "C" __global__ BOUNDS void chemistry(const double *t, double *rates, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  double temperature = t[at], log_t = log(temperature), inverse = 1 / temperature, c[24];
#pragma unroll
  for (int i = 0; i < 24; ++i) c[i] = t[(i + 1) * n + at];
  double r[48];
#pragma unroll
  for (int i = 0; i < 48; ++i) r[i] = exp(0.1 * i + (i % 3) * log_t - 100.0 * (i + 1) * inverse) * c[i % 24] * c[(i * 7 + 1) % 24];
#pragma unroll
  for (int s = 0; s < 24; ++s) {
    double d = 0;
#pragma unroll
    for (int i = 0; i < 48; ++i) d += ((i + s) % 5 == 0 ? 1.0 : (i + s) % 7 == 0 ? -1.0 : 0.0) * r[i];
    rates[s * n + at] = d;
  }
}

/// Few registers: nothing to win or lose.
extern "C" __global__ BOUNDS void saxpy(float *y, const float *x, float a, int n) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < n) y[at] += a * x[at];
}
