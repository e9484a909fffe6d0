/* The functions that vectors.c, vectors_http.c and vectors_text.c share. */
#ifndef VECTORS_H
#define VECTORS_H

#include <jansson.h>

#include "check.h"

/* Whether the library is built with the numbering plans (the feature `phone`). */
#ifdef WITH_PLANS
#define HAS_PLANS 1
#else
#define HAS_PLANS 0
#endif

/* Compares two values, and prints both if they differ. */
void differs(const char *file, json_t *item, const char *what, json_t *want, json_t *have);
json_t *parsed(const cpaas_text *text);
char *written(json_t *value);
json_t *load(const char *folder, const char *file);

void run_segments(const char *file, json_t *item);
void run_encode(const char *file, json_t *item);
void run_decode(const char *file, json_t *item);
void run_intent(const char *file, json_t *item);
void run_autofill(const char *list, json_t *item);
void run_markup(const char *file, json_t *item);
void run_problem_details(const char *file, json_t *item);
void run_problem(const char *file, json_t *item);
void run_number(const char *file, json_t *item);
void run_prices(const char *file, json_t *item);
void run_recipient(const char *file, json_t *item, json_t *config);
/* Appends pointer, code and severity of each problem. */
void shorten(json_t *into, json_t *problems);
void run_config(const char *file, json_t *item, json_t *config);
void run_request(const char *file, json_t *document, json_t *item, json_t *config);
void run_response(const char *file, json_t *document, json_t *item, cpaas_client *client);
void run_callback(const char *file, json_t *document, json_t *item, int event);

static inline void same(const char *file, json_t *item, const char *what, json_t *want, json_t *have) {
    if (json_equal(want, have)) checks_passed++;
    else differs(file, item, what, want, have);
}

#endif
