/* The Postgres extension `cpaas`: SMS text, requests and phone numbers are checked inside the database (docs/databases.md).
 *
 * All functions are immutable, parallel-safe and strict (cpaas--0.1.sql). Only the library without HTTP is needed: it starts no
 * thread and changes no signal. Its strings are freed before an error leaves a function, so that nothing outlives the query. */
#include "postgres.h"

#include <sys/mman.h>

#include "access/detoast.h"
#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "cpaas.h"

/* A longer request is an error. */
#define LONGEST_REQUEST (256 * 1024)

/* The maximum number of problems in a report, as in the browser. */
#define MOST_PROBLEMS 1000

/* What the library allocates at most: for each byte of a request, and for each problem of a report. */
#define BYTES_OF_REQUEST 192
#define BYTES_OF_PROBLEM 2048

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(pg_sms_segments);
PG_FUNCTION_INFO_V1(pg_sms_encoding);
PG_FUNCTION_INFO_V1(pg_cpaas_valid);
PG_FUNCTION_INFO_V1(pg_cpaas_report);
PG_FUNCTION_INFO_V1(pg_normalize_number);

/* Reads an argument as UTF-8, in a server with any encoding. Text that is not valid in the encoding is an error. */
static const char *utf8(const text *value, size_t *len) {
    const char *data = VARDATA_ANY(value);
    int size = (int)VARSIZE_ANY_EXHDR(value);
    const char *converted = pg_server_to_any(data, size, PG_UTF8);
    *len = converted == data ? (size_t)size : strlen(converted);
    return converted;
}

/* Reads an argument that the library reads as a C string. */
static const char *utf8_name(const text *value) {
    const char *name = text_to_cstring(value);
    return pg_server_to_any(name, (int)strlen(name), PG_UTF8);
}

/* Copies a member of a JSON text. */
static void member(const cpaas_text *json, const char *pointer, char *copy, size_t size) {
    cpaas_text value = {NULL, 0};
    copy[0] = '\0';
    if (json->data && cpaas_json_get(json->data, json->len, pointer, &value) == CPAAS_OK) strlcpy(copy, value.data, size);
    cpaas_text_free(&value);
}

static int error_code(cpaas_status status, const char *code) {
    switch (status) {
    case CPAAS_BAD_UTF8: return ERRCODE_CHARACTER_NOT_IN_REPERTOIRE;
    case CPAAS_BAD_NAME:
    case CPAAS_BAD_ARGUMENT: return ERRCODE_INVALID_PARAMETER_VALUE;
    case CPAAS_BAD_TEXT:
        if (strcmp(code, "no_plans") == 0) return ERRCODE_FEATURE_NOT_SUPPORTED;
        return strcmp(code, "region") == 0 ? ERRCODE_INVALID_PARAMETER_VALUE : ERRCODE_INVALID_TEXT_REPRESENTATION;
    default: return ERRCODE_INTERNAL_ERROR;
    }
}

/* Ends the query with the message in `out`, which it frees, or with `message` if `out` is empty. */
static void pg_attribute_noreturn() fail(const char *function, cpaas_status status, cpaas_text *out, const char *message) {
    char reported[512], code[64];
    member(out, "/message", reported, sizeof reported);
    member(out, "/code", code, sizeof code);
    cpaas_text_free(out);
    ereport(ERROR, errcode(error_code(status, code)),
            code[0] ? errmsg("%s: %s (%s)", function, reported, code) : errmsg("%s: %s", function, reported[0] ? reported : message));
    pg_unreachable();
}

static cpaas_segment_count count(FunctionCallInfo fcinfo, const char *function) {
    text *value;
    cpaas_segment_count result = {0};
    cpaas_text none = {NULL, 0};
    cpaas_status status;
    size_t len;
    const char *data;
    CHECK_FOR_INTERRUPTS();
    value = PG_GETARG_TEXT_PP(0);
    data = utf8(value, &len);
    status = cpaas_count_segments(data, len, &result);
    if (status != CPAAS_OK) {
        fail(function, status, &none, status == CPAAS_BAD_UTF8 ? "`text` must be valid UTF-8" : cpaas_status_name(status));
    }
    if (data != VARDATA_ANY(value)) pfree((void *)data);
    PG_FREE_IF_COPY(value, 0);
    return result;
}

Datum pg_sms_segments(PG_FUNCTION_ARGS) { PG_RETURN_INT32((int32)count(fcinfo, "sms_segments").count); }

Datum pg_sms_encoding(PG_FUNCTION_ARGS) {
    PG_RETURN_TEXT_P(cstring_to_text(count(fcinfo, "sms_encoding").encoding == CPAAS_GSM7 ? "gsm7" : "ucs2"));
}

/* Whether as much memory is free as the library may need for a request of this length. The library ends the process if an allocation
 * fails, and with it all connections of the server; with this question first, only the query ends. The step `postgres_memory` of
 * tests/suites/databases measures that the factors suffice. */
static bool has_memory(size_t len) {
    size_t size = len * BYTES_OF_REQUEST + Min(len, MOST_PROBLEMS) * BYTES_OF_PROBLEM;
    void *volatile memory;
    if (size > 4 * 1024 * 1024) { /* not by malloc, which is faster: after such a size, free returns less memory to the system */
        void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return pages != MAP_FAILED && munmap(pages, size) == 0;
    }
    memory = malloc(size);
    free(memory);
    return memory != NULL;
}

/* Validates a request. Returns the report, with at most `limit` problems, which the caller frees. */
static cpaas_text validate(FunctionCallInfo fcinfo, const char *function, size_t limit) {
    cpaas_text report = {NULL, 0};
    cpaas_status status;
    const char *operation, *request;
    size_t len;
    CHECK_FOR_INTERRUPTS();
    len = toast_raw_datum_size(PG_GETARG_DATUM(1)) - VARHDRSZ; /* before the value is read from its table */
    if (len > LONGEST_REQUEST) {
        ereport(ERROR, errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
                errmsg("%s: `request` must have at most 256 KiB (262,144 bytes), got %zu bytes", function, len));
    }
    operation = utf8_name(PG_GETARG_TEXT_PP(0));
    request = utf8(PG_GETARG_TEXT_PP(1), &len);
    if (!has_memory(len)) ereport(ERROR, errcode(ERRCODE_OUT_OF_MEMORY), errmsg("%s: out of memory", function));
    status = cpaas_validate_limited(operation, request, len, limit, &report);
    if (status != CPAAS_OK) fail(function, status, &report, cpaas_status_name(status));
    return report;
}

Datum pg_cpaas_valid(PG_FUNCTION_ARGS) {
    static const char ok[] = "{\"ok\":true";
    cpaas_text report = validate(fcinfo, "cpaas_valid", 0);
    bool valid = report.len >= sizeof ok - 1 && memcmp(report.data, ok, sizeof ok - 1) == 0;
    cpaas_text_free(&report);
    PG_RETURN_BOOL(valid);
}

/* Copies a text of the library to the memory context of the query, in the encoding of the server, and frees it, also if the copy
 * fails. A NUL in the name of a field becomes U+FFFD: text of Postgres cannot contain it. */
static text *taken(cpaas_text *from) {
    text *volatile result = NULL;
    PG_TRY();
    {
        char *copy = pnstrdup(from->data, from->len), *at;
        for (at = copy; (at = strchr(at, '\\')); at += 2) {
            if (strncmp(at, "\\u0000", 6) == 0) memcpy(at, "\\ufffd", 6);
        }
        result = cstring_to_text(pg_any_to_server(copy, (int)from->len, PG_UTF8));
        pfree(copy);
    }
    PG_FINALLY();
    { cpaas_text_free(from); }
    PG_END_TRY();
    return result;
}

Datum pg_cpaas_report(PG_FUNCTION_ARGS) {
    cpaas_text report = validate(fcinfo, "cpaas_report", MOST_PROBLEMS);
    PG_RETURN_TEXT_P(taken(&report));
}

Datum pg_normalize_number(PG_FUNCTION_ARGS) {
    cpaas_text digits = {NULL, 0};
    cpaas_status status;
    const char *number, *region = NULL;
    size_t len;
    CHECK_FOR_INTERRUPTS();
    number = utf8(PG_GETARG_TEXT_PP(0), &len);
    if (PG_NARGS() > 1) region = utf8_name(PG_GETARG_TEXT_PP(1));
    status = cpaas_normalize_number(number, len, region, &digits);
    if (status != CPAAS_OK) fail("normalize_number", status, &digits, cpaas_status_name(status));
    PG_RETURN_TEXT_P(taken(&digits));
}
