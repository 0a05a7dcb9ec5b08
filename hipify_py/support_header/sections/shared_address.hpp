// Shared memory by its 32-bit address, as __cvta_generic_to_shared and inline PTX have it, and where a pointer points to.
// Source: PTX ISA, state spaces; AMDGPU usage, address spaces.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// The address within shared memory of what a generic pointer into it points to.
__device__ inline unsigned shared_address(const void* pointer) {
#if defined(__NVCC__)
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
#else
    return static_cast<unsigned>((size_t)(const __attribute__((address_space(3))) void*)pointer);
#endif
}

/// The generic pointer to what lies at an address within shared memory.
template <typename T>
__device__ inline T* shared_pointer(unsigned address) {
#if defined(__NVCC__)
    return static_cast<T*>(const_cast<void*>(static_cast<const void*>(__cvta_shared_to_generic(address))));
#else
    return (T*)(__attribute__((address_space(3))) T*)(size_t)address;
#endif
}
__device__ inline void* generic_pointer(size_t address) {
    return shared_pointer<void>(static_cast<unsigned>(address));
}

/// __isGlobal: neither in shared memory nor in a thread's own; constant memory is part of global memory on AMD GPUs.
__device__ inline bool is_global(const void* pointer) {
#if defined(__NVCC__)
    return __isGlobal(pointer);
#else
    const auto generic = (const __attribute__((address_space(0))) void*)pointer;
    return !__builtin_amdgcn_is_shared(generic) && !__builtin_amdgcn_is_private(generic);
#endif
}

}  // namespace hipify
#endif
