// The scheduler: every thread of a block is a fiber, and the lanes of a wavefront run in lockstep.
//
// The programs are compiled with -fsanitize-coverage=trace-pc, so that each basic block of a kernel begins with a call
// to __sanitizer_cov_trace_pc. There a lane stops. Where it stopped is its *site*: the return addresses from the
// kernel down to that basic block. Of a wavefront the lanes with the least site go on next, all that are at that very
// site together. Unoptimised code lies in the order of the source, so that both sides of a branch run before the lanes
// go on together behind it, and lanes that leave a loop wait for those that stay in it: as on the hardware, where
// an execution mask does the same.
#include <emulation/core.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>
#include <vector>

#if !defined(__x86_64__)
#error "the switch between fibers is written for x86-64"
#endif

// Saves the registers that a call preserves on the running stack, and goes on with another stack.
extern "C" void emulation_switch(void** running, void* next);
asm(R"(
.text
.globl emulation_switch
.type emulation_switch, @function
emulation_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
.size emulation_switch, . - emulation_switch
)");

struct Index {
    unsigned x, y, z;
};
Index threadIdx, blockIdx;
emulation::Extent blockDim, gridDim;

namespace emulation {
namespace {

constexpr std::size_t stack_bytes = 256 * 1024;
constexpr unsigned deepest = 128;
constexpr std::uint64_t slice = 20'000; // steps of its wavefronts after which a block lets others run
constexpr std::size_t resident = 128;       // blocks that may have begun without being done, at least

/// Return addresses, the innermost first.
struct Site {
    std::uintptr_t pc[deepest];
    unsigned depth = 0;

    void record(void** frame, void** last) {
        depth = 0;
        for (; frame < last; frame = static_cast<void**>(frame[0])) {
            if (depth == deepest) fail("calls are nested too deeply for the emulation");
            pc[depth++] = reinterpret_cast<std::uintptr_t>(frame[1]);
        }
    }
};

/// Less than zero where `a` comes before `b`, compared from the kernel downwards.
int compare(const Site& a, const Site& b) {
    const unsigned common = a.depth < b.depth ? a.depth : b.depth;
    for (unsigned i = 1; i <= common; ++i) {
        const std::uintptr_t left = a.pc[a.depth - i], right = b.pc[b.depth - i];
        if (left != right) return left < right ? -1 : 1;
    }
    return static_cast<int>(a.depth) - static_cast<int>(b.depth);
}

enum class State { ready, meeting, barrier, grid_barrier, done };

/// Why a block stopped.
enum class Halt { done, slice, grid_barrier };

struct Lane {
    void* stack = nullptr;   // saved stack pointer
    void** bottom = nullptr; // the outermost frame
    Index index{};
    unsigned rank = 0;
    State state = State::ready;
    Site site;
    // What the lane brings to a meeting, and what it takes from it.
    const char* operation = "";
    bool masked = false;
    std::uint64_t mask = 0, value = 0;
    std::uint64_t present = 0;
    bool predicate = false;
};

class Block;

Lane* current = nullptr;           // the lane that runs; none on the host
void* scheduler_stack = nullptr;   // where the scheduler of the running block went on
Block* running_block = nullptr;
const std::function<void()>* body = nullptr;
bool in_cooperative_grid = false;

std::uint64_t step_limit() {
    const char* text = std::getenv("HIP_EMULATION_STEPS");
    return text ? std::strtoull(text, nullptr, 10) : 4'000'000;
}

void stop(State state, void** frame) {
    Lane& lane = *current;
    lane.state = state;
    lane.site.record(frame, lane.bottom);
    emulation_switch(&lane.stack, scheduler_stack);
}

[[noreturn]] void lane_main() {
    current->bottom = static_cast<void**>(__builtin_frame_address(0));
    (*body)();
    finish_thread();
}

std::string hexadecimal(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

[[noreturn]] void die(const std::string& message) {
    std::fflush(stdout);
    std::fprintf(stderr, "emulation: block (%u,%u,%u): %s\n", blockIdx.x, blockIdx.y, blockIdx.z, message.c_str());
    std::fflush(stderr);
    _exit(86);
}

/// The stacks of all lanes, mapped once and used by one block after the other.
class Stacks {
public:
    explicit Stacks(unsigned threads) : bytes(threads * stack_bytes) {
        memory = static_cast<char*>(
            mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
        if (memory == MAP_FAILED) die("no memory for the lanes' stacks");
    }
    ~Stacks() { munmap(memory, bytes); }
    char* top(unsigned thread) const { return memory + (thread + 1) * stack_bytes; }

private:
    std::size_t bytes;
    char* memory;
};

class Block {
public:
    Block(Index place, unsigned count) : index(place), lanes_of_block(count), stacks(count) {
        for (unsigned i = 0; i < count; ++i) {
            Lane& lane = lanes_of_block[i];
            lane.rank = i;
            lane.index = {i % blockDim.x, i / blockDim.x % blockDim.y, i / (blockDim.x * blockDim.y)};
            void** stack = reinterpret_cast<void**>(stacks.top(i)) - 1; // as after a call: 8 beyond 16
            *--stack = reinterpret_cast<void*>(lane_main);
            for (int saved = 0; saved < 6; ++saved) *--stack = nullptr;
            lane.stack = stack;
        }
    }

    /// Runs until every thread is done, or waits for the other blocks, or has had its slice.
    Halt run() {
        running_block = this;
        blockIdx = index;
        for (Lane& lane : lanes_of_block)
            if (lane.state == State::grid_barrier) lane.state = State::ready;
        const std::uint64_t end = steps + slice;
        for (bool moved = true; moved && steps < end;) {
            moved = false;
            for (unsigned first = 0; first < lanes_of_block.size(); first += lanes) moved = run_wavefront(first) || moved;
            if (!moved) moved = release_barrier();
        }
        Halt halt = Halt::done;
        for (const Lane& lane : lanes_of_block) {
            if (lane.state == State::grid_barrier && halt == Halt::done) halt = Halt::grid_barrier;
            if (lane.state != State::grid_barrier && lane.state != State::done) halt = Halt::slice;
        }
        return halt;
    }

    /// The true predicates at the barrier that was released last.
    unsigned counted = 0;

    /// What the lanes brought to the wavefront operation that was executed last. They read it as they go on from there,
    /// before any other lane can meet.
    struct {
        std::uint64_t present = 0;
        std::uint64_t values[64] = {};
    } meeting;

private:
    Index index;
    std::vector<Lane> lanes_of_block;
    Stacks stacks;
    std::uint64_t steps = 0;
    const std::uint64_t limit = step_limit();

    unsigned end(unsigned first) const {
        return std::min<unsigned>(first + lanes, static_cast<unsigned>(lanes_of_block.size()));
    }

    /// Lets a wavefront run for a while, or until its lanes are done or wait for others; false where it could not.
    bool run_wavefront(unsigned first) {
        bool moved = false;
        for (int round = 0; round < 4096; ++round) {
            Lane* least = nullptr;
            for (unsigned i = first; i < end(first); ++i) {
                Lane& lane = lanes_of_block[i];
                if (lane.state != State::ready && lane.state != State::meeting) continue;
                if (!least || compare(lane.site, least->site) < 0) least = &lane;
            }
            if (!least) return moved;
            Lane* group[lanes];
            unsigned size = 0;
            for (unsigned i = least->rank; i < end(first); ++i) {
                Lane& lane = lanes_of_block[i];
                if (lane.state == least->state && compare(lane.site, least->site) == 0) group[size++] = &lane;
            }
            if (least->state == State::meeting) hold_meeting(group, size);
            for (unsigned i = 0; i < size; ++i) resume(*group[i]);
            moved = true;
            if (++steps > limit) stuck(first);
        }
        return moved;
    }

    void resume(Lane& lane) {
        lane.state = State::ready;
        threadIdx = lane.index;
        current = &lane;
        emulation_switch(&scheduler_stack, lane.stack);
        current = nullptr;
    }

    /// The lanes of a group execute one wavefront operation together.
    void hold_meeting(Lane** group, unsigned size) {
        meeting = {};
        for (unsigned i = 0; i < size; ++i) {
            const unsigned lane = group[i]->rank % lanes;
            meeting.present |= std::uint64_t(1) << lane;
            meeting.values[lane] = group[i]->value;
        }
        for (unsigned i = 0; i < size; ++i) {
            group[i]->present = meeting.present;
            if (group[i]->masked) check_mask(group, size, *group[i]);
        }
    }

    /// As __hip_assert does: of the lanes that are here, those with the same mask are the ones that it names.
    void check_mask(Lane** group, unsigned size, const Lane& lane) {
        const std::uint64_t wave = lanes == 64 ? ~std::uint64_t(0) : 0xffffffffu;
        std::uint64_t same = 0;
        for (unsigned i = 0; i < size; ++i)
            if ((group[i]->mask & wave) == (lane.mask & wave)) same |= std::uint64_t(1) << (group[i]->rank % lanes);
        if ((lane.mask & wave) == same && same != 0) return;
        die(std::string("mask check: ") + lane.operation + " in thread " + std::to_string(lane.rank) + " names lanes " +
            hexadecimal(lane.mask & wave) + ", but " + hexadecimal(same) + " are here with that mask, and " +
            hexadecimal(meeting.present) + " in all" + place(lane));
    }

    /// Where all that live wait at the block's barrier, lets them go.
    bool release_barrier() {
        bool any = false;
        for (unsigned first = 0; first < lanes_of_block.size(); first += lanes) {
            const Lane* here = nullptr;
            for (unsigned i = first; i < end(first); ++i) {
                const Lane& lane = lanes_of_block[i];
                if (lane.state == State::done) continue;
                if (here && lane.state != here->state)
                    die("deadlock: some lanes of a wavefront wait for the block, others for the grid" + place(lane));
                if (here && compare(lane.site, here->site) != 0)
                    die("divergent barrier: lanes of one wavefront wait at different __syncthreads()" + place(*here) +
                        place(lane));
                here = &lane;
            }
            any = any || (here && here->state == State::barrier);
        }
        if (!any) return false;
        counted = 0;
        for (Lane& lane : lanes_of_block) {
            if (lane.state == State::grid_barrier)
                die("deadlock: some wavefronts wait for the block, others for the grid" + place(lane));
            if (lane.state != State::barrier) continue;
            counted += lane.predicate;
            lane.state = State::ready;
        }
        return true;
    }

    [[noreturn]] void stuck(unsigned first) {
        std::string text = "deadlock: after " + std::to_string(steps) + " steps lanes of one wavefront still wait";
        std::vector<const Lane*> shown;
        for (unsigned i = first; i < end(first); ++i) {
            const Lane& lane = lanes_of_block[i];
            bool seen = lane.state == State::done;
            for (const Lane* other : shown) seen = seen || compare(other->site, lane.site) == 0;
            if (seen) continue;
            shown.push_back(&lane);
            std::uint64_t same = 0;
            for (unsigned k = first; k < end(first); ++k)
                if (lanes_of_block[k].state != State::done && compare(lanes_of_block[k].site, lane.site) == 0)
                    same |= std::uint64_t(1) << (k - first);
            text += "\n  lanes " + hexadecimal(same) + place(lane);
        }
        die(text);
    }

    /// Where a lane is, as addresses that run.py turns into lines.
    static std::string place(const Lane& lane) {
        std::string text = "\n    at";
        for (unsigned i = 0; i < lane.site.depth; ++i) text += " [" + hexadecimal(lane.site.pc[i] - 1) + "]";
        return text;
    }
};

/// The blocks of a grid. They run in turn; only a block that waits for others, at a barrier of the grid or because it
/// spins for longer than a slice, is put aside. A block's __shared__ variables are thread_local, so that a block stays
/// on a thread of the system, its worker; the workers pass a baton on, and one of them runs at a time.
class Grid {
public:
    Grid(std::vector<Index> blocks, unsigned count) : places(std::move(blocks)), threads(count) {}

    void run() {
        std::unique_lock<std::mutex> lock(mutex);
        for (;;) {
            bool slices = false, barriers = false;
            for (std::size_t i = 0; i < workers.size(); ++i) {
                if (workers[i]->halt == Halt::slice) hand_over(lock, *workers[i]);
                slices = slices || workers[i]->halt == Halt::slice;
                barriers = barriers || workers[i]->halt == Halt::grid_barrier;
            }
            if (next < places.size() && (workers.size() < resident || !slices)) {
                workers.push_back(std::make_unique<Worker>());
                Worker& worker = *workers.back();
                worker.thread = std::thread([this, &worker] { work(worker); });
                hand_over(lock, worker);
            } else if (!slices && barriers) {
                for (auto& worker : workers)
                    if (worker->halt == Halt::grid_barrier) worker->halt = Halt::slice;
            } else if (!slices) {
                break;
            }
        }
        lock.unlock();
        for (auto& worker : workers) worker->thread.join();
    }

private:
    struct Worker {
        std::thread thread;
        bool has_baton = false;
        Halt halt = Halt::slice;
    };
    std::vector<Index> places;
    unsigned threads;
    std::size_t next = 0;
    std::vector<std::unique_ptr<Worker>> workers;
    std::mutex mutex;
    std::condition_variable turn;

    void hand_over(std::unique_lock<std::mutex>& lock, Worker& worker) {
        worker.has_baton = true;
        turn.notify_all();
        turn.wait(lock, [&] { return !worker.has_baton; });
    }

    void give_back(std::unique_lock<std::mutex>& lock, Worker& worker, Halt halt) {
        worker.halt = halt;
        worker.has_baton = false;
        turn.notify_all();
        if (halt != Halt::done) turn.wait(lock, [&] { return worker.has_baton; });
    }

    void work(Worker& worker) {
        std::unique_lock<std::mutex> lock(mutex);
        turn.wait(lock, [&] { return worker.has_baton; });
        while (next < places.size()) {
            Block block(places[next++], threads);
            for (Halt halt; (halt = block.run()) != Halt::done;) give_back(lock, worker, halt);
        }
        give_back(lock, worker, Halt::done);
    }
};

__attribute__((noinline)) std::uint64_t meet_here(const char* operation, bool masked, std::uint64_t mask,
                                                   std::uint64_t value) {
    if (!current) fail((std::string(operation) + " on the host").c_str());
    current->operation = operation;
    current->masked = masked;
    current->mask = mask;
    current->value = value;
    stop(State::meeting, static_cast<void**>(__builtin_frame_address(0)));
    return current->present;
}

}  // namespace

void run_grid(Extent grid, Extent block, std::size_t, bool cooperative, const std::function<void()>& kernel) {
    if (current) fail("a kernel launches a kernel: not emulated");
    body = &kernel;
    blockDim = block;
    gridDim = grid;
    in_cooperative_grid = cooperative;
    const unsigned threads = block.x * block.y * block.z;
    std::vector<Index> places;
    for (unsigned z = 0; z < grid.z; ++z)
        for (unsigned y = 0; y < grid.y; ++y)
            for (unsigned x = 0; x < grid.x; ++x) places.push_back({x, y, z});
    Grid(std::move(places), threads).run();
    threadIdx = blockIdx = {0, 0, 0};
    std::fflush(stdout);
}

unsigned lane() { return current ? current->rank % lanes : 0; }
unsigned thread_rank() { return current ? current->rank : 0; }

std::uint64_t meet(const char* operation) { return meet_here(operation, false, 0, 0); }
std::uint64_t meet(const char* operation, std::uint64_t mask) { return meet_here(operation, true, mask, 0); }

std::uint64_t gather(const char* operation, std::uint64_t value, std::uint64_t values[64]) {
    const std::uint64_t present = meet_here(operation, false, 0, value);
    std::memcpy(values, running_block->meeting.values, 64 * sizeof(std::uint64_t));
    return present;
}

std::uint64_t read_lane(const char* operation, std::uint64_t value, unsigned source) {
    meet_here(operation, false, 0, value);
    return running_block->meeting.values[source % lanes];
}

std::uint64_t vote(const char* operation, bool predicate) {
    const std::uint64_t present = meet_here(operation, false, 0, predicate);
    const std::uint64_t* values = running_block->meeting.values;
    std::uint64_t result = 0;
    for (unsigned i = 0; i < lanes; ++i) result |= std::uint64_t(values[i] != 0) << i;
    return result & present;
}

void block_barrier() { stop(State::barrier, static_cast<void**>(__builtin_frame_address(0))); }

void grid_barrier() {
    if (!in_cooperative_grid) fail("a barrier of the grid in a launch that is not cooperative");
    stop(State::barrier, static_cast<void**>(__builtin_frame_address(0)));
    stop(State::grid_barrier, static_cast<void**>(__builtin_frame_address(0)));
}

unsigned block_count(bool predicate) {
    current->predicate = predicate;
    stop(State::barrier, static_cast<void**>(__builtin_frame_address(0)));
    return running_block->counted;
}

void fail(const char* message) {
    die("thread " + std::to_string(thread_rank()) + ": " + message);
}

void finish_thread() {
    current->state = State::done;
    void* unused;
    emulation_switch(&unused, scheduler_stack);
    __builtin_unreachable();
}

}  // namespace emulation

extern "C" __attribute__((noinline)) void __sanitizer_cov_trace_pc() {
    if (emulation::current) emulation::stop(emulation::State::ready, static_cast<void**>(__builtin_frame_address(0)));
}
