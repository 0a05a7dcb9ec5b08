// Thrust's execution policies of HIP, in a source that does not include the header that declares them.
#include <thrust/device_vector.h>
#include <thrust/fill.h>
#include <thrust/version.h>

int main() {
    thrust::device_vector<int> values(3);
    thrust::fill(thrust::hip::par.on(nullptr), values.begin(), values.end(), 2);
    thrust::fill(thrust::hip::par_nosync, values.begin(), values.end(), 2);
    return values[0] - 2;
}
