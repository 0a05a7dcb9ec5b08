// A three-stage image pipeline whose stages are marked for the profiler with
// NVTX ranges: nested ones on the host thread, and started/ended ones that
// span several calls.  The program behaves the same with no profiler around.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <hip/hip_runtime.h>
#define HIPIFY_NEEDS_ROCTX
#include "hipify_support.hpp"
#include <roctracer/roctx.h>

#define CHECK_CUDA(call)                                                    \
	do {                                                                    \
		hipError_t status = call;                                          \
		if (status != hipSuccess) {                                        \
			roctxMarkA("error");                                             \
			std::fprintf(stderr, "%s failed: %s\n", #call,                  \
			             hipGetErrorString(status));                       \
			std::exit(1);                                                   \
		}                                                                   \
	} while (0)

// A nested range for as long as the object lives.
class ScopedRange {
public:
	explicit ScopedRange(const char *name) { depth_ = roctxRangePushA(name); }
	~ScopedRange() { roctxRangePop(); }
	ScopedRange(const ScopedRange &) = delete;
	ScopedRange &operator=(const ScopedRange &) = delete;

private:
	int depth_;
};

struct Image {
	int width, height;
	unsigned char *pixels;   // on the device
};

__global__ void threshold(const unsigned char *in, unsigned char *out, int n, int limit)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i] >= limit ? 255 : 0;
}

// 3x3 maximum; pixels outside count as black.
__global__ void dilate(const unsigned char *in, unsigned char *out, int width, int height)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x >= width || y >= height)
		return;
	unsigned char best = 0;
	for (int dy = -1; dy <= 1; ++dy)
		for (int dx = -1; dx <= 1; ++dx) {
			int u = x + dx, v = y + dy;
			if (u >= 0 && v >= 0 && u < width && v < height && in[v * width + u] > best)
				best = in[v * width + u];
		}
	out[y * width + x] = best;
}

__global__ void countWhite(const unsigned char *in, int n, unsigned int *count)
{
	unsigned int mine = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		mine += in[i] == 255;
	if (mine)
		atomicAdd(count, mine);
}

static Image makeImage(int width, int height)
{
	ScopedRange range("allocate");
	Image img = {width, height, nullptr};
	CHECK_CUDA(hipMalloc((void **)&img.pixels, (size_t)width * height));
	return img;
}

static unsigned int pipeline(const Image &in, Image &a, Image &b, unsigned int *counter, int round)
{
	std::string label = "round " + std::to_string(round);
	ScopedRange range(label.c_str());
	const int n = in.width * in.height;
	{
		ScopedRange stage("threshold");
		hipLaunchKernelGGL(threshold, dim3((n + 255) / 256), dim3(256), 0, 0, in.pixels, a.pixels, n, 240 - 10 * round);
		CHECK_CUDA(hipGetLastError());
	}
	{
		ScopedRange stage("dilate");
		dim3 block(32, 8);
		dim3 grid((in.width + block.x - 1) / block.x, (in.height + block.y - 1) / block.y);
		hipLaunchKernelGGL(dilate, grid, block, 0, 0, a.pixels, b.pixels, in.width, in.height);
		CHECK_CUDA(hipGetLastError());
	}
	roctxRangePush("count");
	unsigned int white = 0;
	CHECK_CUDA(hipMemset(counter, 0, sizeof(unsigned int)));
	hipLaunchKernelGGL(countWhite, dim3(32), dim3(256), 0, 0, b.pixels, n, counter);
	CHECK_CUDA(hipGetLastError());
	CHECK_CUDA(hipMemcpy(&white, counter, sizeof(white), hipMemcpyDeviceToHost));
	roctxRangePop();
	roctxMark("round done");
	return white;
}

static unsigned int reference(const std::vector<unsigned char> &in, int width, int height, int limit)
{
	unsigned int white = 0;
	for (int y = 0; y < height; ++y)
		for (int x = 0; x < width; ++x) {
			bool hit = false;
			for (int v = y - 1; v <= y + 1; ++v)
				for (int u = x - 1; u <= x + 1; ++u)
					if (u >= 0 && v >= 0 && u < width && v < height)
						hit = hit || in[v * width + u] >= limit;
			white += hit;
		}
	return white;
}

int main()
{
	const int width = 517, height = 389, rounds = 4;
	std::vector<unsigned char> host(width * height);
	for (size_t i = 0; i < host.size(); ++i) {
		unsigned int h = (unsigned int)i * 2246822519u;
		host[i] = (unsigned char)((h ^ (h >> 15)) >> 7);
	}

	roctx_range_id_t setup = roctxRangeStartA("setup");
	Image in = makeImage(width, height), a = makeImage(width, height), b = makeImage(width, height);
	unsigned int *counter;
	CHECK_CUDA(hipMalloc((void **)&counter, sizeof(unsigned int)));
	CHECK_CUDA(hipMemcpy(in.pixels, host.data(), host.size(), hipMemcpyHostToDevice));
	roctxRangeStop(setup);

	bool ok = true;
	std::printf("image %dx%d\n", width, height);
	for (int r = 0; r < rounds; ++r) {
		unsigned int got = pipeline(in, a, b, counter, r);
		unsigned int want = reference(host, width, height, 240 - 10 * r);
		std::printf("round %d white %u\n", r, got);
		ok = ok && got == want;
	}

	CHECK_CUDA(hipFree(in.pixels));
	CHECK_CUDA(hipFree(a.pixels));
	CHECK_CUDA(hipFree(b.pixels));
	CHECK_CUDA(hipFree(counter));
	std::puts(ok ? "PASS" : "FAIL");
	return ok ? 0 : 1;
}
