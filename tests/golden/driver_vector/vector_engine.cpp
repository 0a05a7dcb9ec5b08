/*
 * Pure driver API: device, primary context, module, memory, events, launch.
 * The module's code comes from NVRTC.  No header of the runtime API is used.
 */
#include "vector_engine.h"

#include <stdio.h>
#include <stdlib.h>

#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

static const char source[] =
	"extern \"C\" __global__ void axpby(float a, const float *x, float b, float *y, int n)\n"
	"{\n"
	"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
	"    if (i < n) y[i] = a * x[i] + b * y[i];\n"
	"}\n"
	"/* magnitudes are never negative, so their bits order like integers */\n"
	"extern \"C\" __global__ void max_abs(const float *x, int n, int *best)\n"
	"{\n"
	"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
	"    if (i < n) atomicMax(best, __float_as_int(fabsf(x[i])));\n"
	"}\n";

struct engine {
	hipDevice_t device;
	hipCtx_t context;
	hipModule_t module;
	hipFunction_t axpby, max_abs;
	hipStream_t stream;
};

static bool good(hipError_t res, const char *what)
{
	switch (res) {
	case hipSuccess:
		return true;
	case hipErrorOutOfMemory:
		fprintf(stderr, "%s: out of device memory\n", what);
		return false;
	case hipErrorNoDevice:
	case hipErrorInvalidDevice:
		fprintf(stderr, "%s: no such device\n", what);
		return false;
	default:
		fprintf(stderr, "%s: driver error %d\n", what, (int)res);
		return false;
	}
}

#define TRY(call)                 \
	do {                          \
		if (!good((call), #call)) \
			return false;         \
	} while (0)

static char *build(void)
{
	hiprtcProgram prog;
	size_t size = 0;
	char *code = NULL;

	if (hiprtcCreateProgram(&prog, source, "engine.cu", 0, NULL, NULL) != HIPRTC_SUCCESS)
		return NULL;
	hiprtcResult res = hiprtcCompileProgram(prog, 0, NULL);
	if (res == HIPRTC_SUCCESS && hiprtcGetCodeSize(prog, &size) == HIPRTC_SUCCESS) {
		code = (char *)malloc(size);
		if (code && hiprtcGetCode(prog, code) != HIPRTC_SUCCESS) {
			free(code);
			code = NULL;
		}
	} else {
		fprintf(stderr, "nvrtc: %s\n", hiprtcGetErrorString(res));
	}
	hiprtcDestroyProgram(&prog);
	return code;
}

static bool open_all(struct engine *e)
{
	int count = 0, threads = 0;
	size_t total = 0;

	TRY(hipInit(0));
	TRY(hipGetDeviceCount(&count));
	if (count < 1) {
		fprintf(stderr, "no device\n");
		return false;
	}
	TRY(hipDeviceGet(&e->device, 0));
	TRY(hipDeviceTotalMem(&total, e->device));
	TRY(hipDeviceGetAttribute(&threads, hipDeviceAttributeMaxThreadsPerBlock, e->device));
	if (threads < 256 || total < ((size_t)64 << 20)) {
		fprintf(stderr, "device too small\n");
		return false;
	}
	/* shared with the runtime API of the same process */
	TRY(hipDevicePrimaryCtxRetain(&e->context, e->device));
	TRY(hipCtxSetCurrent(e->context));
	TRY(hipStreamCreateWithFlags(&e->stream, hipStreamNonBlocking));

	char *code = build();
	if (!code)
		return false;
	hipError_t loaded = hipModuleLoadData(&e->module, code);
	free(code);
	TRY(loaded);
	TRY(hipModuleGetFunction(&e->axpby, e->module, "axpby"));
	TRY(hipModuleGetFunction(&e->max_abs, e->module, "max_abs"));
	return true;
}

struct engine *engine_open(void)
{
	struct engine *e = (struct engine *)calloc(1, sizeof *e);
	if (e && !open_all(e)) {
		engine_close(e);
		e = NULL;
	}
	return e;
}

void engine_close(struct engine *e)
{
	if (!e)
		return;
	if (e->module)
		hipModuleUnload(e->module);
	if (e->stream)
		hipStreamDestroy(e->stream);
	if (e->context) {
		hipCtxSetCurrent(NULL);
		hipDevicePrimaryCtxRelease(e->device);
	}
	free(e);
}

bool engine_axpby(struct engine *e, float a, float *x, float b, float *y, int n)
{
	hipDeviceptr_t dx = 0, dy = 0;
	hipEvent_t done;
	const size_t bytes = (size_t)n * sizeof(float);
	const unsigned block = 256, grid = (unsigned)(n + 255) / 256;

	TRY(hipMalloc(&dx, bytes));
	TRY(hipMalloc(&dy, bytes));
	TRY(hipMemcpyHtoDAsync(dx, x, bytes, e->stream));
	TRY(hipMemcpyHtoDAsync(dy, y, bytes, e->stream));

	void *args[] = { &a, &dx, &b, &dy, &n };
	TRY(hipModuleLaunchKernel(e->axpby, grid, 1, 1, block, 1, 1, 0, e->stream, args, NULL));
	TRY(hipMemcpyDtoHAsync(y, dy, bytes, e->stream));

	TRY(hipEventCreateWithFlags(&done, hipEventDisableTiming));
	TRY(hipEventRecord(done, e->stream));
	TRY(hipEventSynchronize(done));
	TRY(hipEventDestroy(done));
	TRY(hipFree(dx));
	TRY(hipFree(dy));
	return true;
}

bool engine_max_abs(struct engine *e, float *x, int n, float *result)
{
	hipDeviceptr_t dx = 0, best = 0;
	const unsigned block = 128, grid = (unsigned)(n + 127) / 128;

	TRY(hipMalloc(&dx, (size_t)n * sizeof(float)));
	TRY(hipMalloc(&best, sizeof(int)));
	TRY(hipMemcpyHtoD(dx, x, (size_t)n * sizeof(float)));
	TRY(hipMemsetD32(best, 0, 1));
	TRY(hipCtxSynchronize());

	void *args[] = { &dx, &n, &best };
	TRY(hipModuleLaunchKernel(e->max_abs, grid, 1, 1, block, 1, 1, 0, e->stream, args, 0));
	TRY(hipStreamSynchronize(e->stream));
	TRY(hipMemcpyDtoH(result, best, sizeof(float)));
	TRY(hipFree(dx));
	TRY(hipFree(best));
	return true;
}
