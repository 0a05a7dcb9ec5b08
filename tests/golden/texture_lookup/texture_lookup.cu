// Tables read through texture objects: linear memory with tex1Dfetch, a pitched image with tex2D.
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void ensure(hipError_t e)
{
    if (e == hipSuccess) return;
    std::fprintf(stderr, "%s\n", hipGetErrorString(e));
    std::exit(1);
}

template <typename T>
static hipTextureObject_t linear_texture(T* data, size_t count)
{
    hipResourceDesc resource;
    std::memset(&resource, 0, sizeof(resource));
    resource.resType = hipResourceTypeLinear;
    resource.res.linear.devPtr = data;
    resource.res.linear.desc = hipCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = count * sizeof(T);
    hipTextureDesc description = {};
    description.readMode = hipReadModeElementType;
    hipTextureObject_t object = 0;
    ensure(hipCreateTextureObject(&object, &resource, &description, nullptr));
    return object;
}

struct Sparse
{
    hipTextureObject_t x;
    const int *row, *column;
    const float* value;
};

// y = A x with x behind a texture
__global__ void multiply(Sparse a, float* y, int rows)
{
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    float sum = 0.0f;
    for (int k = a.row[r]; k < a.row[r + 1]; ++k) sum += a.value[k] * tex1Dfetch<float>(a.x, a.column[k]);
    y[r] = sum;
}

__global__ void pair_lookup(hipTextureObject_t pairs, const int* index, int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int2 p = tex1Dfetch<int2>(pairs, index[i]);
    out[i] = p.x * 10 + p.y;
}

// Nearest neighbours with clamped coordinates
__global__ void edges(hipTextureObject_t image, int* out, int width, int height)
{
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int here = tex2D<unsigned char>(image, x + 0.5f, y + 0.5f);
    const int right = tex2D<unsigned char>(image, x + 1.5f, y + 0.5f), below = tex2D<unsigned char>(image, x + 0.5f, y + 1.5f);
    out[y * width + x] = abs(right - here) + abs(below - here);
}

int main()
{
    const int rows = 900, perRow = 5, nnz = rows * perRow;
    std::vector<int> row(rows + 1), column(nnz), out(rows), index(rows);
    std::vector<float> value(nnz), x(rows), y(rows);
    std::vector<int2> pairs(64);
    for (int r = 0; r <= rows; ++r) row[r] = r * perRow;
    for (int k = 0; k < nnz; ++k) column[k] = (k * 131) % rows, value[k] = float(k % 7 - 3);
    for (int i = 0; i < rows; ++i) x[i] = float(i % 50) * 0.5f, index[i] = (i * 17) % 64;
    for (int i = 0; i < 64; ++i) pairs[i] = make_int2(i, -i * i);

    float *dx, *dy, *dvalue;
    int *drow, *dcolumn, *dindex, *dout;
    int2* dpairs;
    ensure(hipMalloc(&dx, rows * sizeof(float)));
    ensure(hipMalloc(&dy, rows * sizeof(float)));
    ensure(hipMalloc(&dvalue, nnz * sizeof(float)));
    ensure(hipMalloc(&drow, (rows + 1) * sizeof(int)));
    ensure(hipMalloc(&dcolumn, nnz * sizeof(int)));
    ensure(hipMalloc(&dindex, rows * sizeof(int)));
    ensure(hipMalloc(&dout, rows * sizeof(int)));
    ensure(hipMalloc(&dpairs, pairs.size() * sizeof(int2)));
    ensure(hipMemcpy(dx, x.data(), rows * sizeof(float), hipMemcpyHostToDevice));
    ensure(hipMemcpy(dvalue, value.data(), nnz * sizeof(float), hipMemcpyHostToDevice));
    ensure(hipMemcpy(drow, row.data(), (rows + 1) * sizeof(int), hipMemcpyHostToDevice));
    ensure(hipMemcpy(dcolumn, column.data(), nnz * sizeof(int), hipMemcpyHostToDevice));
    ensure(hipMemcpy(dindex, index.data(), rows * sizeof(int), hipMemcpyHostToDevice));
    ensure(hipMemcpy(dpairs, pairs.data(), pairs.size() * sizeof(int2), hipMemcpyHostToDevice));

    const hipTextureObject_t tx = linear_texture(dx, rows), tpairs = linear_texture(dpairs, pairs.size());
    hipLaunchKernelGGL(multiply, dim3((rows + 127) / 128), dim3(128), 0, 0, Sparse{tx, drow, dcolumn, dvalue}, dy, rows);
    hipLaunchKernelGGL(pair_lookup, dim3((rows + 127) / 128), dim3(128), 0, 0, tpairs, dindex, dout, rows);
    ensure(hipGetLastError());
    ensure(hipMemcpy(y.data(), dy, rows * sizeof(float), hipMemcpyDeviceToHost));
    ensure(hipMemcpy(out.data(), dout, rows * sizeof(int), hipMemcpyDeviceToHost));
    int wrong = 0;
    for (int r = 0; r < rows; ++r) {
        float want = 0;
        for (int k = row[r]; k < row[r + 1]; ++k) want += value[k] * x[column[k]];
        wrong += y[r] != want || out[r] != index[r] * 10 - index[r] * index[r];
    }
    std::printf("linear textures: y[7] %.1f, wrong %d\n", y[7], wrong);

    const int width = 70, height = 40;
    std::vector<unsigned char> image(width * height);
    for (int i = 0; i < width * height; ++i) image[i] = (unsigned char)(i * i / 3 % 251);
    std::vector<int> edge(width * height);
    unsigned char* dimage;
    int* dedge;
    size_t pitch;
    ensure(hipMallocPitch((void**)&dimage, &pitch, width, height));
    ensure(hipMemcpy2D(dimage, pitch, image.data(), width, width, height, hipMemcpyHostToDevice));
    ensure(hipMalloc(&dedge, edge.size() * sizeof(int)));
    hipResourceDesc resource = {};
    resource.resType = hipResourceTypePitch2D;
    resource.res.pitch2D.devPtr = dimage;
    resource.res.pitch2D.desc = hipCreateChannelDesc<unsigned char>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    hipTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = hipAddressModeClamp;
    description.filterMode = hipFilterModePoint;
    description.readMode = hipReadModeElementType;
    hipTextureObject_t picture = 0;
    ensure(hipCreateTextureObject(&picture, &resource, &description, NULL));
    hipLaunchKernelGGL(edges, dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16), 0, 0, picture, dedge, width, height);
    ensure(hipGetLastError());
    ensure(hipMemcpy(edge.data(), dedge, edge.size() * sizeof(int), hipMemcpyDeviceToHost));
    int bad = 0;
    long total = 0;
    for (int v = 0; v < height; ++v)
        for (int u = 0; u < width; ++u) {
            const int here = image[v * width + u], right = image[v * width + (u + 1 < width ? u + 1 : u)];
            const int below = image[(v + 1 < height ? v + 1 : v) * width + u];
            bad += edge[v * width + u] != std::abs(right - here) + std::abs(below - here);
            total += edge[v * width + u];
        }
    std::printf("image: edges sum to %ld, wrong %d\n", total, bad);

    for (hipTextureObject_t t : {tx, tpairs, picture}) ensure(hipDestroyTextureObject(t));
    for (void* p : {(void*)dx, (void*)dy, (void*)dvalue, (void*)drow, (void*)dcolumn, (void*)dindex, (void*)dout, (void*)dpairs, (void*)dimage, (void*)dedge})
        ensure(hipFree(p));
    std::puts(wrong + bad ? "FAIL" : "PASS");
    return wrong + bad != 0;
}
