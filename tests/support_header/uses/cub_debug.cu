#include "hipify_support.hpp"

enum status { good, bad };

int main() { hipify::exit_on_error(good); }
