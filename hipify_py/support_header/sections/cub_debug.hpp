// CubDebugExit: hipCUB has CubDebug alone.
// Source: CUB, util_debug.cuh.
#include <cstdio>
#include <cstdlib>

namespace hipify {

/// Ends the program where `error` is one; says so at which line.
template <class Error>
inline void exit_on_error(Error error, const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    if (static_cast<int>(error) != 0) {
        std::fprintf(stderr, "%s:%d: error %d\n", file, line, static_cast<int>(error));
        std::exit(1);
    }
}

}  // namespace hipify
