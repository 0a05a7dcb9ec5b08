// Laplace equation on a rectangle: one hot side, three cold ones.
#include <cmath>
#include <cstdio>
#include <vector>

#include <hip/hip_runtime.h>

#include "../include/solver.cuh"
#include "args.h"

static std::vector<float> starting_field(const jacobi::Grid &grid, float hot)
{
    std::vector<float> field(grid.points(), 0.0f);
    for (int x = 0; x < grid.width; ++x)
        field[x] = hot;
    return field;
}

static jacobi::Outcome solve_on_host(const jacobi::Grid &grid, std::vector<float> &field, const args &a)
{
    std::vector<float> next = field;
    jacobi::Outcome outcome = {0, 0.0f};
    while (outcome.sweeps < a.max_sweeps) {
        for (int y = 1; y < grid.height - 1; ++y)
            for (int x = 1; x < grid.width - 1; ++x) {
                const int at = y * grid.width + x;
                next[at] = jacobi::average(field[at - grid.width], field[at + grid.width],
                                           field[at - 1], field[at + 1]);
            }
        field.swap(next);
        ++outcome.sweeps;
        if (outcome.sweeps % a.check_every == 0) {
            outcome.change = 0.0f;
            for (std::size_t i = 0; i < field.size(); ++i)
                outcome.change = std::fmax(outcome.change, std::fabs(field[i] - next[i]));
            if (outcome.change <= a.tolerance)
                break;
        }
    }
    return outcome;
}

int main()
{
    const args &a = default_args;
    const jacobi::Grid grid = {a.width, a.height};

    std::vector<float> on_host = starting_field(grid, a.hot);
    std::vector<float> on_device = on_host;
    const jacobi::Outcome host = solve_on_host(grid, on_host, a);

    hipStream_t stream;
    CUDA_HELPERS_CHECK(hipStreamCreate(&stream));
    const jacobi::Outcome device =
        jacobi::solve_on_device(grid, on_device, a.tolerance, a.max_sweeps, a.check_every, stream);
    CUDA_HELPERS_CHECK(hipStreamDestroy(stream));

    std::size_t different = 0;
    double sum = 0.0;
    for (std::size_t i = 0; i < grid.points(); ++i) {
        if (std::fabs(on_host[i] - on_device[i]) > 1e-3f)
            ++different;
        sum += on_device[i];
    }

    std::printf("grid %d x %d, sweeps %d\n", grid.width, grid.height, device.sweeps);
    std::printf("mean temperature %.2f\n", sum / static_cast<double>(grid.points()));
    std::printf("different points %zu, device bytes left %zu\n", different, cuda_helpers::device_bytes_in_use());
    const bool ok = different == 0 && device.sweeps == host.sweeps && cuda_helpers::device_bytes_in_use() == 0;
    std::puts(ok ? "PASS" : "FAIL");
    return ok ? 0 : 1;
}
