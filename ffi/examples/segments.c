/* Splits a text into SMS parts and prints the range of each part. Usage: segments TEXT */
#include <stdio.h>
#include <string.h>

#include "cpaas.h"

int main(int argc, char **argv) {
    const char *text = argc > 1 ? argv[1] : "Your table is ready \xe2\x80\x94 see you at 8";
    cpaas_segment parts[255];
    cpaas_segment_count count;
    size_t written;
    cpaas_status status = cpaas_segments(text, strlen(text), NULL, parts, 255, &written, &count);
    if (status != CPAAS_OK) {
        fprintf(stderr, "%s\n", cpaas_status_name(status));
        return 1;
    }
    printf("%s, %u part(s), %u units, %u left\n", count.encoding == CPAAS_GSM7 ? "GSM 7-bit" : "UCS-2", count.count,
           count.units, count.remaining);
    for (size_t i = 0; i < written; i++)
        printf("part %zu: bytes %zu to %zu, %u units\n", i + 1, parts[i].start, parts[i].end, parts[i].units);
    return 0;
}
