/* Shared by the test programs: counters of checks, a client from a JSON literal, and checks of outputs. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpaas.h"

/* Several translation units share one counter. Windows has no weak definitions. */
#ifdef _WIN32
__declspec(selectany) int checks_passed = 0, checks_failed = 0;
#else
__attribute__((weak)) int checks_passed, checks_failed;
#endif

#define CHECK(condition) checked((condition) != 0, #condition, __FILE__, __LINE__)

static inline void checked(int passed, const char *what, const char *file, int line) {
    if (passed) {
        checks_passed++;
    } else {
        checks_failed++;
        printf("%s:%d: %s\n", file, line, what);
    }
}

/* Ignores a result that the test does not check, without a compiler warning. */
static inline void ignored(size_t result) { (void)result; }

static inline int checks_end(void) {
    printf("%d passed, %d failed\n", checks_passed, checks_failed);
    return checks_failed == 0 && checks_passed > 0 ? 0 : 1;
}

/* Whether the value at a JSON pointer is `expected`. */
static inline int json_is(const char *json, const char *pointer, const char *expected) {
    cpaas_text out;
    int ok = cpaas_json_get(json, strlen(json), pointer, &out) == CPAAS_OK && strcmp(out.data, expected) == 0;
    cpaas_text_free(&out);
    return ok;
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

/* Whether `out` of the surrounding function contains no string. */
#define NONE (&out)->data == NULL && (&out)->len == 0
#define INVALID_UTF8 "\xff\xfe"

/* Checks the status and that there is output, and frees the output twice. */
#define WITH_OUTPUT(call, expected)      \
    do {                                 \
        cpaas_text out;                  \
        memset(&out, 0x5a, sizeof out);  \
        CHECK((call) == (expected));       \
        CHECK(out.data && out.len > 0);  \
        CHECK(out.data && out.data[out.len] == '\0'); \
        cpaas_text_free(&out);           \
        CHECK(NONE);                     \
        cpaas_text_free(&out);           \
    } while (0)

/* Checks the status of a caller error, and that the output names an argument. */
#define BAD_CALL(call, expected)         \
    do {                                 \
        cpaas_text out;                  \
        memset(&out, 0x5a, sizeof out);  \
        CHECK((call) == (expected));       \
        CHECK(out.data && strncmp(out.data, "{\"argument\":\"", 13) == 0 && strstr(out.data, "\"message\":\"`")); \
        cpaas_text_free(&out);           \
    } while (0)

/* Checks the status of a caller error, and that the output names the argument `name`. */
#define BAD_NAMED(call, expected, name)  \
    do {                                 \
        cpaas_text out;                  \
        CHECK((call) == (expected));       \
        CHECK(out.data && strncmp(out.data, "{\"argument\":\"" name "\"", 13 + sizeof name) == 0); \
        if (out.data) CHECK(strstr(out.data, "must")); \
        cpaas_text_free(&out);           \
    } while (0)

/* Checks a status without output. */
#define STATUS_ONLY(call, expected)      \
    do {                                 \
        cpaas_text out;                  \
        memset(&out, 0x5a, sizeof out);  \
        CHECK((call) == (expected));       \
        CHECK(NONE);                     \
    } while (0)

#endif
