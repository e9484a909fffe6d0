// A second translation unit of the cpp_header program.
#include "cpaas.hpp"

int other_unit();
int other_unit() { return static_cast<int>(cpaas::count_segments("x").count); }
