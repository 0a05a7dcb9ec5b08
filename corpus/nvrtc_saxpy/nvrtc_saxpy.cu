// Compiles a kernel at run time with NVRTC and launches it through the driver
// API, with runtime-API memory: the two APIs share the primary context.
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

// The unroll factor is put in when the program runs, as -DUNROLL=...
static const char *kSource = R"cuda(
extern "C" __global__
void saxpy(float a, const float *x, float *y, int n)
{
    // blockDim.x * UNROLL consecutive elements belong to each block
    int base = blockIdx.x * blockDim.x * UNROLL + threadIdx.x;
#pragma unroll
    for (int u = 0; u < UNROLL; ++u) {
        int i = base + u * blockDim.x;
        if (i < n)
            y[i] = a * x[i] + y[i];
    }
}
)cuda";

#define NVRTC_SAFE(call)                                                               \
  do {                                                                                 \
    nvrtcResult res_ = call;                                                           \
    if (res_ != NVRTC_SUCCESS) {                                                       \
      std::cerr << #call << " failed: " << nvrtcGetErrorString(res_) << std::endl;     \
      std::exit(1);                                                                    \
    }                                                                                  \
  } while (0)

#define DRIVER_SAFE(call)                                                              \
  do {                                                                                 \
    CUresult res_ = call;                                                              \
    if (res_ != CUDA_SUCCESS) {                                                        \
      const char *msg_ = nullptr;                                                      \
      cuGetErrorName(res_, &msg_);                                                     \
      std::cerr << #call << " failed: " << (msg_ ? msg_ : "?") << std::endl;           \
      std::exit(1);                                                                    \
    }                                                                                  \
  } while (0)

#define RUNTIME_SAFE(call)                                                             \
  do {                                                                                 \
    cudaError_t res_ = call;                                                           \
    if (res_ != cudaSuccess) {                                                         \
      std::cerr << #call << " failed: " << cudaGetErrorString(res_) << std::endl;      \
      std::exit(1);                                                                    \
    }                                                                                  \
  } while (0)

static std::vector<char> compile(const char *source, int unroll)
{
  nvrtcProgram program;
  NVRTC_SAFE(nvrtcCreateProgram(&program, source, "saxpy.cu", 0, nullptr, nullptr));

  const std::string define = "-DUNROLL=" + std::to_string(unroll);
  const char *options[] = {define.c_str(), "-std=c++14"};
  const nvrtcResult built = nvrtcCompileProgram(program, 2, options);
  if (built != NVRTC_SUCCESS) {
    size_t size = 0;
    NVRTC_SAFE(nvrtcGetProgramLogSize(program, &size));
    std::string log(size, '\0');
    NVRTC_SAFE(nvrtcGetProgramLog(program, &log[0]));
    std::cerr << log << std::endl;
    NVRTC_SAFE(built);
  }

  size_t size = 0;
  NVRTC_SAFE(nvrtcGetPTXSize(program, &size));
  std::vector<char> code(size);
  NVRTC_SAFE(nvrtcGetPTX(program, code.data()));
  NVRTC_SAFE(nvrtcDestroyProgram(&program));
  return code;
}

int main()
{
  int n = 100003;  // no multiple of the block size, on purpose
  float a = 3.0f;
  const int unroll = 4, threads = 128;

  // Makes the primary context current before the driver API is used.
  RUNTIME_SAFE(cudaSetDevice(0));
  RUNTIME_SAFE(cudaFree(0));

  const std::vector<char> code = compile(kSource, unroll);
  CUmodule module;
  CUfunction kernel;
  DRIVER_SAFE(cuModuleLoadData(&module, code.data()));
  DRIVER_SAFE(cuModuleGetFunction(&kernel, module, "saxpy"));

  std::vector<float> x(n), y(n), result(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 100 - 50);
    y[i] = static_cast<float>(i % 37);
  }
  float *dx = nullptr, *dy = nullptr;
  RUNTIME_SAFE(cudaMalloc(&dx, n * sizeof(float)));
  RUNTIME_SAFE(cudaMalloc(&dy, n * sizeof(float)));
  RUNTIME_SAFE(cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  RUNTIME_SAFE(cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));

  const unsigned blocks = (n + threads * unroll - 1) / (threads * unroll);
  void *args[] = {&a, &dx, &dy, &n};
  DRIVER_SAFE(cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, nullptr, args, nullptr));
  DRIVER_SAFE(cuCtxSynchronize());
  RUNTIME_SAFE(cudaMemcpy(result.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost));

  long long checksum = 0;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += result[i] != a * x[i] + y[i];
    checksum += static_cast<long long>(result[i]) * (i % 4 + 1);
  }
  std::cout << "n " << n << " unroll " << unroll << "\n"
            << "checksum " << checksum << " wrong " << wrong << "\n";

  RUNTIME_SAFE(cudaFree(dx));
  RUNTIME_SAFE(cudaFree(dy));
  DRIVER_SAFE(cuModuleUnload(module));
  std::cout << (wrong == 0 ? "PASS" : "FAIL") << std::endl;
  return wrong == 0 ? 0 : 1;
}
