#include "hipify_support.hpp"

struct Wide {
    double a;
    char b;
};

__global__ void use(char* bytes, Wide* wide) {
    bytes[0] = hipify::by_words(bytes[1], [](unsigned word) { return word + 1; });
    wide[0] = hipify::by_words(wide[1], [](unsigned word) { return ~word; });
}
