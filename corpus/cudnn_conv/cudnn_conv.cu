/*
 * One small network stage with cuDNN descriptors: convolution, bias, ReLU, and
 * softmax over the channels.  The convolution works on integers and is compared
 * exactly; the softmax is compared with a tolerance.
 */
#include <cuda_runtime.h>
#include <cudnn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_CUDA(e) check_cuda((e), #e, __LINE__)
#define CHECK_CUDNN(e) check_cudnn((e), #e, __LINE__)

static void check_cuda(cudaError_t err, const char *text, int line) {
    if (err != cudaSuccess) {
        std::fprintf(stderr, "%d: %s: %s\n", line, text, cudaGetErrorString(err));
        std::exit(1);
    }
}

static void check_cudnn(cudnnStatus_t status, const char *text, int line) {
    if (status != CUDNN_STATUS_SUCCESS) {
        std::fprintf(stderr, "%d: %s: %s\n", line, text, cudnnGetErrorString(status));
        std::exit(1);
    }
}

struct Shape {
    int n, c, h, w;
    int count() const { return n * c * h * w; }
    int at(int in, int ic, int ih, int iw) const { return ((in * c + ic) * h + ih) * w + iw; }
};

static cudnnTensorDescriptor_t describe(const Shape &s) {
    cudnnTensorDescriptor_t d;
    CHECK_CUDNN(cudnnCreateTensorDescriptor(&d));
    CHECK_CUDNN(cudnnSetTensor4dDescriptor(d, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, s.n, s.c, s.h, s.w));
    return d;
}

static float *to_device(const std::vector<float> &v) {
    float *p;
    CHECK_CUDA(cudaMalloc((void **)&p, v.size() * sizeof(float)));
    CHECK_CUDA(cudaMemcpy(p, v.data(), v.size() * sizeof(float), cudaMemcpyHostToDevice));
    return p;
}

static void to_host(std::vector<float> &v, const float *p) {
    CHECK_CUDA(cudaMemcpy(v.data(), p, v.size() * sizeof(float), cudaMemcpyDeviceToHost));
}

static void fill(std::vector<float> &v, int mul, int mod) {
    for (size_t i = 0; i < v.size(); ++i) v[i] = (float)((int)(i * mul % mod) - mod / 2);
}

int main() {
    const Shape in = {2, 3, 14, 10}, filt = {4, 3, 3, 3};
    const int pad = 1, stride = 1;
    std::vector<float> x(in.count()), w(filt.count()), bias(filt.n);
    fill(x, 31, 11);
    fill(w, 17, 7);
    fill(bias, 5, 9);

    cudnnHandle_t cudnn;
    CHECK_CUDNN(cudnnCreate(&cudnn));
    cudaStream_t stream;
    CHECK_CUDA(cudaStreamCreate(&stream));
    CHECK_CUDNN(cudnnSetStream(cudnn, stream));

    cudnnTensorDescriptor_t x_desc = describe(in);
    cudnnFilterDescriptor_t w_desc;
    CHECK_CUDNN(cudnnCreateFilterDescriptor(&w_desc));
    CHECK_CUDNN(cudnnSetFilter4dDescriptor(w_desc, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, filt.n, filt.c, filt.h, filt.w));
    cudnnConvolutionDescriptor_t conv;
    CHECK_CUDNN(cudnnCreateConvolutionDescriptor(&conv));
    CHECK_CUDNN(cudnnSetConvolution2dDescriptor(conv, pad, pad, stride, stride, 1, 1, CUDNN_CROSS_CORRELATION,
                                                CUDNN_DATA_FLOAT));

    Shape out = {};
    CHECK_CUDNN(cudnnGetConvolution2dForwardOutputDim(conv, x_desc, w_desc, &out.n, &out.c, &out.h, &out.w));
    std::printf("output %dx%dx%dx%d\n", out.n, out.c, out.h, out.w);
    cudnnTensorDescriptor_t y_desc = describe(out), b_desc = describe(Shape{1, filt.n, 1, 1});

    std::vector<float> y(out.count()), p(out.count());
    float *dx = to_device(x), *dw = to_device(w), *db = to_device(bias), *dy = to_device(y), *dp = to_device(p);

    // A fixed algorithm, so that the sums are the plain ones.
    const cudnnConvolutionFwdAlgo_t algo = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM;
    size_t bytes = 0;
    CHECK_CUDNN(cudnnGetConvolutionForwardWorkspaceSize(cudnn, x_desc, w_desc, conv, y_desc, algo, &bytes));
    void *workspace = NULL;
    if (bytes > 0) CHECK_CUDA(cudaMalloc(&workspace, bytes));

    const float one = 1.0f, zero = 0.0f;
    CHECK_CUDNN(cudnnConvolutionForward(cudnn, &one, x_desc, dx, w_desc, dw, conv, algo, workspace, bytes, &zero, y_desc, dy));
    CHECK_CUDNN(cudnnAddTensor(cudnn, &one, b_desc, db, &one, y_desc, dy));

    cudnnActivationDescriptor_t relu;
    CHECK_CUDNN(cudnnCreateActivationDescriptor(&relu));
    CHECK_CUDNN(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0.0));
    CHECK_CUDNN(cudnnActivationForward(cudnn, relu, &one, y_desc, dy, &zero, y_desc, dy));

    // Scaled down, as the raw values would make the softmax all zeros and ones.
    const float scale = 1.0f / 32.0f;
    CHECK_CUDNN(cudnnScaleTensor(cudnn, y_desc, dy, &scale));
    CHECK_CUDNN(cudnnSoftmaxForward(cudnn, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &one, y_desc, dy, &zero,
                                    y_desc, dp));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    to_host(y, dy);
    to_host(p, dp);

    int wrong = 0, off = 0;
    long checksum = 0;
    for (int n = 0; n < out.n; ++n)
        for (int i = 0; i < out.h; ++i)
            for (int j = 0; j < out.w; ++j) {
                float row[16], total = 0;
                for (int c = 0; c < out.c; ++c) {
                    float s = bias[c];
                    for (int k = 0; k < filt.c; ++k)
                        for (int a = 0; a < filt.h; ++a)
                            for (int b = 0; b < filt.w; ++b) {
                                const int ih = i * stride - pad + a, iw = j * stride - pad + b;
                                if (ih < 0 || iw < 0 || ih >= in.h || iw >= in.w) continue;
                                s += x[in.at(n, k, ih, iw)] * w[filt.at(c, k, a, b)];
                            }
                    row[c] = s > 0 ? s * scale : 0.0f;
                    total += std::exp(row[c]);
                    wrong += y[out.at(n, c, i, j)] != row[c];
                    checksum += (long)(y[out.at(n, c, i, j)] * 32.0f) * (c + 1);
                }
                for (int c = 0; c < out.c; ++c)
                    off += std::fabs(p[out.at(n, c, i, j)] - std::exp(row[c]) / total) > 1e-5f;
            }
    std::printf("conv+bias+relu checksum %ld wrong %d\n", checksum, wrong);
    std::printf("softmax off %d\n", off);

    CHECK_CUDNN(cudnnDestroyActivationDescriptor(relu));
    CHECK_CUDNN(cudnnDestroyConvolutionDescriptor(conv));
    CHECK_CUDNN(cudnnDestroyFilterDescriptor(w_desc));
    CHECK_CUDNN(cudnnDestroyTensorDescriptor(b_desc));
    CHECK_CUDNN(cudnnDestroyTensorDescriptor(y_desc));
    CHECK_CUDNN(cudnnDestroyTensorDescriptor(x_desc));
    CHECK_CUDNN(cudnnDestroy(cudnn));
    float *buffers[] = {dx, dw, db, dy, dp};
    for (float *b : buffers) CHECK_CUDA(cudaFree(b));
    if (workspace) CHECK_CUDA(cudaFree(workspace));
    CHECK_CUDA(cudaStreamDestroy(stream));

    const bool ok = wrong == 0 && off == 0;
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
