// A second translation unit that includes the header.
#include "cpaas.hpp"

int other_unit();
int other_unit() { return static_cast<int>(cpaas::count_segments("x").count); }
