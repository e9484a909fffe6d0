/* Shared by the test programs: counters of checks, and a client from a JSON literal. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpaas.h"

/* Weak, so that several translation units share one counter. */
__attribute__((weak)) int checks_passed, checks_failed;

#define CHECK(condition) checked((condition) != 0, #condition, __FILE__, __LINE__)

static inline void checked(int passed, const char *what, const char *file, int line) {
    if (passed) {
        checks_passed++;
    } else {
        checks_failed++;
        printf("%s:%d: %s\n", file, line, what);
    }
}

/* For a result that a test does not check. */
static inline void ignored(size_t result) { (void)result; }

static inline int checks_end(void) {
    printf("%d passed, %d failed\n", checks_passed, checks_failed);
    return checks_failed == 0 && checks_passed > 0 ? 0 : 1;
}

static inline cpaas_client *client_of(const char *config) {
    cpaas_client *client = NULL;
    cpaas_text out;
    cpaas_status status = cpaas_client_new(config, strlen(config), &client, &out);
    if (status != CPAAS_OK) {
        printf("%s %s\n", cpaas_status_name(status), out.data ? out.data : "");
        exit(2);
    }
    cpaas_text_free(&out);
    return client;
}

#endif
