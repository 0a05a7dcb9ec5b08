#include "hipify_support.hpp"

#define EACH(X) X(rsqrt) X(rcbrt) X(sinpi) X(cospi) X(erfinv) X(erfcinv) X(erfcx) X(normcdf) X(normcdfinv)
#define BOTH(name) \
    __host__ __device__ inline float both_##name##f(float x) { return name##f(x) + name(x); } \
    __host__ __device__ inline double both_##name(double x) { return name(x); }
#define ON_DEVICE(name) f[0] += both_##name##f(f[1]), d[0] += both_##name(d[1]);
#define ON_HOST(name) sum += both_##name##f(float(x)) + both_##name(x);
EACH(BOTH)

__global__ void use(float* f, double* d, unsigned* u, long long* l, unsigned long long* ul) {
    EACH(ON_DEVICE)
    sincospi(d[0], &d[1], &d[2]);
    sincospif(f[0], &f[1], &f[2]);
    u[0] = umin(u[1], 3) + umax(u[2], u[3]);
    l[0] = llmin(l[1], 3) + llmax(l[2], l[3]);
    ul[0] = ullmin(ul[1], 3) + ullmax(ul[2], ul[3]);
}

double on_host(double x) {
    double sum = 0, sine, cosine;
    float sines, cosines;
    EACH(ON_HOST)
    sincospi(x, &sine, &cosine);
    sincospif(float(x), &sines, &cosines);
    return sum + sine + sines + rsqrt(2.0) + umin(3u, 4) + llmax(3, 4) + ullmax(3u, 4ull);
}
