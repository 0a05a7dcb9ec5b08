// An object without its constructor: nvcc does not run that of a __shared__ variable, and clang refuses the variable.
// Source: CUDA programming guide, C++ classes as device variables; clang, "initialization is not supported for
// __shared__ variables".
namespace hipify {

/// Holds a value as it lies in memory: of its size, with its alignment, and neither constructed nor destroyed.
template <class T>
union uninitialized {
    T value;
#if defined(HIPIFY_HAS_DEVICE_CODE)
    __host__ __device__ uninitialized() {}
    __host__ __device__ ~uninitialized() {}
#else
    uninitialized() {}
    ~uninitialized() {}
#endif
};

}  // namespace hipify
