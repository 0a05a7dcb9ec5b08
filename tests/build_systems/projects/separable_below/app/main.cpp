#include "scale.h"

int main() {
    scale(nullptr, 0);
}
