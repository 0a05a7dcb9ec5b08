// A fully connected layer, out = relu(W^T * in + bias), done by one cublasLt
// call: the bias and the activation ride along as the epilogue of the product.
#include <hipblaslt/hipblaslt.h>
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

template <typename Status>
static void require(Status st, Status good, const char* expr, int line)
{
    if (st == good) return;
    std::fprintf(stderr, "line %d: %s returned %d\n", line, expr, static_cast<int>(st));
    std::puts("FAIL");
    std::exit(1);
}
#define CU(expr) require((expr), hipSuccess, #expr, __LINE__)
#define LT(expr) require((expr), HIPBLAS_STATUS_SUCCESS, #expr, __LINE__)

struct Layer
{
    int inputs;    // k
    int outputs;   // m
    int samples;   // n
};

struct Operands
{
    float *weight, *in, *bias, *out;
    void* workspace;
    size_t workspaceSize;
};

static void forward(hipblasLtHandle_t lt, const Layer& l, const Operands& d,
                    hipblasLtEpilogue_t epilogue, hipStream_t stream)
{
    hipblasLtMatmulDesc_t op = nullptr;
    hipblasLtMatrixLayout_t wLayout = nullptr, inLayout = nullptr, outLayout = nullptr;
    hipblasLtMatmulPreference_t pref = nullptr;

    LT(hipblasLtMatmulDescCreate(&op, HIPBLAS_COMPUTE_32F, HIP_R_32F));
    const hipblasOperation_t transW = HIPBLAS_OP_T, transIn = HIPBLAS_OP_N;
    LT(hipblasLtMatmulDescSetAttribute(op, HIPBLASLT_MATMUL_DESC_TRANSA, &transW, sizeof(transW)));
    LT(hipblasLtMatmulDescSetAttribute(op, HIPBLASLT_MATMUL_DESC_TRANSB, &transIn, sizeof(transIn)));
    LT(hipblasLtMatmulDescSetAttribute(op, HIPBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof(epilogue)));
    LT(hipblasLtMatmulDescSetAttribute(op, HIPBLASLT_MATMUL_DESC_BIAS_POINTER, &d.bias, sizeof(d.bias)));

    // Column-major: the weights are stored k x m and used transposed.
    LT(hipblasLtMatrixLayoutCreate(&wLayout, HIP_R_32F, l.inputs, l.outputs, l.inputs));
    LT(hipblasLtMatrixLayoutCreate(&inLayout, HIP_R_32F, l.inputs, l.samples, l.inputs));
    LT(hipblasLtMatrixLayoutCreate(&outLayout, HIP_R_32F, l.outputs, l.samples, l.outputs));

    LT(hipblasLtMatmulPreferenceCreate(&pref));
    LT(hipblasLtMatmulPreferenceSetAttribute(pref, HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                            &d.workspaceSize, sizeof(d.workspaceSize)));

    hipblasLtMatmulHeuristicResult_t best = {};
    int found = 0;
    LT(hipblasLtMatmulAlgoGetHeuristic(lt, op, wLayout, inLayout, outLayout, outLayout, pref, 1,
                                      &best, &found));
    if (found == 0) LT(HIPBLAS_STATUS_NOT_SUPPORTED);

    const float one = 1.0f, zero = 0.0f;
    LT(hipblasLtMatmul(lt, op, &one, d.weight, wLayout, d.in, inLayout, &zero, d.out, outLayout,
                      d.out, outLayout, &best.algo, d.workspace, d.workspaceSize, stream));

    LT(hipblasLtMatmulPreferenceDestroy(pref));
    LT(hipblasLtMatrixLayoutDestroy(outLayout));
    LT(hipblasLtMatrixLayoutDestroy(inLayout));
    LT(hipblasLtMatrixLayoutDestroy(wLayout));
    LT(hipblasLtMatmulDescDestroy(op));
}

static float* toDevice(const std::vector<float>& host)
{
    float* dev = nullptr;
    CU(hipMalloc(&dev, host.size() * sizeof(float)));
    CU(hipMemcpy(dev, host.data(), host.size() * sizeof(float), hipMemcpyHostToDevice));
    return dev;
}

int main()
{
    const Layer layer{96, 64, 80};
    std::vector<float> w(layer.inputs * layer.outputs), x(layer.inputs * layer.samples);
    std::vector<float> b(layer.outputs), y(layer.outputs * layer.samples);
    for (size_t i = 0; i < w.size(); ++i) w[i] = float(int(i * 29 % 11) - 5);
    for (size_t i = 0; i < x.size(); ++i) x[i] = float(int(i * 43 % 13) - 6);
    for (size_t i = 0; i < b.size(); ++i) b[i] = float(int(i * 7 % 31) - 15);

    Operands dev{};
    dev.weight = toDevice(w);
    dev.in = toDevice(x);
    dev.bias = toDevice(b);
    dev.out = toDevice(y);
    dev.workspaceSize = size_t(4) << 20;
    CU(hipMalloc(&dev.workspace, dev.workspaceSize));

    hipStream_t stream;
    CU(hipStreamCreate(&stream));
    hipblasLtHandle_t lt;
    LT(hipblasLtCreate(&lt));

    bool ok = true;
    const hipblasLtEpilogue_t epilogues[] = {HIPBLASLT_EPILOGUE_BIAS, HIPBLASLT_EPILOGUE_RELU_BIAS};
    for (hipblasLtEpilogue_t epilogue : epilogues)
    {
        forward(lt, layer, dev, epilogue, stream);
        CU(hipMemcpyAsync(y.data(), dev.out, y.size() * sizeof(float), hipMemcpyDeviceToHost, stream));
        CU(hipStreamSynchronize(stream));

        const bool relu = epilogue == HIPBLASLT_EPILOGUE_RELU_BIAS;
        std::int64_t checksum = 0;
        int wrong = 0, positive = 0;
        for (int s = 0; s < layer.samples; ++s)
            for (int o = 0; o < layer.outputs; ++o)
            {
                float want = b[o];
                for (int k = 0; k < layer.inputs; ++k)
                    want += w[k + o * layer.inputs] * x[k + s * layer.inputs];
                if (relu) want = std::max(want, 0.0f);
                const float got = y[o + s * layer.outputs];
                wrong += got != want;
                positive += got > 0.0f;
                checksum += std::int64_t(got) * (1 + o % 3);
            }
        std::printf("%s: checksum %lld positive %d wrong %d\n", relu ? "relu+bias" : "bias",
                    static_cast<long long>(checksum), positive, wrong);
        ok = ok && wrong == 0;
    }

    LT(hipblasLtDestroy(lt));
    CU(hipStreamDestroy(stream));
    for (void* p : {(void*)dev.weight, (void*)dev.in, (void*)dev.bias, (void*)dev.out, dev.workspace})
        CU(hipFree(p));
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
