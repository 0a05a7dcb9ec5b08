/*
 * One small network stage with cuDNN descriptors: convolution, bias, ReLU, and
 * softmax over the channels.  The convolution works on integers and is compared
 * exactly; the softmax is compared with a tolerance.
 */
#include <hip/hip_runtime.h>
#include <miopen/miopen.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK_CUDA(e) check_cuda((e), #e, __LINE__)
#define CHECK_CUDNN(e) check_cudnn((e), #e, __LINE__)

static void check_cuda(hipError_t err, const char *text, int line) {
    if (err != hipSuccess) {
        std::fprintf(stderr, "%d: %s: %s\n", line, text, hipGetErrorString(err));
        std::exit(1);
    }
}

static void check_cudnn(miopenStatus_t status, const char *text, int line) {
    if (status != miopenStatusSuccess) {
        std::fprintf(stderr, "%d: %s: %s\n", line, text, miopenGetErrorString(status));
        std::exit(1);
    }
}

struct Shape {
    int n, c, h, w;
    int count() const { return n * c * h * w; }
    int at(int in, int ic, int ih, int iw) const { return ((in * c + ic) * h + ih) * w + iw; }
};

static miopenTensorDescriptor_t describe(const Shape &s) {
    miopenTensorDescriptor_t d;
    CHECK_CUDNN(miopenCreateTensorDescriptor(&d));
    CHECK_CUDNN(miopenSet4dTensorDescriptor(d, miopenFloat, s.n, s.c, s.h, s.w));
    return d;
}

static float *to_device(const std::vector<float> &v) {
    float *p;
    CHECK_CUDA(hipMalloc((void **)&p, v.size() * sizeof(float)));
    CHECK_CUDA(hipMemcpy(p, v.data(), v.size() * sizeof(float), hipMemcpyHostToDevice));
    return p;
}

static void to_host(std::vector<float> &v, const float *p) {
    CHECK_CUDA(hipMemcpy(v.data(), p, v.size() * sizeof(float), hipMemcpyDeviceToHost));
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

    miopenHandle_t cudnn;
    CHECK_CUDNN(miopenCreate(&cudnn));
    hipStream_t stream;
    CHECK_CUDA(hipStreamCreate(&stream));
    CHECK_CUDNN(miopenSetStream(cudnn, stream));

    miopenTensorDescriptor_t x_desc = describe(in);
    miopenTensorDescriptor_t w_desc;
    CHECK_CUDNN(miopenCreateTensorDescriptor(&w_desc));
    CHECK_CUDNN(miopenSet4dTensorDescriptor(w_desc, miopenFloat, filt.n, filt.c, filt.h, filt.w));
    miopenConvolutionDescriptor_t conv;
    CHECK_CUDNN(miopenCreateConvolutionDescriptor(&conv));
    CHECK_CUDNN(miopenInitConvolutionDescriptor(conv, miopenConvolution, pad, pad, stride, stride, 1, 1));

    Shape out = {};
    CHECK_CUDNN(miopenGetConvolutionForwardOutputDim(conv, x_desc, w_desc, &out.n, &out.c, &out.h, &out.w));
    std::printf("output %dx%dx%dx%d\n", out.n, out.c, out.h, out.w);
    miopenTensorDescriptor_t y_desc = describe(out), b_desc = describe(Shape{1, filt.n, 1, 1});

    std::vector<float> y(out.count()), p(out.count());
    float *dx = to_device(x), *dw = to_device(w), *db = to_device(bias), *dy = to_device(y), *dp = to_device(p);

    // A fixed algorithm, so that the sums are the plain ones.
    const miopenConvFwdAlgorithm_t algo = miopenConvolutionFwdAlgoImplicitGEMM;
    size_t bytes = 0;
    CHECK_CUDNN(miopenConvolutionForwardGetWorkSpaceSize(cudnn, w_desc, x_desc, conv, y_desc, &bytes));
    void *workspace = NULL;
    if (bytes > 0) CHECK_CUDA(hipMalloc(&workspace, bytes));

    const float one = 1.0f, zero = 0.0f;
    CHECK_CUDNN(miopenConvolutionForward(cudnn, &one, x_desc, dx, w_desc, dw, conv, algo, &zero, y_desc, dy, workspace, bytes));
    CHECK_CUDNN(miopenOpTensor(cudnn, miopenTensorOpAdd, &one, y_desc, dy, &one, b_desc, db, [] { static const float zero = 0; return &zero; }(), y_desc, dy));

    miopenActivationDescriptor_t relu;
    CHECK_CUDNN(miopenCreateActivationDescriptor(&relu));
    CHECK_CUDNN(miopenSetActivationDescriptor(relu, miopenActivationRELU, 0.0, 1.0, 0.0));
    CHECK_CUDNN(miopenActivationForward(cudnn, relu, &one, y_desc, dy, &zero, y_desc, dy));

    // Scaled down, as the raw values would make the softmax all zeros and ones.
    const float scale = 1.0f / 32.0f;
    CHECK_CUDNN(miopenScaleTensor(cudnn, y_desc, dy, &scale));
    CHECK_CUDNN(miopenSoftmaxForward_V2(cudnn, &one, y_desc, dy, &zero, y_desc, dp,
                                    MIOPEN_SOFTMAX_ACCURATE, MIOPEN_SOFTMAX_MODE_CHANNEL));
    CHECK_CUDA(hipStreamSynchronize(stream));
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

    CHECK_CUDNN(miopenDestroyActivationDescriptor(relu));
    CHECK_CUDNN(miopenDestroyConvolutionDescriptor(conv));
    CHECK_CUDNN(miopenDestroyTensorDescriptor(w_desc));
    CHECK_CUDNN(miopenDestroyTensorDescriptor(b_desc));
    CHECK_CUDNN(miopenDestroyTensorDescriptor(y_desc));
    CHECK_CUDNN(miopenDestroyTensorDescriptor(x_desc));
    CHECK_CUDNN(miopenDestroy(cudnn));
    float *buffers[] = {dx, dw, db, dy, dp};
    for (float *b : buffers) CHECK_CUDA(hipFree(b));
    if (workspace) CHECK_CUDA(hipFree(workspace));
    CHECK_CUDA(hipStreamDestroy(stream));

    const bool ok = wrong == 0 && off == 0;
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
