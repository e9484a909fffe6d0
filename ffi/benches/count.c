/* Nanoseconds a call of cpaas_count_segments on a short text; the best of many rounds. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cpaas.h"

int main(void) {
    enum { ROUNDS = 200, CALLS = 20000 };
    char text[] = "Your table is ready";
    size_t len = strlen(text);
    double best = 1e9;
    unsigned long parts = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        for (int i = 0; i < CALLS; i++) {
            cpaas_segment_count count;
            text[0] = (char)('A' + i % 20);
            if (cpaas_count_segments(text, len, &count) == CPAAS_OK) parts += count.parts;
        }
        clock_gettime(CLOCK_MONOTONIC, &to);
        double each = ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / CALLS;
        if (each < best) best = each;
    }
    printf("%.2f\n", best);
    return parts == (unsigned long)ROUNDS * CALLS ? 0 : 1;
}
