// brings: VECTORS
// Structured bindings of HIP's vectors, as of std::tuple: CUDA's are plain structs, which the language takes apart.
// Source: C++ standard [dcl.struct.bind]; HIP header amd_hip_vector_types.h.
#if !defined(__NVCC__) && __cplusplus >= 201703L
#include <hip/hip_vector_types.h>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace std {
template <class T, unsigned int N>
struct tuple_size<HIP_vector_type<T, N>> : integral_constant<size_t, N> {};
template <size_t I, class T, unsigned int N>
struct tuple_element<I, HIP_vector_type<T, N>> {
    using type = T;
};
}  // namespace std

template <std::size_t I, class T, unsigned int N>
__host__ __device__ constexpr T& get(HIP_vector_type<T, N>& vector) {
    if constexpr (I == 0) {
        return vector.x;
    } else if constexpr (I == 1) {
        return vector.y;
    } else if constexpr (I == 2) {
        return vector.z;
    } else {
        return vector.w;
    }
}
template <std::size_t I, class T, unsigned int N>
__host__ __device__ constexpr const T& get(const HIP_vector_type<T, N>& vector) {
    return get<I>(const_cast<HIP_vector_type<T, N>&>(vector));
}
template <std::size_t I, class T, unsigned int N>
__host__ __device__ constexpr T&& get(HIP_vector_type<T, N>&& vector) {
    return static_cast<T&&>(get<I>(vector));
}
template <std::size_t I, class T, unsigned int N>
__host__ __device__ constexpr const T&& get(const HIP_vector_type<T, N>&& vector) {
    return static_cast<const T&&>(get<I>(vector));
}
#endif
