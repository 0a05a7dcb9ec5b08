// Algorithms of cuda::std over a range, which the C++ standard library has for host code alone before C++20.
// Source: C++20, headers <algorithm> and <numeric>; libcu++ documentation, standard library support.
#if defined(__HIPCC__) || defined(__CUDACC__)
#define HIPIFY_ALGORITHM __host__ __device__ constexpr
#else
#define HIPIFY_ALGORITHM constexpr
#endif

namespace hipify {

template <class Iterator, class T>
HIPIFY_ALGORITHM void fill(Iterator first, Iterator last, const T& value) {
    for (; first != last; ++first) *first = value;
}
template <class Iterator, class Size, class T>
HIPIFY_ALGORITHM Iterator fill_n(Iterator first, Size count, const T& value) {
    for (Size at = 0; at < count; ++at, ++first) *first = value;
    return first;
}
template <class Input, class Output>
HIPIFY_ALGORITHM Output copy(Input first, Input last, Output to) {
    for (; first != last; ++first, ++to) *to = *first;
    return to;
}
template <class Input, class Size, class Output>
HIPIFY_ALGORITHM Output copy_n(Input first, Size count, Output to) {
    for (Size at = 0; at < count; ++at, ++first, ++to) *to = *first;
    return to;
}
template <class Iterator, class Function>
HIPIFY_ALGORITHM Function for_each(Iterator first, Iterator last, Function function) {
    for (; first != last; ++first) function(*first);
    return function;
}
template <class Input, class Output, class Function>
HIPIFY_ALGORITHM Output transform(Input first, Input last, Output to, Function function) {
    for (; first != last; ++first, ++to) *to = function(*first);
    return to;
}
template <class Input, class Other, class Output, class Function>
HIPIFY_ALGORITHM Output transform(Input first, Input last, Other other, Output to, Function function) {
    for (; first != last; ++first, ++other, ++to) *to = function(*first, *other);
    return to;
}
template <class Iterator>
HIPIFY_ALGORITHM void reverse(Iterator first, Iterator last) {
    while (first != last && first != --last) {
        auto kept = *first;
        *first = *last;
        *last = kept;
        ++first;
    }
}

template <class Iterator, class T>
HIPIFY_ALGORITHM Iterator find(Iterator first, Iterator last, const T& value) {
    while (first != last && !(*first == value)) ++first;
    return first;
}
template <class Iterator, class Predicate>
HIPIFY_ALGORITHM Iterator find_if(Iterator first, Iterator last, Predicate holds) {
    while (first != last && !holds(*first)) ++first;
    return first;
}
template <class Iterator, class Predicate>
HIPIFY_ALGORITHM bool any_of(Iterator first, Iterator last, Predicate holds) {
    return find_if(first, last, holds) != last;
}
template <class Iterator, class Predicate>
HIPIFY_ALGORITHM bool none_of(Iterator first, Iterator last, Predicate holds) {
    return find_if(first, last, holds) == last;
}
template <class Iterator, class Predicate>
HIPIFY_ALGORITHM bool all_of(Iterator first, Iterator last, Predicate holds) {
    while (first != last && holds(*first)) ++first;
    return first == last;
}
template <class Iterator, class T>
HIPIFY_ALGORITHM auto count(Iterator first, Iterator last, const T& value) -> decltype(last - first) {
    decltype(last - first) found = 0;
    for (; first != last; ++first) found += *first == value ? 1 : 0;
    return found;
}
template <class Iterator, class Predicate>
HIPIFY_ALGORITHM auto count_if(Iterator first, Iterator last, Predicate holds) -> decltype(last - first) {
    decltype(last - first) found = 0;
    for (; first != last; ++first) found += holds(*first) ? 1 : 0;
    return found;
}
template <class Input, class Other>
HIPIFY_ALGORITHM bool equal(Input first, Input last, Other other) {
    while (first != last && *first == *other) {
        ++first;
        ++other;
    }
    return first == last;
}

/// The first place of a sorted range whose element does not come before a value.
template <class Iterator, class T>
HIPIFY_ALGORITHM Iterator lower_bound(Iterator first, Iterator last, const T& value) {
    for (auto left = last - first; left > 0;) {
        const auto half = left / 2;
        if (*(first + half) < value) {
            first = first + half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    return first;
}
template <class Iterator, class T, class Less>
HIPIFY_ALGORITHM Iterator lower_bound(Iterator first, Iterator last, const T& value, Less less) {
    for (auto left = last - first; left > 0;) {
        const auto half = left / 2;
        if (less(*(first + half), value)) {
            first = first + half + 1;
            left -= half + 1;
        } else {
            left = half;
        }
    }
    return first;
}
/// The first place of a sorted range whose element comes after a value.
template <class Iterator, class T>
HIPIFY_ALGORITHM Iterator upper_bound(Iterator first, Iterator last, const T& value) {
    for (auto left = last - first; left > 0;) {
        const auto half = left / 2;
        if (value < *(first + half)) {
            left = half;
        } else {
            first = first + half + 1;
            left -= half + 1;
        }
    }
    return first;
}
template <class Iterator, class T, class Less>
HIPIFY_ALGORITHM Iterator upper_bound(Iterator first, Iterator last, const T& value, Less less) {
    for (auto left = last - first; left > 0;) {
        const auto half = left / 2;
        if (less(value, *(first + half))) {
            left = half;
        } else {
            first = first + half + 1;
            left -= half + 1;
        }
    }
    return first;
}
template <class Iterator, class T>
HIPIFY_ALGORITHM bool binary_search(Iterator first, Iterator last, const T& value) {
    const Iterator at = lower_bound(first, last, value);
    return at != last && !(value < *at);
}

template <class Iterator, class T>
HIPIFY_ALGORITHM void iota(Iterator first, Iterator last, T value) {
    for (; first != last; ++first, ++value) *first = value;
}
template <class Iterator, class T>
HIPIFY_ALGORITHM T accumulate(Iterator first, Iterator last, T sum) {
    for (; first != last; ++first) sum = sum + *first;
    return sum;
}
template <class Iterator, class T, class Function>
HIPIFY_ALGORITHM T accumulate(Iterator first, Iterator last, T sum, Function function) {
    for (; first != last; ++first) sum = function(sum, *first);
    return sum;
}
template <class Input, class Other, class T>
HIPIFY_ALGORITHM T inner_product(Input first, Input last, Other other, T sum) {
    for (; first != last; ++first, ++other) sum = sum + *first * *other;
    return sum;
}

}  // namespace hipify
#undef HIPIFY_ALGORITHM
