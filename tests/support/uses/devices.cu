#include "hipify_support.hpp"

int use() { return hipify::current_device(); }
