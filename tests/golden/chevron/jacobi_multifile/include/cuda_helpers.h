// Small helpers around the CUDA runtime. This is a header of this project;
// its name only looks like one of the toolkit's.
#pragma once

#include <cstddef>
#include <hip/hip_runtime_api.h>

namespace cuda_helpers {

// Prints the error with its place and ends the program.
void fail(hipError_t status, const char *expression, const char *file, int line);

// Bytes of device memory that DeviceArray objects hold at the moment.
std::size_t device_bytes_in_use();

void *device_allocate(std::size_t bytes);
void device_release(void *pointer, std::size_t bytes);

inline void check(hipError_t status, const char *expression, const char *file, int line)
{
    if (status != hipSuccess)
        fail(status, expression, file, line);
}

template <typename T>
class DeviceArray
{
public:
    explicit DeviceArray(std::size_t count)
        : data_(static_cast<T *>(device_allocate(count * sizeof(T)))), count_(count) {}
    ~DeviceArray() { device_release(data_, count_ * sizeof(T)); }
    DeviceArray(const DeviceArray &) = delete;
    DeviceArray &operator=(const DeviceArray &) = delete;

    T *get() const { return data_; }
    std::size_t size() const { return count_; }
    std::size_t bytes() const { return count_ * sizeof(T); }

private:
    T *data_;
    std::size_t count_;
};

} // namespace cuda_helpers

#define CUDA_HELPERS_CHECK(expression) \
    ::cuda_helpers::check((expression), #expression, __FILE__, __LINE__)
