// cuda::std::pair and cuda::std::tuple. Those of the C++ standard library cannot be assigned in device code before
// C++20, and are no Thrust tuples, which in CUDA they are: these can be, and take what Thrust gives.
// Source: libcu++ documentation, standard library support; C++17, headers <tuple> and <utility>.
#if defined(__NVCC__)
#include <cuda/std/tuple>
#include <cuda/std/utility>
#include <cuda/std/variant>

namespace hipify {
using ::cuda::std::get;
using ::cuda::std::make_pair;
using ::cuda::std::make_tuple;
using ::cuda::std::pair;
using ::cuda::std::tie;
using ::cuda::std::tuple;
}  // namespace hipify
#else
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#if defined(HIPIFY_HAS_DEVICE_CODE)
#define HIPIFY_TUPLE __host__ __device__ constexpr
#else
#define HIPIFY_TUPLE constexpr
#endif

namespace hipify {

template <class... Ts>
std::true_type variant_test(const std::variant<Ts...>*);
std::false_type variant_test(const void*);
template <class T>
using is_variant = decltype(hipify::variant_test(static_cast<T*>(nullptr)));

template <class T, class = void>
struct is_of_std : std::false_type {};
template <class T>
struct is_of_std<T, decltype(void(std::get<0>(std::declval<T&>())))> : std::true_type {};

/// The `get` of the namespace that a type is from, as Thrust has one.
namespace of_type {
template <std::size_t>
void get();
template <std::size_t Index, class T>
HIPIFY_TUPLE auto element(T& object) -> decltype(get<Index>(object)) {
    return get<Index>(object);
}
}  // namespace of_type

template <class T, class = void>
struct is_of_thrust : std::false_type {};
template <class T>
struct is_of_thrust<T, std::enable_if_t<std::is_class<T>::value && !is_of_std<T>::value,
                                        decltype(void(of_type::element<0>(std::declval<T&>())))>> : std::true_type {};

template <class T>
using has_elements = std::integral_constant<bool, is_of_std<T>::value || is_of_thrust<T>::value>;

/// cuda::std::get of a pair, tuple, array or variant
template <std::size_t Index, class T>
HIPIFY_TUPLE decltype(auto) get(T&& object) {
    using type = std::remove_reference_t<T>;
    if constexpr (is_variant<type>::value) {
        return (*std::get_if<Index>(&object));
    } else if constexpr (is_of_std<type>::value) {
        return std::get<Index>(static_cast<T&&>(object));
    } else {
        return of_type::element<Index>(object);
    }
}
template <class Element, class T>
HIPIFY_TUPLE decltype(auto) get(T&& object) {
    if constexpr (is_variant<std::remove_reference_t<T>>::value) {
        return (*std::get_if<Element>(&object));
    } else {
        return std::get<Element>(static_cast<T&&>(object));
    }
}

/// The types stand in a namespace of their own: where Thrust calls `get`, it must not find the one above.
namespace tuples {

/// cuda::std::pair
template <class First, class Second>
class pair : public std::pair<First, Second> {
    using base = std::pair<First, Second>;

public:
    constexpr pair() = default;
    constexpr pair(const pair&) = default;
    constexpr pair(pair&&) = default;
    HIPIFY_TUPLE pair(const First& first, const Second& second) : base(first, second) {}
    template <class A, class B, class = std::enable_if_t<std::is_constructible<base, A&&, B&&>::value>>
    HIPIFY_TUPLE pair(A&& first, B&& second) : base(static_cast<A&&>(first), static_cast<B&&>(second)) {}
    template <class A, class B>
    HIPIFY_TUPLE pair(const std::pair<A, B>& other) : base(other) {}
    template <class Other, class = std::enable_if_t<is_of_thrust<Other>::value>>
    HIPIFY_TUPLE pair(const Other& other) : base(hipify::get<0>(other), hipify::get<1>(other)) {}

    HIPIFY_TUPLE pair& operator=(const pair& other) {
        this->first = other.first;
        this->second = other.second;
        return *this;
    }
    template <class Other, class = std::enable_if_t<has_elements<Other>::value>>
    HIPIFY_TUPLE pair& operator=(const Other& other) {
        this->first = hipify::get<0>(other);
        this->second = hipify::get<1>(other);
        return *this;
    }
};
template <class First, class Second>
pair(First, Second) -> pair<First, Second>;

/// cuda::std::tuple
template <class... Ts>
class tuple : public std::tuple<Ts...> {
    using base = std::tuple<Ts...>;
    template <class Other, std::size_t... Indices>
    HIPIFY_TUPLE void assign(const Other& other, std::index_sequence<Indices...>) {
        ((hipify::get<Indices>(*this) = hipify::get<Indices>(other)), ...);
    }
    template <class Other, std::size_t... Indices>
    HIPIFY_TUPLE tuple(const Other& other, std::index_sequence<Indices...>) : base(hipify::get<Indices>(other)...) {}

public:
    constexpr tuple() = default;
    constexpr tuple(const tuple&) = default;
    constexpr tuple(tuple&&) = default;
    template <class... Us, class = std::enable_if_t<sizeof...(Us) == sizeof...(Ts) && (sizeof...(Us) > 0) &&
                                                    std::is_constructible<base, Us&&...>::value>>
    HIPIFY_TUPLE tuple(Us&&... elements) : base(static_cast<Us&&>(elements)...) {}
    template <class... Us>
    HIPIFY_TUPLE tuple(const std::tuple<Us...>& other) : base(other) {}
    template <class Other, class = std::enable_if_t<is_of_thrust<Other>::value>, class = void>
    HIPIFY_TUPLE tuple(const Other& other) : tuple(other, std::index_sequence_for<Ts...>()) {}

    HIPIFY_TUPLE tuple& operator=(const tuple& other) {
        assign(other, std::index_sequence_for<Ts...>());
        return *this;
    }
    template <class Other, class = std::enable_if_t<has_elements<Other>::value>>
    HIPIFY_TUPLE tuple& operator=(const Other& other) {
        assign(other, std::index_sequence_for<Ts...>());
        return *this;
    }
};
template <class... Ts>
tuple(Ts...) -> tuple<Ts...>;

}  // namespace tuples

using tuples::pair;
using tuples::tuple;

/// cuda::std::make_pair, cuda::std::make_tuple and cuda::std::tie
template <class First, class Second>
HIPIFY_TUPLE pair<std::decay_t<First>, std::decay_t<Second>> make_pair(First&& first, Second&& second) {
    return {static_cast<First&&>(first), static_cast<Second&&>(second)};
}
template <class... Ts>
HIPIFY_TUPLE tuple<std::decay_t<Ts>...> make_tuple(Ts&&... elements) {
    return tuple<std::decay_t<Ts>...>(static_cast<Ts&&>(elements)...);
}
template <class... Ts>
HIPIFY_TUPLE tuple<Ts&...> tie(Ts&... elements) {
    return tuple<Ts&...>(elements...);
}

}  // namespace hipify

// Structured bindings ask for these.
template <class First, class Second>
struct std::tuple_size<hipify::tuples::pair<First, Second>> : std::integral_constant<std::size_t, 2> {};
template <std::size_t Index, class First, class Second>
struct std::tuple_element<Index, hipify::tuples::pair<First, Second>> : std::tuple_element<Index, std::pair<First, Second>> {};
template <class... Ts>
struct std::tuple_size<hipify::tuples::tuple<Ts...>> : std::integral_constant<std::size_t, sizeof...(Ts)> {};
template <std::size_t Index, class... Ts>
struct std::tuple_element<Index, hipify::tuples::tuple<Ts...>> : std::tuple_element<Index, std::tuple<Ts...>> {};
#endif
