/* A second translation unit of the exports program. It includes the header twice. */
#include "cpaas.h"
#include "cpaas.h"

int other_unit(void);
int other_unit(void) { return (int)sizeof(cpaas_segment_count); }
