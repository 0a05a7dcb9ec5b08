// A fully connected layer, out = relu(W^T * in + bias), done by one cublasLt
// call: the bias and the activation ride along as the epilogue of the product.
#include <cublasLt.h>
#include <cuda_runtime.h>

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
#define CU(expr) require((expr), cudaSuccess, #expr, __LINE__)
#define LT(expr) require((expr), CUBLAS_STATUS_SUCCESS, #expr, __LINE__)

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

static void forward(cublasLtHandle_t lt, const Layer& l, const Operands& d,
                    cublasLtEpilogue_t epilogue, cudaStream_t stream)
{
    cublasLtMatmulDesc_t op = nullptr;
    cublasLtMatrixLayout_t wLayout = nullptr, inLayout = nullptr, outLayout = nullptr;
    cublasLtMatmulPreference_t pref = nullptr;

    LT(cublasLtMatmulDescCreate(&op, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    const cublasOperation_t transW = CUBLAS_OP_T, transIn = CUBLAS_OP_N;
    LT(cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_TRANSA, &transW, sizeof(transW)));
    LT(cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_TRANSB, &transIn, sizeof(transIn)));
    LT(cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue, sizeof(epilogue)));
    LT(cublasLtMatmulDescSetAttribute(op, CUBLASLT_MATMUL_DESC_BIAS_POINTER, &d.bias, sizeof(d.bias)));

    // Column-major: the weights are stored k x m and used transposed.
    LT(cublasLtMatrixLayoutCreate(&wLayout, CUDA_R_32F, l.inputs, l.outputs, l.inputs));
    LT(cublasLtMatrixLayoutCreate(&inLayout, CUDA_R_32F, l.inputs, l.samples, l.inputs));
    LT(cublasLtMatrixLayoutCreate(&outLayout, CUDA_R_32F, l.outputs, l.samples, l.outputs));

    LT(cublasLtMatmulPreferenceCreate(&pref));
    LT(cublasLtMatmulPreferenceSetAttribute(pref, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                            &d.workspaceSize, sizeof(d.workspaceSize)));

    cublasLtMatmulHeuristicResult_t best = {};
    int found = 0;
    LT(cublasLtMatmulAlgoGetHeuristic(lt, op, wLayout, inLayout, outLayout, outLayout, pref, 1,
                                      &best, &found));
    if (found == 0) LT(CUBLAS_STATUS_NOT_SUPPORTED);

    const float one = 1.0f, zero = 0.0f;
    LT(cublasLtMatmul(lt, op, &one, d.weight, wLayout, d.in, inLayout, &zero, d.out, outLayout,
                      d.out, outLayout, &best.algo, d.workspace, d.workspaceSize, stream));

    LT(cublasLtMatmulPreferenceDestroy(pref));
    LT(cublasLtMatrixLayoutDestroy(outLayout));
    LT(cublasLtMatrixLayoutDestroy(inLayout));
    LT(cublasLtMatrixLayoutDestroy(wLayout));
    LT(cublasLtMatmulDescDestroy(op));
}

static float* toDevice(const std::vector<float>& host)
{
    float* dev = nullptr;
    CU(cudaMalloc(&dev, host.size() * sizeof(float)));
    CU(cudaMemcpy(dev, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
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
    CU(cudaMalloc(&dev.workspace, dev.workspaceSize));

    cudaStream_t stream;
    CU(cudaStreamCreate(&stream));
    cublasLtHandle_t lt;
    LT(cublasLtCreate(&lt));

    bool ok = true;
    const cublasLtEpilogue_t epilogues[] = {CUBLASLT_EPILOGUE_BIAS, CUBLASLT_EPILOGUE_RELU_BIAS};
    for (cublasLtEpilogue_t epilogue : epilogues)
    {
        forward(lt, layer, dev, epilogue, stream);
        CU(cudaMemcpyAsync(y.data(), dev.out, y.size() * sizeof(float), cudaMemcpyDeviceToHost, stream));
        CU(cudaStreamSynchronize(stream));

        const bool relu = epilogue == CUBLASLT_EPILOGUE_RELU_BIAS;
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

    LT(cublasLtDestroy(lt));
    CU(cudaStreamDestroy(stream));
    for (void* p : {(void*)dev.weight, (void*)dev.in, (void*)dev.bias, (void*)dev.out, dev.workspace})
        CU(cudaFree(p));
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
