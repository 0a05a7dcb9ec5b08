// cuda::std::variant: std::variant's access throws where the type is another, which device code cannot.
// It is a type of its own, so that overloads for both kinds of variants stay apart.
// Source: libcu++ documentation, standard library support; C++17, header <variant>.
#if defined(__NVCC__)
#include <cuda/std/variant>

namespace hipify {
using ::cuda::std::variant;
using ::cuda::std::visit;
}  // namespace hipify
#else
#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

#if defined(HIPIFY_HAS_DEVICE_CODE)
#define HIPIFY_VARIANT __host__ __device__ constexpr
#else
#define HIPIFY_VARIANT constexpr
#endif

namespace hipify {

/// cuda::std::variant. It is assigned in host code, as one that holds something else may have to be destroyed.
template <class... Ts>
class variant : public std::variant<Ts...> {
public:
    constexpr variant() = default;
    constexpr variant(const variant&) = default;
    constexpr variant(variant&&) = default;
    variant& operator=(const variant&) = default;
    variant& operator=(variant&&) = default;
    template <class T, class = std::enable_if_t<!std::is_base_of<std::variant<Ts...>, std::decay_t<T>>::value &&
                                                std::is_constructible<std::variant<Ts...>, T&&>::value>>
    HIPIFY_VARIANT variant(T&& value) : std::variant<Ts...>(static_cast<T&&>(value)) {}
};

/// A visitor with its first argument.
template <class Visitor, class First>
struct visitor_with {
    Visitor& visitor;
    First& first;
    template <class... Rest>
    HIPIFY_VARIANT decltype(auto) operator()(Rest&&... rest) const {
        return visitor(first, static_cast<Rest&&>(rest)...);
    }
};

template <class... Ts>
HIPIFY_VARIANT std::size_t alternatives(const std::variant<Ts...>*) {
    return sizeof...(Ts);
}

template <std::size_t Index, class Visitor, class Variant>
HIPIFY_VARIANT decltype(auto) visit_from(Visitor&& visitor, Variant& object) {
    if constexpr (Index + 1 < hipify::alternatives(static_cast<Variant*>(nullptr))) {
        if (object.index() != Index) {
            return hipify::visit_from<Index + 1>(static_cast<Visitor&&>(visitor), object);
        }
    }
    return static_cast<Visitor&&>(visitor)(*std::get_if<Index>(&object));
}

/// cuda::std::visit
template <class Visitor, class Variant>
HIPIFY_VARIANT decltype(auto) visit(Visitor&& visitor, Variant&& object) {
    return hipify::visit_from<0>(static_cast<Visitor&&>(visitor), object);
}

/// Visits the first variant, and with what it holds the others.
template <class Visitor, class... Variants>
struct visitor_of_rest {
    Visitor& visitor;
    std::tuple<Variants&...> rest;
    template <class First, std::size_t... Indices>
    HIPIFY_VARIANT decltype(auto) next(First& first, std::index_sequence<Indices...>) const {
        return hipify::visit(visitor_with<Visitor, First>{visitor, first}, std::get<Indices>(rest)...);
    }
    template <class First>
    HIPIFY_VARIANT decltype(auto) operator()(First& first) const {
        return next(first, std::index_sequence_for<Variants...>());
    }
};
template <class Visitor, class Variant, class Second, class... More>
HIPIFY_VARIANT decltype(auto) visit(Visitor&& visitor, Variant&& object, Second&& second, More&&... more) {
    using rest = visitor_of_rest<std::remove_reference_t<Visitor>, std::remove_reference_t<Second>,
                                 std::remove_reference_t<More>...>;
    return hipify::visit(rest{visitor, {second, more...}}, object);
}

}  // namespace hipify

template <class... Ts>
struct std::variant_size<hipify::variant<Ts...>> : std::integral_constant<std::size_t, sizeof...(Ts)> {};
template <std::size_t Index, class... Ts>
struct std::variant_alternative<Index, hipify::variant<Ts...>> : std::variant_alternative<Index, std::variant<Ts...>> {};
#endif
