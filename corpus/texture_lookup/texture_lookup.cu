// Tables read through texture objects: linear memory with tex1Dfetch, a pitched image with tex2D.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void ensure(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "%s\n", cudaGetErrorString(e));
    std::exit(1);
}

template <typename T>
static cudaTextureObject_t linear_texture(T* data, size_t count)
{
    cudaResourceDesc resource;
    std::memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = data;
    resource.res.linear.desc = cudaCreateChannelDesc<T>();
    resource.res.linear.sizeInBytes = count * sizeof(T);
    cudaTextureDesc description = {};
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t object = 0;
    ensure(cudaCreateTextureObject(&object, &resource, &description, nullptr));
    return object;
}

struct Sparse
{
    cudaTextureObject_t x;
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

__global__ void pair_lookup(cudaTextureObject_t pairs, const int* index, int* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int2 p = tex1Dfetch<int2>(pairs, index[i]);
    out[i] = p.x * 10 + p.y;
}

// Nearest neighbours with clamped coordinates
__global__ void edges(cudaTextureObject_t image, int* out, int width, int height)
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
    ensure(cudaMalloc(&dx, rows * sizeof(float)));
    ensure(cudaMalloc(&dy, rows * sizeof(float)));
    ensure(cudaMalloc(&dvalue, nnz * sizeof(float)));
    ensure(cudaMalloc(&drow, (rows + 1) * sizeof(int)));
    ensure(cudaMalloc(&dcolumn, nnz * sizeof(int)));
    ensure(cudaMalloc(&dindex, rows * sizeof(int)));
    ensure(cudaMalloc(&dout, rows * sizeof(int)));
    ensure(cudaMalloc(&dpairs, pairs.size() * sizeof(int2)));
    ensure(cudaMemcpy(dx, x.data(), rows * sizeof(float), cudaMemcpyHostToDevice));
    ensure(cudaMemcpy(dvalue, value.data(), nnz * sizeof(float), cudaMemcpyHostToDevice));
    ensure(cudaMemcpy(drow, row.data(), (rows + 1) * sizeof(int), cudaMemcpyHostToDevice));
    ensure(cudaMemcpy(dcolumn, column.data(), nnz * sizeof(int), cudaMemcpyHostToDevice));
    ensure(cudaMemcpy(dindex, index.data(), rows * sizeof(int), cudaMemcpyHostToDevice));
    ensure(cudaMemcpy(dpairs, pairs.data(), pairs.size() * sizeof(int2), cudaMemcpyHostToDevice));

    const cudaTextureObject_t tx = linear_texture(dx, rows), tpairs = linear_texture(dpairs, pairs.size());
    multiply<<<(rows + 127) / 128, 128>>>(Sparse{tx, drow, dcolumn, dvalue}, dy, rows);
    pair_lookup<<<(rows + 127) / 128, 128>>>(tpairs, dindex, dout, rows);
    ensure(cudaGetLastError());
    ensure(cudaMemcpy(y.data(), dy, rows * sizeof(float), cudaMemcpyDeviceToHost));
    ensure(cudaMemcpy(out.data(), dout, rows * sizeof(int), cudaMemcpyDeviceToHost));
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
    ensure(cudaMallocPitch((void**)&dimage, &pitch, width, height));
    ensure(cudaMemcpy2D(dimage, pitch, image.data(), width, width, height, cudaMemcpyHostToDevice));
    ensure(cudaMalloc(&dedge, edge.size() * sizeof(int)));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypePitch2D;
    resource.res.pitch2D.devPtr = dimage;
    resource.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.filterMode = cudaFilterModePoint;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t picture = 0;
    ensure(cudaCreateTextureObject(&picture, &resource, &description, NULL));
    edges<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(16, 16)>>>(picture, dedge, width, height);
    ensure(cudaGetLastError());
    ensure(cudaMemcpy(edge.data(), dedge, edge.size() * sizeof(int), cudaMemcpyDeviceToHost));
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

    for (cudaTextureObject_t t : {tx, tpairs, picture}) ensure(cudaDestroyTextureObject(t));
    for (void* p : {(void*)dx, (void*)dy, (void*)dvalue, (void*)drow, (void*)dcolumn, (void*)dindex, (void*)dout, (void*)dpairs, (void*)dimage, (void*)dedge})
        ensure(cudaFree(p));
    std::puts(wrong + bad ? "FAIL" : "PASS");
    return wrong + bad != 0;
}
