// Compiles a kernel at run time with NVRTC and launches it through the driver
// API, with runtime-API memory: the two APIs share the primary context.
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

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
    hiprtcResult res_ = call;                                                           \
    if (res_ != HIPRTC_SUCCESS) {                                                       \
      std::cerr << #call << " failed: " << hiprtcGetErrorString(res_) << std::endl;     \
      std::exit(1);                                                                    \
    }                                                                                  \
  } while (0)

#define DRIVER_SAFE(call)                                                              \
  do {                                                                                 \
    hipError_t res_ = call;                                                              \
    if (res_ != hipSuccess) {                                                        \
      const char *msg_ = nullptr;                                                      \
      hipDrvGetErrorName(res_, &msg_);                                                     \
      std::cerr << #call << " failed: " << (msg_ ? msg_ : "?") << std::endl;           \
      std::exit(1);                                                                    \
    }                                                                                  \
  } while (0)

#define RUNTIME_SAFE(call)                                                             \
  do {                                                                                 \
    hipError_t res_ = call;                                                           \
    if (res_ != hipSuccess) {                                                         \
      std::cerr << #call << " failed: " << hipGetErrorString(res_) << std::endl;      \
      std::exit(1);                                                                    \
    }                                                                                  \
  } while (0)

static std::vector<char> compile(const char *source, int unroll)
{
  hiprtcProgram program;
  NVRTC_SAFE(hiprtcCreateProgram(&program, source, "saxpy.cu", 0, nullptr, nullptr));

  const std::string define = "-DUNROLL=" + std::to_string(unroll);
  const char *options[] = {define.c_str(), "-std=c++14"};
  const hiprtcResult built = hiprtcCompileProgram(program, 2, options);
  if (built != HIPRTC_SUCCESS) {
    size_t size = 0;
    NVRTC_SAFE(hiprtcGetProgramLogSize(program, &size));
    std::string log(size, '\0');
    NVRTC_SAFE(hiprtcGetProgramLog(program, &log[0]));
    std::cerr << log << std::endl;
    NVRTC_SAFE(built);
  }

  size_t size = 0;
  NVRTC_SAFE(hiprtcGetCodeSize(program, &size));
  std::vector<char> code(size);
  NVRTC_SAFE(hiprtcGetCode(program, code.data()));
  NVRTC_SAFE(hiprtcDestroyProgram(&program));
  return code;
}

int main()
{
  int n = 100003;  // no multiple of the block size, on purpose
  float a = 3.0f;
  const int unroll = 4, threads = 128;

  // Makes the primary context current before the driver API is used.
  RUNTIME_SAFE(hipSetDevice(0));
  RUNTIME_SAFE(hipFree(0));

  const std::vector<char> code = compile(kSource, unroll);
  hipModule_t module;
  hipFunction_t kernel;
  DRIVER_SAFE(hipModuleLoadData(&module, code.data()));
  DRIVER_SAFE(hipModuleGetFunction(&kernel, module, "saxpy"));

  std::vector<float> x(n), y(n), result(n);
  for (int i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 100 - 50);
    y[i] = static_cast<float>(i % 37);
  }
  float *dx = nullptr, *dy = nullptr;
  RUNTIME_SAFE(hipMalloc(&dx, n * sizeof(float)));
  RUNTIME_SAFE(hipMalloc(&dy, n * sizeof(float)));
  RUNTIME_SAFE(hipMemcpy(dx, x.data(), n * sizeof(float), hipMemcpyHostToDevice));
  RUNTIME_SAFE(hipMemcpy(dy, y.data(), n * sizeof(float), hipMemcpyHostToDevice));

  const unsigned blocks = (n + threads * unroll - 1) / (threads * unroll);
  void *args[] = {&a, &dx, &dy, &n};
  DRIVER_SAFE(hipModuleLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, nullptr, args, nullptr));
  DRIVER_SAFE(hipCtxSynchronize());
  RUNTIME_SAFE(hipMemcpy(result.data(), dy, n * sizeof(float), hipMemcpyDeviceToHost));

  long long checksum = 0;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    wrong += result[i] != a * x[i] + y[i];
    checksum += static_cast<long long>(result[i]) * (i % 4 + 1);
  }
  std::cout << "n " << n << " unroll " << unroll << "\n"
            << "checksum " << checksum << " wrong " << wrong << "\n";

  RUNTIME_SAFE(hipFree(dx));
  RUNTIME_SAFE(hipFree(dy));
  DRIVER_SAFE(hipModuleUnload(module));
  std::cout << (wrong == 0 ? "PASS" : "FAIL") << std::endl;
  return wrong == 0 ? 0 : 1;
}
