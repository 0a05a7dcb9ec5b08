// What the emulated kernels ask of the scheduler in runtime.cpp. Nothing here is instrumented: a lane never stops
// inside these functions except where they say so.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>

#ifndef HIP_EMULATION_LANES
#error "compile with -DHIP_EMULATION_LANES=32 or =64"
#endif

// A function that takes no step of its own: it happens at once, as an instruction does.
#define EMULATION_ATOMIC __attribute__((no_sanitize_coverage)) inline

namespace emulation {

constexpr unsigned lanes = HIP_EMULATION_LANES;

struct Extent {
    unsigned x = 1, y = 1, z = 1;
};

/// Runs the body once for every thread of the grid, blocks in turn; `cooperative` blocks may wait for each other.
void run_grid(Extent grid, Extent block, std::size_t dynamic_shared, bool cooperative,
              const std::function<void()>& body);

/// The calling thread's place; zero on the host.
unsigned lane();
unsigned thread_rank();

/// The lanes that execute this call together. With a mask, HIP's check of `_sync` masks is made first: each lane's
/// mask has to name exactly the lanes that are here with the same mask.
std::uint64_t meet(const char* operation);
std::uint64_t meet(const char* operation, std::uint64_t mask);

/// The same, and what each of the lanes brought: a value (of 64 bits) for every lane that is here, zero for the others.
std::uint64_t gather(const char* operation, std::uint64_t value, std::uint64_t values[64]);

/// The value that another lane brought; zero where that lane is not here, as the hardware has it.
std::uint64_t read_lane(const char* operation, std::uint64_t value, unsigned source);

/// The lanes that are here and whose predicate is true.
std::uint64_t vote(const char* operation, bool predicate);

/// True: the condition of a loop that has none, so that it has an end where lanes come together.
EMULATION_ATOMIC bool again() { return true; }

/// Waits for all threads of the block, or (cooperative launches) of the grid.
void block_barrier();
void grid_barrier();

/// How many threads of the block came to the barrier with a true predicate.
unsigned block_count(bool predicate);

/// Ends the program with a message about the calling lane.
[[noreturn]] void fail(const char* message);

/// Ends the calling thread, as s_endpgm does for a wavefront.
[[noreturn]] void finish_thread();

template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), Extent grid, Extent block, std::size_t shared, Arguments&&... arguments) {
    static_assert(sizeof...(Parameters) == sizeof...(Arguments), "a launch gives every parameter of the kernel");
    std::tuple<std::decay_t<Parameters>...> values(static_cast<Parameters>(arguments)...);
    run_grid(grid, block, shared, false, [&] { std::apply(kernel, values); });
}

template <typename... Parameters, std::size_t... I>
void launch_packed(void (*kernel)(Parameters...), Extent grid, Extent block, std::size_t shared, bool cooperative,
                   void** arguments, std::index_sequence<I...>) {
    run_grid(grid, block, shared, cooperative,
             [&] { kernel(*static_cast<std::decay_t<Parameters>*>(arguments[I])...); });
}

}  // namespace emulation
