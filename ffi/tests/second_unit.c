/* The second translation unit of exports.c, which includes the header twice: the program must compile and link. */
#include "cpaas.h"
#include "cpaas.h"

int other_unit(void);
int other_unit(void) { return (int)sizeof(cpaas_segment_count); }
