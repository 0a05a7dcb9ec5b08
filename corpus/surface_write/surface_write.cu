// Surfaces: one kernel draws into an array with surf2Dwrite, another reads it
// back mirrored with surf2Dread; x coordinates are in bytes.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace
{
	inline void Require(cudaError_t status, const char* what)
	{
		if (status != cudaSuccess)
		{
			std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
			std::exit(1);
		}
	}

	struct SurfaceImage
	{
		cudaArray* array = nullptr;
		cudaSurfaceObject_t surface = 0;

		template <class Pixel>
		static SurfaceImage Create(int width, int height)
		{
			SurfaceImage image;
			const cudaChannelFormatDesc format = cudaCreateChannelDesc<Pixel>();
			Require(cudaMallocArray(&image.array, &format, width, height, cudaArraySurfaceLoadStore), "cudaMallocArray");

			cudaResourceDesc resource{};
			resource.resType = cudaResourceTypeArray;
			resource.res.array.array = image.array;
			Require(cudaCreateSurfaceObject(&image.surface, &resource), "cudaCreateSurfaceObject");
			return image;
		}

		void Release()
		{
			Require(cudaDestroySurfaceObject(surface), "cudaDestroySurfaceObject");
			Require(cudaFreeArray(array), "cudaFreeArray");
		}
	};

	__global__ void DrawPattern(cudaSurfaceObject_t target, int width, int height)
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
	__global__ void Mirror(cudaSurfaceObject_t source, cudaSurfaceObject_t target, int width, int height)
	{
		const int x = blockIdx.x * blockDim.x + threadIdx.x;
		const int y = blockIdx.y * blockDim.y + threadIdx.y;
		if (x >= width || y >= height)
			return;

		float value;
		surf2Dread(&value, source, (width - 1 - x) * static_cast<int>(sizeof(float)), y, cudaBoundaryModeClamp);
		surf2Dwrite(value + static_cast<float>(y), target, x * static_cast<int>(sizeof(float)), y, cudaBoundaryModeZero);
	}

	// Swaps the halves of a two-channel image in place.
	__global__ void SwapChannels(cudaSurfaceObject_t image, int width, int height)
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
	DrawPattern<<<grid, block>>>(drawn.surface, width, height);
	Mirror<<<grid, block>>>(drawn.surface, mirrored.surface, width, height);
	Require(cudaGetLastError(), "one-channel kernels");

	std::vector<float> result(width * height);
	Require(cudaMemcpy2DFromArray(result.data(), width * sizeof(float), mirrored.array, 0, 0,
	                              width * sizeof(float), height, cudaMemcpyDeviceToHost),
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
	Require(cudaMemcpy2DToArray(pairs.array, 0, 0, values.data(), width * sizeof(float2),
	                            width * sizeof(float2), height, cudaMemcpyHostToDevice),
	        "cudaMemcpy2DToArray");
	SwapChannels<<<grid, block>>>(pairs.surface, width, height);
	Require(cudaGetLastError(), "SwapChannels");
	Require(cudaMemcpy2DFromArray(swapped.data(), width * sizeof(float2), pairs.array, 0, 0,
	                              width * sizeof(float2), height, cudaMemcpyDeviceToHost),
	        "cudaMemcpy2DFromArray");
	for (int i = 0; i < width * height; ++i)
		wrong += swapped[i].x != values[i].y || swapped[i].y != values[i].x;
	pairs.Release();

	std::printf("wrong pixels: %d\n", wrong);
	std::puts(wrong == 0 ? "PASS" : "FAIL");
	return wrong == 0 ? 0 : 1;
}
