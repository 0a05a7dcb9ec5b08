// Trains a small two-layer network by gradient descent: cuBLAS for the
// products, cuRAND for the data and the first weights, own kernels for what is
// element-wise.  The same training on the CPU, from the same numbers, has to
// end at the same loss.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <hipblas/hipblas.h>
#include <hip/hip_runtime.h>
#include <hiprand/hiprand.h>

namespace mlp {

// One check for all three libraries, told apart by the type of the status.
inline bool good(hipError_t s) { return s == hipSuccess; }
inline bool good(hipblasStatus_t s) { return s == HIPBLAS_STATUS_SUCCESS; }
inline bool good(hiprandStatus_t s) { return s == HIPRAND_STATUS_SUCCESS; }

template <typename Status>
void verify(Status s, const char *what)
{
	if (!good(s))
		throw std::runtime_error(std::string(what) + " failed with " + std::to_string(static_cast<int>(s)));
}
#define VERIFY(x) ::mlp::verify((x), #x)

constexpr int kInputs = 8, kHidden = 32, kSamples = 512, kBatch = 64, kEpochs = 40;
constexpr float kRate = 0.05f;

class Tensor
{
public:
	Tensor(int rows, int cols) : rows_(rows), cols_(cols) { VERIFY(hipMalloc(&data_, bytes())); }
	~Tensor() { hipFree(data_); }
	Tensor(const Tensor &) = delete;
	Tensor &operator=(const Tensor &) = delete;

	float *data() { return data_; }
	float *column(int j) { return data_ + static_cast<size_t>(j) * rows_; }
	int rows() const { return rows_; }
	int size() const { return rows_ * cols_; }
	size_t bytes() const { return sizeof(float) * rows_ * cols_; }
	std::vector<float> host() const
	{
		std::vector<float> v(size());
		VERIFY(hipMemcpy(v.data(), data_, bytes(), hipMemcpyDeviceToHost));
		return v;
	}

private:
	float *data_ = nullptr;
	int rows_, cols_;
};

// What the network is to learn.
__host__ __device__ inline float teacher(const float *x)
{
	return x[0] * x[1] + 0.5f * x[2] - x[3] + (x[4] > 0.5f ? 0.25f : 0.0f);
}

__global__ void makeTargets(const float *x, float *y, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = teacher(x + i * kInputs);
}

// Adds the bias of each row, and cuts off below zero where asked to.
template <bool Relu>
__global__ void addBias(float *v, const float *bias, int rows, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		float s = v[i] + bias[i % rows];
		v[i] = Relu && s < 0.0f ? 0.0f : s;
	}
}

__global__ void lossGradient(const float *out, const float *want, float *grad, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		grad[i] = 2.0f * (out[i] - want[i]) / n;
}

// The gradient passes only where the activation did.
__global__ void gate(float *grad, const float *activation, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && activation[i] <= 0.0f)
		grad[i] = 0.0f;
}

inline int grid(int n) { return (n + 127) / 128; }

class Network
{
public:
	explicit Network(hiprandGenerator_t gen)
	{
		VERIFY(hipblasCreate(&blas_));
		VERIFY(hiprandGenerateNormal(gen, w1_.data(), w1_.size(), 0.0f, 0.4f));
		VERIFY(hiprandGenerateNormal(gen, w2_.data(), w2_.size(), 0.0f, 0.2f));
		VERIFY(hipMemset(b1_.data(), 0, b1_.bytes()));
		VERIFY(hipMemset(b2_.data(), 0, b2_.bytes()));
		const std::vector<float> one(kBatch, 1.0f);
		VERIFY(hipMemcpy(ones_.data(), one.data(), ones_.bytes(), hipMemcpyHostToDevice));
	}
	~Network() { hipblasDestroy(blas_); }

	void step(float *x, const float *y)
	{
		forward(x);
		hipLaunchKernelGGL(lossGradient, dim3(grid(kBatch)), dim3(128), 0, 0, out_.data(), y, gOut_.data(), kBatch);
		VERIFY(hipGetLastError());

		// gradients of the second layer, then back through it
		gemm(HIPBLAS_OP_N, HIPBLAS_OP_T, 1, kHidden, kBatch, gOut_.data(), 1, hid_.data(), kHidden, gW2_.data());
		gemm(HIPBLAS_OP_T, HIPBLAS_OP_N, kHidden, kBatch, 1, w2_.data(), 1, gOut_.data(), 1, gHid_.data());
		hipLaunchKernelGGL(gate, dim3(grid(gHid_.size())), dim3(128), 0, 0, gHid_.data(), hid_.data(), gHid_.size());
		VERIFY(hipGetLastError());
		gemm(HIPBLAS_OP_N, HIPBLAS_OP_T, kHidden, kInputs, kBatch, gHid_.data(), kHidden, x, kInputs, gW1_.data());

		// the biases get the row sums: a product with a vector of ones
		descend(w1_, gW1_);
		descend(w2_, gW2_);
		const float rate = -kRate, one = 1.0f;
		VERIFY(hipblasSgemv(blas_, HIPBLAS_OP_N, kHidden, kBatch, &rate, gHid_.data(), kHidden, ones_.data(), 1, &one,
		                   b1_.data(), 1));
		VERIFY(hipblasSgemv(blas_, HIPBLAS_OP_N, 1, kBatch, &rate, gOut_.data(), 1, ones_.data(), 1, &one, b2_.data(), 1));
	}

	// Mean squared error over all samples.
	double loss(Tensor &x, const std::vector<float> &y)
	{
		double sum = 0;
		for (int b = 0; b < kSamples; b += kBatch) {
			forward(x.column(b));
			const std::vector<float> out = out_.host();
			for (int i = 0; i < kBatch; ++i) sum += (out[i] - y[b + i]) * (out[i] - y[b + i]);
		}
		return sum / kSamples;
	}

	std::vector<float> firstWeights() const { return w1_.host(); }
	std::vector<float> secondWeights() const { return w2_.host(); }

private:
	void forward(float *x)
	{
		gemm(HIPBLAS_OP_N, HIPBLAS_OP_N, kHidden, kBatch, kInputs, w1_.data(), kHidden, x, kInputs, hid_.data());
		hipLaunchKernelGGL(addBias<true>, dim3(grid(hid_.size())), dim3(128), 0, 0, hid_.data(), b1_.data(), kHidden, hid_.size());
		VERIFY(hipGetLastError());
		gemm(HIPBLAS_OP_N, HIPBLAS_OP_N, 1, kBatch, kHidden, w2_.data(), 1, hid_.data(), kHidden, out_.data());
		hipLaunchKernelGGL(addBias<false>, dim3(grid(kBatch)), dim3(128), 0, 0, out_.data(), b2_.data(), 1, kBatch);
		VERIFY(hipGetLastError());
	}

	void gemm(hipblasOperation_t ta, hipblasOperation_t tb, int m, int n, int k, const float *a, int lda, const float *b,
	          int ldb, float *c)
	{
		const float one = 1.0f, zero = 0.0f;
		VERIFY(hipblasSgemm(blas_, ta, tb, m, n, k, &one, a, lda, b, ldb, &zero, c, m));
	}

	void descend(Tensor &w, Tensor &g)
	{
		const float rate = -kRate;
		VERIFY(hipblasSaxpy(blas_, w.size(), &rate, g.data(), 1, w.data(), 1));
	}

	hipblasHandle_t blas_ = nullptr;
	Tensor w1_{kHidden, kInputs}, b1_{kHidden, 1}, w2_{1, kHidden}, b2_{1, 1};
	Tensor hid_{kHidden, kBatch}, out_{1, kBatch}, ones_{kBatch, 1};
	Tensor gW1_{kHidden, kInputs}, gW2_{1, kHidden}, gHid_{kHidden, kBatch}, gOut_{1, kBatch};
};

// The same training in double on the CPU; returns the loss at the end.
double referenceTraining(const std::vector<float> &x, const std::vector<float> &y, const std::vector<float> &w1f,
                         const std::vector<float> &w2f)
{
	std::vector<double> w1(w1f.begin(), w1f.end()), w2(w2f.begin(), w2f.end()), b1(kHidden, 0.0), hid(kHidden);
	double b2 = 0;
	auto predict = [&](const float *in) {
		double out = b2;
		for (int h = 0; h < kHidden; ++h) {
			double s = b1[h];
			for (int k = 0; k < kInputs; ++k) s += w1[h + k * kHidden] * in[k];
			hid[h] = std::max(s, 0.0);
			out += w2[h] * hid[h];
		}
		return out;
	};
	for (int e = 0; e < kEpochs; ++e)
		for (int b = 0; b < kSamples; b += kBatch) {
			std::vector<double> g1(w1.size(), 0.0), g2(kHidden, 0.0), gb1(kHidden, 0.0);
			double gb2 = 0;
			for (int i = b; i < b + kBatch; ++i) {
				const float *in = &x[i * kInputs];
				const double g = 2.0 * (predict(in) - y[i]) / kBatch;
				gb2 += g;
				for (int h = 0; h < kHidden; ++h) {
					g2[h] += g * hid[h];
					if (hid[h] <= 0.0) continue;
					gb1[h] += g * w2[h];
					for (int k = 0; k < kInputs; ++k) g1[h + k * kHidden] += g * w2[h] * in[k];
				}
			}
			for (size_t j = 0; j < w1.size(); ++j) w1[j] -= kRate * g1[j];
			for (int h = 0; h < kHidden; ++h) w2[h] -= kRate * g2[h], b1[h] -= kRate * gb1[h];
			b2 -= kRate * gb2;
		}
	double sum = 0;
	for (int i = 0; i < kSamples; ++i) {
		const double d = predict(&x[i * kInputs]) - y[i];
		sum += d * d;
	}
	return sum / kSamples;
}

bool train()
{
	hiprandGenerator_t gen;
	VERIFY(hiprandCreateGenerator(&gen, HIPRAND_RNG_PSEUDO_XORWOW));
	VERIFY(hiprandSetPseudoRandomGeneratorSeed(gen, 99ULL));

	Tensor x(kInputs, kSamples), y(1, kSamples);
	VERIFY(hiprandGenerateUniform(gen, x.data(), x.size()));
	hipLaunchKernelGGL(makeTargets, dim3(grid(kSamples)), dim3(128), 0, 0, x.data(), y.data(), kSamples);
	VERIFY(hipGetLastError());
	const std::vector<float> hx = x.host(), hy = y.host();

	Network net(gen);
	const std::vector<float> w1 = net.firstWeights(), w2 = net.secondWeights();
	const double before = net.loss(x, hy);
	for (int e = 0; e < kEpochs; ++e)
		for (int b = 0; b < kSamples; b += kBatch) net.step(x.column(b), y.column(b));
	const double after = net.loss(x, hy);
	VERIFY(hipDeviceSynchronize());
	VERIFY(hiprandDestroyGenerator(gen));

	const double want = referenceTraining(hx, hy, w1, w2);
	const bool fell = after < 0.5 * before, agrees = std::fabs(after - want) < 0.01 * want;
	std::printf("samples %d hidden %d epochs %d\n", kSamples, kHidden, kEpochs);
	std::printf("loss %s\n", fell ? "fell by more than half" : "did not fall");
	std::printf("CPU and GPU %s\n", agrees ? "agree" : "disagree");
	if (!agrees)
		std::fprintf(stderr, "before %g after %g, CPU %g\n", before, after, want);
	return fell && agrees;
}

}  // namespace mlp

int main()
{
	bool ok = false;
	try {
		ok = mlp::train();
	} catch (const std::exception &e) {
		std::fprintf(stderr, "%s\n", e.what());
	}
	std::puts(ok ? "PASS" : "FAIL");
	return ok ? 0 : 1;
}
