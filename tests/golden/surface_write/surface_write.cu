// Surfaces: one kernel draws into an array with surf2Dwrite, another reads it
// back mirrored with surf2Dread; x coordinates are in bytes.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace
{
	inline void Require(hipError_t status, const char* what)
	{
		if (status != hipSuccess)
		{
			std::fprintf(stderr, "%s: %s\n", what, hipGetErrorString(status));
			std::exit(1);
		}
	}

	struct SurfaceImage
	{
		hipArray* array = nullptr;
		hipSurfaceObject_t surface = 0;

		template <class Pixel>
		static SurfaceImage Create(int width, int height)
		{
			SurfaceImage image;
			const hipChannelFormatDesc format = hipCreateChannelDesc<Pixel>();
			Require(hipMallocArray(&image.array, &format, width, height, hipArraySurfaceLoadStore), "cudaMallocArray");

			hipResourceDesc resource{};
			resource.resType = hipResourceTypeArray;
			resource.res.array.array = image.array;
			Require(hipCreateSurfaceObject(&image.surface, &resource), "cudaCreateSurfaceObject");
			return image;
		}

		void Release()
		{
			Require(hipDestroySurfaceObject(surface), "cudaDestroySurfaceObject");
			Require(hipFreeArray(array), "cudaFreeArray");
		}
	};

	__global__ void DrawPattern(hipSurfaceObject_t target, int width, int height)
	{
		const int x = blockIdx.x * blockDim.x + threadIdx.x;
		const int y = blockIdx.y * blockDim.y + threadIdx.y;
		if (x < width && y < height)
		{
			const float value = static_cast<float>((x ^ y) & 255);
			surf2Dwrite(value, target, x * static_cast<int>(sizeof(float)), y);
		}
	}

	// Mirrors left and right and adds the row number.
	__global__ void Mirror(hipSurfaceObject_t source, hipSurfaceObject_t target, int width, int height)
	{
		const int x = blockIdx.x * blockDim.x + threadIdx.x;
		const int y = blockIdx.y * blockDim.y + threadIdx.y;
		if (x >= width || y >= height)
			return;

		float value;
		surf2Dread(&value, source, (width - 1 - x) * static_cast<int>(sizeof(float)), y);
		surf2Dwrite(value + static_cast<float>(y), target, x * static_cast<int>(sizeof(float)), y);
	}

	// Swaps the halves of a two-channel image in place.
	__global__ void SwapChannels(hipSurfaceObject_t image, int width, int height)
	{
		const int x = blockIdx.x * blockDim.x + threadIdx.x;
		const int y = blockIdx.y * blockDim.y + threadIdx.y;
		if (x < width && y < height)
		{
			float2 v;
			surf2Dread(&v, image, x * static_cast<int>(sizeof(float2)), y);
			surf2Dwrite(make_float2(v.y, v.x), image, x * static_cast<int>(sizeof(float2)), y);
		}
	}
}

int main()
{
	const int width = 200, height = 77;
	const dim3 block(32, 4);
	const dim3 grid((width + 31) / 32, (height + 3) / 4);
	int wrong = 0;

	// One channel: draw, mirror, compare.
	SurfaceImage drawn = SurfaceImage::Create<float>(width, height);
	SurfaceImage mirrored = SurfaceImage::Create<float>(width, height);
	hipLaunchKernelGGL(DrawPattern, grid, block, 0, 0, drawn.surface, width, height);
	hipLaunchKernelGGL(Mirror, grid, block, 0, 0, drawn.surface, mirrored.surface, width, height);
	Require(hipGetLastError(), "one-channel kernels");

	std::vector<float> result(width * height);
	Require(hipMemcpy2DFromArray(result.data(), width * sizeof(float), mirrored.array, 0, 0,
	                              width * sizeof(float), height, hipMemcpyDeviceToHost),
	        "cudaMemcpy2DFromArray");
	double sum = 0;
	for (int y = 0; y < height; ++y)
		for (int x = 0; x < width; ++x)
		{
			const float want = static_cast<float>((((width - 1 - x) ^ y) & 255) + y);
			wrong += result[y * width + x] != want;
			sum += result[y * width + x];
		}
	drawn.Release();
	mirrored.Release();
	std::printf("%d x %d, sum %.0f\n", width, height, sum);

	// Two channels: upload, swap, compare.
	SurfaceImage pairs = SurfaceImage::Create<float2>(width, height);
	std::vector<float2> values(width * height), swapped(width * height);
	for (int i = 0; i < width * height; ++i)
		values[i] = make_float2(static_cast<float>(i % 100), static_cast<float>(i % 77) - 0.5f);
	Require(hipMemcpy2DToArray(pairs.array, 0, 0, values.data(), width * sizeof(float2),
	                            width * sizeof(float2), height, hipMemcpyHostToDevice),
	        "cudaMemcpy2DToArray");
	hipLaunchKernelGGL(SwapChannels, grid, block, 0, 0, pairs.surface, width, height);
	Require(hipGetLastError(), "SwapChannels");
	Require(hipMemcpy2DFromArray(swapped.data(), width * sizeof(float2), pairs.array, 0, 0,
	                              width * sizeof(float2), height, hipMemcpyDeviceToHost),
	        "cudaMemcpy2DFromArray");
	for (int i = 0; i < width * height; ++i)
		wrong += swapped[i].x != values[i].y || swapped[i].y != values[i].x;
	pairs.Release();

	std::printf("wrong pixels: %d\n", wrong);
	std::puts(wrong == 0 ? "PASS" : "FAIL");
	return wrong == 0 ? 0 : 1;
}
