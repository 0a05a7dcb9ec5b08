#include "hipify_support.hpp"

int use() {
    int version = 0;
    hipify::sm_version(version, hipify::current_device());
    return version + hipify::current_device();
}
