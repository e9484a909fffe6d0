/* Prints the nanoseconds of one call of cpaas_count_segments on a short text, the minimum of 200 rounds. With COUNT, makes
 * COUNT calls and prints nothing, for a tool that counts instructions. Usage: count [COUNT] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cpaas.h"

static char text[] = "Your table is ready";

static unsigned long calls(int count, size_t len) {
    unsigned long parts = 0;
    for (int i = 0; i < count; i++) {
        cpaas_segment_count counted;
        text[0] = (char)('A' + i % 20);
        if (cpaas_count_segments(text, len, &counted) == CPAAS_OK) parts += counted.count;
    }
    return parts;
}

int main(int argc, char **argv) {
    enum { ROUNDS = 200, CALLS = 20000 };
    size_t len = strlen(text);
    if (argc > 1) return calls(atoi(argv[1]), len) == strtoul(argv[1], NULL, 10) ? 0 : 1;
    double best = 1e9;
    unsigned long parts = 0;
    for (int round = 0; round < ROUNDS; round++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        parts += calls(CALLS, len);
        clock_gettime(CLOCK_MONOTONIC, &to);
        double each = ((double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec)) / CALLS;
        if (each < best) best = each;
    }
    printf("%.2f\n", best);
    return parts == (unsigned long)ROUNDS * CALLS ? 0 : 1;
}
