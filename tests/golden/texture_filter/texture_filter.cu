// Texture objects: bilinear upscaling of an array, wrapped lookups with
// normalized coordinates, bytes read as fractions, and a linear-memory fetch.
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECKED(call) checked((call), #call)
static void checked(hipError_t e, const char *call)
{
    if (e == hipSuccess)
        return;
    std::fprintf(stderr, "%s: %s\n", call, hipGetErrorString(e));
    std::exit(1);
}

// Twice the size in both directions; the weights are 1/4 and 3/4.
__global__ void upscale2(hipTextureObject_t tex, float *out, int w, int h)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[y * w + x] = tex2D<float>(tex, 0.5f * x + 0.25f, 0.5f * y + 0.25f);
}

// Reads the image shifted by one whole period plus (dx, dy) texels.
__global__ void shift_wrapped(hipTextureObject_t tex, float *out, int w, int h, int dx, int dy)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        out[y * w + x] = tex2D<float>(tex, 1.0f + (x + dx + 0.5f) / w, 1.0f + (y + dy + 0.5f) / h);
}

__global__ void gather_linear(hipTextureObject_t tex, const int *index, int *out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int2 pair = tex1Dfetch<int2>(tex, index[i]);
        out[i] = pair.x - pair.y;
    }
}

static hipTextureObject_t make_texture(hipArray_t array, hipTextureAddressMode address,
                                        hipTextureFilterMode filter, hipTextureReadMode read, int normalized)
{
    hipResourceDesc resource;
    std::memset(&resource, 0, sizeof(resource));
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;

    hipTextureDesc desc;
    std::memset(&desc, 0, sizeof(desc));
    desc.addressMode[0] = address;
    desc.addressMode[1] = address;
    desc.filterMode = filter;
    desc.readMode = read;
    desc.normalizedCoords = normalized;

    hipTextureObject_t texture = 0;
    CHECKED(hipCreateTextureObject(&texture, &resource, &desc, nullptr));
    return texture;
}

int main()
{
    const int w = 64, h = 32;
    const dim3 block(16, 16);
    bool ok = true;

    // --- bilinear filter, clamped -------------------------------------------------
    std::vector<float> image(w * h);
    for (int i = 0; i < w * h; ++i)
        image[i] = static_cast<float>(16 * ((i * 7 + i / w * 3) % 61));

    hipChannelFormatDesc float_format = hipCreateChannelDesc<float>();
    hipArray_t array = nullptr;
    CHECKED(hipMallocArray(&array, &float_format, w, h));
    CHECKED(hipMemcpy2DToArray(array, 0, 0, image.data(), w * sizeof(float), w * sizeof(float), h,
                                hipMemcpyHostToDevice));
    hipTextureObject_t smooth = make_texture(array, hipAddressModeClamp, hipFilterModeLinear, hipReadModeElementType, 0);

    const int W = 2 * w, H = 2 * h;
    float *d_out = nullptr;
    CHECKED(hipMalloc(&d_out, W * H * sizeof(float)));
    hipLaunchKernelGGL(upscale2, dim3(W / 16, H / 16), block, 0, 0, smooth, d_out, W, H);
    CHECKED(hipGetLastError());
    std::vector<float> out(W * H);
    CHECKED(hipMemcpy(out.data(), d_out, W * H * sizeof(float), hipMemcpyDeviceToHost));

    auto texel = [&](int x, int y) { return image[std::clamp(y, 0, h - 1) * w + std::clamp(x, 0, w - 1)]; };
    double worst = 0, sum = 0;
    for (int y = 0; y < H; ++y)
        for (int x = 0; x < W; ++x) {
            const float fx = 0.5f * x - 0.25f, fy = 0.5f * y - 0.25f;
            const int x0 = static_cast<int>(std::floor(fx)), y0 = static_cast<int>(std::floor(fy));
            const float a = fx - x0, b = fy - y0;
            const float want = (1 - b) * ((1 - a) * texel(x0, y0) + a * texel(x0 + 1, y0)) +
                               b * ((1 - a) * texel(x0, y0 + 1) + a * texel(x0 + 1, y0 + 1));
            worst = std::fmax(worst, std::fabs(want - out[y * W + x]));
            sum += out[y * W + x];
        }
    ok = ok && worst < 4.0;
    std::printf("bilinear: mean %.0f, %s\n", sum / (W * H), worst < 4.0 ? "ok" : "WRONG");
    CHECKED(hipDestroyTextureObject(smooth));
    CHECKED(hipFreeArray(array));

    // --- normalized coordinates, wrapped, bytes as fractions of 255 ---------------
    std::vector<unsigned char> bytes(w * h);
    for (int i = 0; i < w * h; ++i)
        bytes[i] = static_cast<unsigned char>(i * 11 % 256);
    hipChannelFormatDesc byte_format = hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindUnsigned);
    CHECKED(hipMallocArray(&array, &byte_format, w, h));
    CHECKED(hipMemcpy2DToArray(array, 0, 0, bytes.data(), w, w, h, hipMemcpyHostToDevice));
    hipTextureObject_t wrapped = make_texture(array, hipAddressModeWrap, hipFilterModePoint, hipReadModeNormalizedFloat, 1);

    hipLaunchKernelGGL(shift_wrapped, dim3(w / 16, h / 16), block, 0, 0, wrapped, d_out, w, h, 5, 9);
    CHECKED(hipGetLastError());
    CHECKED(hipMemcpy(out.data(), d_out, w * h * sizeof(float), hipMemcpyDeviceToHost));
    int wrong = 0;
    for (int y = 0; y < h; ++y)
        for (int x = 0; x < w; ++x)
            wrong += std::lround(255.0f * out[y * w + x]) != bytes[(y + 9) % h * w + (x + 5) % w];
    ok = ok && wrong == 0;
    std::printf("wrapped bytes: %d wrong\n", wrong);
    CHECKED(hipDestroyTextureObject(wrapped));
    CHECKED(hipFreeArray(array));
    CHECKED(hipFree(d_out));

    // --- linear memory ------------------------------------------------------------
    const int n = 1000;
    std::vector<int2> pairs(n);
    std::vector<int> index(n), difference(n);
    for (int i = 0; i < n; ++i) {
        pairs[i] = make_int2(i * 3, i % 10);
        index[i] = i * 37 % n;
    }
    int2 *d_pairs = nullptr;
    int *d_index = nullptr, *d_difference = nullptr;
    CHECKED(hipMalloc(&d_pairs, n * sizeof(int2)));
    CHECKED(hipMalloc(&d_index, n * sizeof(int)));
    CHECKED(hipMalloc(&d_difference, n * sizeof(int)));
    CHECKED(hipMemcpy(d_pairs, pairs.data(), n * sizeof(int2), hipMemcpyHostToDevice));
    CHECKED(hipMemcpy(d_index, index.data(), n * sizeof(int), hipMemcpyHostToDevice));

    hipResourceDesc linear = {};
    linear.resType = hipResourceTypeLinear;
    linear.res.linear.devPtr = d_pairs;
    linear.res.linear.desc = hipCreateChannelDesc<int2>();
    linear.res.linear.sizeInBytes = n * sizeof(int2);
    hipTextureDesc plain = {};
    plain.readMode = hipReadModeElementType;
    hipTextureObject_t fetch = 0;
    CHECKED(hipCreateTextureObject(&fetch, &linear, &plain, nullptr));
    hipLaunchKernelGGL(gather_linear, dim3((n + 127) / 128), dim3(128), 0, 0, fetch, d_index, d_difference, n);
    CHECKED(hipMemcpy(difference.data(), d_difference, n * sizeof(int), hipMemcpyDeviceToHost));
    wrong = 0;
    for (int i = 0; i < n; ++i)
        wrong += difference[i] != pairs[index[i]].x - pairs[index[i]].y;
    ok = ok && wrong == 0;
    std::printf("linear fetch: %d wrong\n", wrong);
    CHECKED(hipDestroyTextureObject(fetch));
    CHECKED(hipFree(d_pairs));
    CHECKED(hipFree(d_index));
    CHECKED(hipFree(d_difference));

    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
