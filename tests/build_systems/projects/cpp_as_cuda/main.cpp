#include "point.h"

int main() {
    return filled(Point(3, 4)) == 25 ? 0 : 1;
}
