#ifndef JACOBI_SOLVER_CUH_
#define JACOBI_SOLVER_CUH_

#include <hip/hip_runtime.h>
#include <vector>

#include "cuda_helpers.h"

namespace jacobi {

struct Grid {
    int width;
    int height;
    std::size_t points() const { return static_cast<std::size_t>(width) * height; }
};

struct Outcome {
    int sweeps;
    float change;  // largest change of a point in the last sweep
};

// The same average on both sides: the factor 1/4 is exact.
__host__ __device__ inline float average(float north, float south, float west, float east)
{
    return 0.25f * ((north + south) + (west + east));
}

// Sweeps over the inner points until nothing moves by more than `tolerance`,
// checking every `check_every` sweeps. `field` holds the start and the result.
Outcome solve_on_device(const Grid &grid, std::vector<float> &field, float tolerance, int max_sweeps,
                        int check_every, hipStream_t stream = 0);

}  // namespace jacobi

#endif  // JACOBI_SOLVER_CUH_
