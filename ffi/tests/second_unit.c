/* Includes the header twice; linked with exports.c, which includes it too. */
#include "cpaas.h"
#include "cpaas.h"

int other_unit(void);
int other_unit(void) { return (int)sizeof(cpaas_segment_count); }
