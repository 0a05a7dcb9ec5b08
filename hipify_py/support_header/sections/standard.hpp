// What cuda::std has for device code and the C++ standard library has not, or only from C++20 on.
// Source: libcu++ documentation, standard library support.
#include <cstddef>
#include <cstring>
#include <type_traits>

#if defined(__HIPCC__) || defined(__CUDACC__)
#define HIPIFY_EVERYWHERE __host__ __device__
#else
#define HIPIFY_EVERYWHERE
#endif

namespace hipify {

/// cuda::std::swap
template <class T>
HIPIFY_EVERYWHERE constexpr void swap(T& a, T& b) {
    T kept = static_cast<T&&>(a);
    a = static_cast<T&&>(b);
    b = static_cast<T&&>(kept);
}

/// cuda::std::exchange
template <class T, class U = T>
HIPIFY_EVERYWHERE constexpr T exchange(T& object, U&& value) {
    T old = static_cast<T&&>(object);
    object = static_cast<U&&>(value);
    return old;
}

/// cuda::std::bit_cast
template <class To, class From>
HIPIFY_EVERYWHERE inline To bit_cast(const From& from) {
    static_assert(sizeof(To) == sizeof(From), "bit_cast keeps the size");
    To to;
    memcpy(&to, &from, sizeof(To));
    return to;
}

/// cuda::std::remove_cvref
template <class T>
struct remove_cvref {
    using type = typename std::remove_cv<typename std::remove_reference<T>::type>::type;
};
template <class T>
using remove_cvref_t = typename remove_cvref<T>::type;

/// cuda::std::identity
struct identity {
    template <class T>
    HIPIFY_EVERYWHERE constexpr T&& operator()(T&& value) const {
        return static_cast<T&&>(value);
    }
};

/// cuda::std::span of a size that is known at run time.
template <class T>
class span {
    T* data_ = nullptr;
    std::size_t size_ = 0;

public:
    using element_type = T;
    using value_type = typename std::remove_cv<T>::type;

    constexpr span() = default;
    HIPIFY_EVERYWHERE constexpr span(T* data, std::size_t size) : data_(data), size_(size) {}
    HIPIFY_EVERYWHERE constexpr span(T* first, T* last) : data_(first), size_(last - first) {}
    template <std::size_t Size>
    HIPIFY_EVERYWHERE constexpr span(T (&array)[Size]) : data_(array), size_(Size) {}
    template <class Container, class = decltype(std::declval<Container&>().data() + std::declval<Container&>().size())>
    HIPIFY_EVERYWHERE constexpr span(Container& container) : data_(container.data()), size_(container.size()) {}

    HIPIFY_EVERYWHERE constexpr T* data() const { return data_; }
    HIPIFY_EVERYWHERE constexpr std::size_t size() const { return size_; }
    HIPIFY_EVERYWHERE constexpr std::size_t size_bytes() const { return size_ * sizeof(T); }
    HIPIFY_EVERYWHERE constexpr bool empty() const { return size_ == 0; }
    HIPIFY_EVERYWHERE constexpr T& operator[](std::size_t index) const { return data_[index]; }
    HIPIFY_EVERYWHERE constexpr T& front() const { return data_[0]; }
    HIPIFY_EVERYWHERE constexpr T& back() const { return data_[size_ - 1]; }
    HIPIFY_EVERYWHERE constexpr T* begin() const { return data_; }
    HIPIFY_EVERYWHERE constexpr T* end() const { return data_ + size_; }
    HIPIFY_EVERYWHERE constexpr span first(std::size_t count) const { return span(data_, count); }
    HIPIFY_EVERYWHERE constexpr span last(std::size_t count) const { return span(data_ + (size_ - count), count); }
    HIPIFY_EVERYWHERE constexpr span subspan(std::size_t offset) const { return span(data_ + offset, size_ - offset); }
    HIPIFY_EVERYWHERE constexpr span subspan(std::size_t offset, std::size_t count) const {
        return span(data_ + offset, count);
    }
};

/// cuda::ceil_div: a / b rounded up, for a that is not negative.
template <class T, class U>
HIPIFY_EVERYWHERE constexpr typename std::common_type<T, U>::type ceil_div(T a, U b) {
    using result = typename std::common_type<T, U>::type;
    return static_cast<result>(a) / static_cast<result>(b) +
           (static_cast<result>(a) % static_cast<result>(b) != 0 ? result(1) : result(0));
}

/// cuda::round_up and cuda::round_down: the multiple of b next to a, for a that is not negative.
template <class T, class U>
HIPIFY_EVERYWHERE constexpr typename std::common_type<T, U>::type round_up(T a, U b) {
    return ceil_div(a, b) * static_cast<typename std::common_type<T, U>::type>(b);
}
template <class T, class U>
HIPIFY_EVERYWHERE constexpr typename std::common_type<T, U>::type round_down(T a, U b) {
    using result = typename std::common_type<T, U>::type;
    return static_cast<result>(a) / static_cast<result>(b) * static_cast<result>(b);
}
/// cuda::is_power_of_two
template <class T>
HIPIFY_EVERYWHERE constexpr bool is_power_of_two(T number) {
    return number > 0 && (number & (number - 1)) == 0;
}
/// cuda::ilog2 of a positive number, rounded down
template <class T>
HIPIFY_EVERYWHERE constexpr int ilog2(T number) {
    int power = 0;
    for (; number > 1; number /= 2) ++power;
    return power;
}

/// cuda::minimum
template <class T = void>
struct minimum {
    HIPIFY_EVERYWHERE constexpr T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
template <>
struct minimum<void> {
    template <class T, class U>
    HIPIFY_EVERYWHERE constexpr typename std::common_type<T, U>::type operator()(const T& a, const U& b) const {
        return b < a ? b : a;
    }
};

/// cuda::maximum
template <class T = void>
struct maximum {
    HIPIFY_EVERYWHERE constexpr T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
template <>
struct maximum<void> {
    template <class T, class U>
    HIPIFY_EVERYWHERE constexpr typename std::common_type<T, U>::type operator()(const T& a, const U& b) const {
        return a < b ? b : a;
    }
};

/// cuda::proclaim_return_type: HIP lambdas have a return type in host code, too, so there is nothing to proclaim.
template <class Result, class Function>
HIPIFY_EVERYWHERE constexpr Function proclaim_return_type(Function&& function) {
    return static_cast<Function&&>(function);
}
/// cuda::proclaim_copyable_arguments: rocThrust makes no difference by it.
template <class Function>
HIPIFY_EVERYWHERE constexpr Function proclaim_copyable_arguments(Function&& function) {
    return static_cast<Function&&>(function);
}

}  // namespace hipify
