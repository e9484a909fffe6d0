// The second translation unit of cpp_header.cpp: the inline functions of the header must link.
#include "cpaas.hpp"

int other_unit();
int other_unit() { return static_cast<int>(cpaas::count_segments("x").count); }
