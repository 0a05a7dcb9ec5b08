// A value of any size handed from lane to lane, word by word: HIP's shuffles take numbers only.
// Source: HIP C++ language extensions, warp shuffle functions.
#if defined(HIPIFY_HAS_DEVICE_CODE)
namespace hipify {

/// A value whose words have each gone through a shuffle.
template <class T, class Shuffle>
__device__ inline T by_words(const T& value, Shuffle shuffle) {
    constexpr unsigned count = (sizeof(T) + sizeof(unsigned) - 1) / sizeof(unsigned);
    unsigned words[count] = {};
    memcpy(words, &value, sizeof(T));
    for (unsigned i = 0; i < count; ++i) {
        words[i] = shuffle(words[i]);
    }
    T result = value;
    memcpy(static_cast<void*>(&result), words, sizeof(T));
    return result;
}

}  // namespace hipify
#endif
