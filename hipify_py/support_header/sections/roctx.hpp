// brings: ROCTX
// The functions of roctx for programs that do not link it, as those with NVTX 3 link no library: they load
// libroctx64.so, and do nothing where it is not there. A program that links it has both, and these load the same library.
// Source: NVTX 3 headers, which load the injection library; roctracer/roctx.h.
#if !defined(__NVCC__) && !defined(_WIN32)
#include <dlfcn.h>
#include <roctracer/roctx.h>

namespace hipify {

/// A function of libroctx64.so by its name; null without the library.
template <class Function>
inline Function* roctx_function(const char* name) {
    static void* const versioned = dlopen("libroctx64.so.4", RTLD_LAZY);
    static void* const library = versioned != nullptr ? versioned : dlopen("libroctx64.so", RTLD_LAZY);
    return library != nullptr ? reinterpret_cast<Function*>(dlsym(library, name)) : nullptr;
}

/// What NVTX's push and pop return without a tool: NVTX_NO_PUSH_POP_TRACKING.
constexpr int no_range_tracking = -2;

}  // namespace hipify

extern "C" {
__attribute__((weak)) void roctxMarkA(const char* message) {
    static auto* const mark = hipify::roctx_function<void(const char*)>("roctxMarkA");
    if (mark != nullptr) mark(message);
}
__attribute__((weak)) int roctxRangePushA(const char* message) {
    static auto* const push = hipify::roctx_function<int(const char*)>("roctxRangePushA");
    return push != nullptr ? push(message) : hipify::no_range_tracking;
}
__attribute__((weak)) int roctxRangePop() {
    static auto* const pop = hipify::roctx_function<int()>("roctxRangePop");
    return pop != nullptr ? pop() : hipify::no_range_tracking;
}
__attribute__((weak)) roctx_range_id_t roctxRangeStartA(const char* message) {
    static auto* const start = hipify::roctx_function<roctx_range_id_t(const char*)>("roctxRangeStartA");
    return start != nullptr ? start(message) : 0;
}
__attribute__((weak)) void roctxRangeStop(roctx_range_id_t range) {
    static auto* const stop = hipify::roctx_function<void(roctx_range_id_t)>("roctxRangeStop");
    if (stop != nullptr) stop(range);
}
}
#endif
