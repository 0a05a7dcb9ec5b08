/*
 * Pure driver API: device, primary context, module, memory, events, launch.
 * The module's code comes from NVRTC.  No header of the runtime API is used.
 */
#include "vector_engine.h"

#include <stdio.h>
#include <stdlib.h>

#include <cuda.h>
#include <nvrtc.h>

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
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction axpby, max_abs;
	CUstream stream;
};

static bool good(CUresult res, const char *what)
{
	switch (res) {
	case CUDA_SUCCESS:
		return true;
	case CUDA_ERROR_OUT_OF_MEMORY:
		fprintf(stderr, "%s: out of device memory\n", what);
		return false;
	case CUDA_ERROR_NO_DEVICE:
	case CUDA_ERROR_INVALID_DEVICE:
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
	nvrtcProgram prog;
	size_t size = 0;
	char *code = NULL;

	if (nvrtcCreateProgram(&prog, source, "engine.cu", 0, NULL, NULL) != NVRTC_SUCCESS)
		return NULL;
	nvrtcResult res = nvrtcCompileProgram(prog, 0, NULL);
	if (res == NVRTC_SUCCESS && nvrtcGetPTXSize(prog, &size) == NVRTC_SUCCESS) {
		code = (char *)malloc(size);
		if (code && nvrtcGetPTX(prog, code) != NVRTC_SUCCESS) {
			free(code);
			code = NULL;
		}
	} else {
		fprintf(stderr, "nvrtc: %s\n", nvrtcGetErrorString(res));
	}
	nvrtcDestroyProgram(&prog);
	return code;
}

static bool open_all(struct engine *e)
{
	int count = 0, threads = 0;
	size_t total = 0;

	TRY(cuInit(0));
	TRY(cuDeviceGetCount(&count));
	if (count < 1) {
		fprintf(stderr, "no device\n");
		return false;
	}
	TRY(cuDeviceGet(&e->device, 0));
	TRY(cuDeviceTotalMem(&total, e->device));
	TRY(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, e->device));
	if (threads < 256 || total < ((size_t)64 << 20)) {
		fprintf(stderr, "device too small\n");
		return false;
	}
	/* shared with the runtime API of the same process */
	TRY(cuDevicePrimaryCtxRetain(&e->context, e->device));
	TRY(cuCtxSetCurrent(e->context));
	TRY(cuStreamCreate(&e->stream, CU_STREAM_NON_BLOCKING));

	char *code = build();
	if (!code)
		return false;
	CUresult loaded = cuModuleLoadData(&e->module, code);
	free(code);
	TRY(loaded);
	TRY(cuModuleGetFunction(&e->axpby, e->module, "axpby"));
	TRY(cuModuleGetFunction(&e->max_abs, e->module, "max_abs"));
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
		cuModuleUnload(e->module);
	if (e->stream)
		cuStreamDestroy(e->stream);
	if (e->context) {
		cuCtxSetCurrent(NULL);
		cuDevicePrimaryCtxRelease(e->device);
	}
	free(e);
}

bool engine_axpby(struct engine *e, float a, float *x, float b, float *y, int n)
{
	CUdeviceptr dx = 0, dy = 0;
	CUevent done;
	const size_t bytes = (size_t)n * sizeof(float);
	const unsigned block = 256, grid = (unsigned)(n + 255) / 256;

	TRY(cuMemAlloc(&dx, bytes));
	TRY(cuMemAlloc(&dy, bytes));
	TRY(cuMemcpyHtoDAsync(dx, x, bytes, e->stream));
	TRY(cuMemcpyHtoDAsync(dy, y, bytes, e->stream));

	void *args[] = { &a, &dx, &b, &dy, &n };
	TRY(cuLaunchKernel(e->axpby, grid, 1, 1, block, 1, 1, 0, e->stream, args, NULL));
	TRY(cuMemcpyDtoHAsync(y, dy, bytes, e->stream));

	TRY(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
	TRY(cuEventRecord(done, e->stream));
	TRY(cuEventSynchronize(done));
	TRY(cuEventDestroy(done));
	TRY(cuMemFree(dx));
	TRY(cuMemFree(dy));
	return true;
}

bool engine_max_abs(struct engine *e, float *x, int n, float *result)
{
	CUdeviceptr dx = 0, best = 0;
	const unsigned block = 128, grid = (unsigned)(n + 127) / 128;

	TRY(cuMemAlloc(&dx, (size_t)n * sizeof(float)));
	TRY(cuMemAlloc(&best, sizeof(int)));
	TRY(cuMemcpyHtoD(dx, x, (size_t)n * sizeof(float)));
	TRY(cuMemsetD32(best, 0, 1));
	TRY(cuCtxSynchronize());

	void *args[] = { &dx, &n, &best };
	TRY(cuLaunchKernel(e->max_abs, grid, 1, 1, block, 1, 1, 0, e->stream, args, 0));
	TRY(cuStreamSynchronize(e->stream));
	TRY(cuMemcpyDtoH(result, best, sizeof(float)));
	TRY(cuMemFree(dx));
	TRY(cuMemFree(best));
	return true;
}
