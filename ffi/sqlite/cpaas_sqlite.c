/* The SQLite extension `cpaas`: SMS text, requests and phone numbers are checked inside the database (docs/databases.md).
 *
 * All functions return NULL for NULL, are deterministic, and work in indexes, generated columns and CHECK constraints. Only the
 * library without HTTP is needed: it starts no thread and changes no signal. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <sqlite3ext.h>
SQLITE_EXTENSION_INIT1

#include "cpaas.h"

/* A longer request is an error. */
#define LONGEST_REQUEST (256 * 1024)

/* The maximum number of problems in a report, as in the browser. */
#define MOST_PROBLEMS 1000

/* What the library allocates at most: for each byte of a request, and for each problem of a report. */
#define BYTES_OF_REQUEST 192
#define BYTES_OF_PROBLEM 2048

/* An argument as text: not NULL, and maybe not valid UTF-8. */
typedef struct {
    const char *data;
    size_t len;
} string;

/* Why a function failed. `message` is from sqlite3_mprintf; NULL if there was no memory for it. */
typedef struct {
    int code;
    char *message;
} failure;

static int fails(failure *why, int code, char *message) {
    why->code = message ? code : SQLITE_NOMEM;
    why->message = message;
    return 0;
}

/* Reports the failure of a function of the library, with the message in `out`, and frees `out`. */
static int fails_with(failure *why, cpaas_status status, cpaas_text *out) {
    cpaas_text message = {NULL, 0}, code = {NULL, 0};
    if (out->data && cpaas_json_get(out->data, out->len, "/message", &message) == CPAAS_OK) {
        int has_code = cpaas_json_get(out->data, out->len, "/code", &code) == CPAAS_OK;
        fails(why, SQLITE_ERROR,
              has_code ? sqlite3_mprintf("%s (%s)", message.data, code.data) : sqlite3_mprintf("%s", message.data));
    } else {
        fails(why, SQLITE_ERROR, sqlite3_mprintf("%s", cpaas_status_name(status)));
    }
    cpaas_text_free(&message);
    cpaas_text_free(&code);
    cpaas_text_free(out);
    return 0;
}

/* Reads an argument. A number is read as its digits, as SQLite's own functions do; a BLOB is an error. */
static int read_text(sqlite3_value *value, const char *name, string *text, failure *why) {
    if (sqlite3_value_type(value) == SQLITE_BLOB) {
        return fails(why, SQLITE_MISMATCH, sqlite3_mprintf("`%s` must be text, got a BLOB", name));
    }
    text->data = (const char *)sqlite3_value_text(value);
    if (!text->data) return fails(why, SQLITE_NOMEM, NULL);
    text->len = (size_t)sqlite3_value_bytes(value);
    return 1;
}

/* Reads an argument that the library reads as a C string. */
static int read_name(sqlite3_value *value, const char *name, string *text, failure *why) {
    if (!read_text(value, name, text, why)) return 0;
    if (strlen(text->data) == text->len) return 1;
    return fails(why, SQLITE_ERROR, sqlite3_mprintf("`%s` must not contain NUL", name));
}

/* Whether as much memory is free as the library may need for a request of this length. The library ends the process if an allocation
 * fails; with this question first, only the statement ends. The test `memory_limits` measures that the factors suffice. */
static int has_memory(size_t len) {
    size_t size = len * BYTES_OF_REQUEST + (len < MOST_PROBLEMS ? len : MOST_PROBLEMS) * BYTES_OF_PROBLEM;
    if (size > 4 * 1024 * 1024) { /* not by malloc, which is faster: after such a size, free returns less memory to the system */
        void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return pages != MAP_FAILED && munmap(pages, size) == 0;
    }
    void *volatile memory = malloc(size);
    free(memory);
    return memory != NULL;
}

/* Validates a request. `report` receives the report, with at most `limit` problems. */
static int validate(sqlite3_value *operation, sqlite3_value *request, size_t limit, cpaas_text *report, failure *why) {
    string name, json;
    if (!read_name(operation, "operation", &name, why) || !read_text(request, "request", &json, why)) return 0;
    if (json.len > LONGEST_REQUEST) {
        return fails(why, SQLITE_TOOBIG, sqlite3_mprintf("`request` must have at most 256 KiB (262,144 bytes), got %llu bytes",
                                                         (unsigned long long)json.len));
    }
    if (!has_memory(json.len)) return fails(why, SQLITE_NOMEM, NULL);
    cpaas_status status = cpaas_validate_limited(name.data, json.data, json.len, limit, report);
    return status == CPAAS_OK || fails_with(why, status, report);
}

static int is_null(int count, sqlite3_value **values) {
    for (int i = 0; i < count; i++) {
        if (sqlite3_value_type(values[i]) == SQLITE_NULL) return 1;
    }
    return 0;
}

/* Ends an SQL function with an error that begins with the function's name. */
static void end_with(sqlite3_context *context, const char *function, failure *why) {
    if (why->code == SQLITE_NOMEM) {
        sqlite3_result_error_nomem(context);
        return;
    }
    char *message = sqlite3_mprintf("%s: %s", function, why->message);
    if (message) {
        sqlite3_result_error(context, message, -1);
        sqlite3_result_error_code(context, why->code);
    } else {
        sqlite3_result_error_nomem(context);
    }
    sqlite3_free(message);
    sqlite3_free(why->message);
}

static int count_parts(sqlite3_value *value, cpaas_segment_count *count, failure *why) {
    string text;
    if (!read_text(value, "text", &text, why)) return 0;
    cpaas_status status = cpaas_count_segments(text.data, text.len, count);
    if (status == CPAAS_OK) return 1;
    return fails(why, SQLITE_ERROR, status == CPAAS_BAD_UTF8 ? sqlite3_mprintf("`text` must be valid UTF-8")
                                                            : sqlite3_mprintf("%s", cpaas_status_name(status)));
}

static void sms_segments(sqlite3_context *context, int argc, sqlite3_value **argv) {
    cpaas_segment_count count;
    failure why;
    if (is_null(argc, argv)) return;
    if (count_parts(argv[0], &count, &why)) sqlite3_result_int64(context, count.count);
    else end_with(context, "sms_segments", &why);
}

static void sms_encoding(sqlite3_context *context, int argc, sqlite3_value **argv) {
    cpaas_segment_count count;
    failure why;
    if (is_null(argc, argv)) return;
    if (count_parts(argv[0], &count, &why)) {
        sqlite3_result_text(context, count.encoding == CPAAS_GSM7 ? "gsm7" : "ucs2", -1, SQLITE_STATIC);
    } else {
        end_with(context, "sms_encoding", &why);
    }
}

static void is_valid(sqlite3_context *context, int argc, sqlite3_value **argv) {
    static const char ok[] = "{\"ok\":true";
    cpaas_text report;
    failure why;
    if (is_null(argc, argv)) return;
    if (!validate(argv[0], argv[1], 0, &report, &why)) {
        end_with(context, "cpaas_valid", &why);
        return;
    }
    sqlite3_result_int(context, report.len >= sizeof ok - 1 && memcmp(report.data, ok, sizeof ok - 1) == 0);
    cpaas_text_free(&report);
}

/* Copies a report, and frees it. A NUL in the name of a field becomes U+FFFD: SQLite's JSON functions end a text at NUL. */
static char *copy_report(cpaas_text *report, size_t *len) {
    char *copy = sqlite3_malloc64(report->len + 1);
    *len = report->len;
    if (copy) memcpy(copy, report->data, report->len + 1);
    cpaas_text_free(report);
    for (char *at = copy; at && (at = strchr(at, '\\')); at += 2) {
        if (strncmp(at, "\\u0000", 6) == 0) memcpy(at, "\\ufffd", 6);
    }
    return copy;
}

/* The problems of a report as one list: errors, then warnings, then the number of those that are not listed. The marks cannot be inside
 * a string of JSON, whose quotes have a backslash. A full list without warnings can omit errors. */
static char *list_of(const char *report) {
    static const char before_errors[] = "\"errors\":[", before_warnings[] = "],\"warnings\":[", before_more[] = "],\"more\":";
    const char *errors = strstr(report, before_errors) + sizeof before_errors - 1, *between = strstr(errors, before_warnings);
    const char *warnings = between + sizeof before_warnings - 1, *end = strrchr(warnings, ']');
    int has_errors = between > errors, has_warnings = end > warnings;
    if (strncmp(end, before_more, sizeof before_more - 1) != 0) {
        return sqlite3_mprintf("[%.*s%s%.*s]", (int)(between - errors), errors, has_errors && has_warnings ? "," : "", (int)(end - warnings), warnings);
    }
    return sqlite3_mprintf("[%.*s%s%.*s,{\"pointer\":\"\",\"code\":\"report.more\",\"severity\":\"%s\",\"message\":"
                           "\"%llu more problems: only 1,000 are listed\"}]",
                           (int)(between - errors), errors, has_errors && has_warnings ? "," : "", (int)(end - warnings), warnings,
                           has_warnings ? "warning" : "error", strtoull(end + sizeof before_more - 1, NULL, 10));
}

static void report_of(sqlite3_context *context, int argc, sqlite3_value **argv) {
    cpaas_text report;
    failure why;
    if (is_null(argc, argv)) return;
    if (!validate(argv[0], argv[1], MOST_PROBLEMS, &report, &why)) {
        end_with(context, "cpaas_report", &why);
        return;
    }
    size_t len;
    char *copy = copy_report(&report, &len);
    if (copy) sqlite3_result_text64(context, copy, len, sqlite3_free, SQLITE_UTF8);
    else sqlite3_result_error_nomem(context);
}

static int normalize(int argc, sqlite3_value **argv, cpaas_text *digits, failure *why) {
    string number, region = {NULL, 0};
    if (!read_text(argv[0], "number", &number, why)) return 0;
    if (argc > 1 && !read_name(argv[1], "region", &region, why)) return 0;
    cpaas_status status = cpaas_normalize_number(number.data, number.len, region.data, digits);
    return status == CPAAS_OK || fails_with(why, status, digits);
}

static void normalize_number(sqlite3_context *context, int argc, sqlite3_value **argv) {
    cpaas_text digits;
    failure why;
    if (is_null(argc, argv)) return;
    if (!normalize(argc, argv, &digits, &why)) {
        end_with(context, "normalize_number", &why);
        return;
    }
    sqlite3_result_text64(context, digits.data, digits.len, SQLITE_TRANSIENT, SQLITE_UTF8);
    cpaas_text_free(&digits);
}

/* The table-valued function cpaas_problems(operation, request): errors, then warnings, then the number of problems that are not
 * listed. SQLite's own JSON functions read the report. */
enum { POINTER, CODE, SEVERITY, MESSAGE, OPERATION, REQUEST };

typedef struct {
    sqlite3_vtab base;
    sqlite3 *database;
} problems_table;

typedef struct {
    sqlite3_vtab_cursor base;
    sqlite3_stmt *rows; /* reads the report; prepared by the first xFilter */
    sqlite3_value *arguments[2];
    int at_end;
    sqlite3_int64 row;
} problems_cursor;

static int problems_connect(sqlite3 *database, void *data, int argc, const char *const *argv, sqlite3_vtab **table, char **error) {
    (void)data, (void)argc, (void)argv, (void)error;
    /* The names of the hidden columns do not make columns of the program's tables ambiguous. */
    int code = sqlite3_declare_vtab(database, "CREATE TABLE x(pointer TEXT, code TEXT, severity TEXT, message TEXT, "
                                              "cpaas_operation TEXT HIDDEN, cpaas_request TEXT HIDDEN)");
    if (code != SQLITE_OK) return code;
    sqlite3_vtab_config(database, SQLITE_VTAB_INNOCUOUS);
    problems_table *made = sqlite3_malloc64(sizeof *made);
    if (!made) return SQLITE_NOMEM;
    memset(made, 0, sizeof *made);
    made->database = database;
    *table = &made->base;
    return SQLITE_OK;
}

static int problems_disconnect(sqlite3_vtab *table) {
    sqlite3_free(table);
    return SQLITE_OK;
}

/* Both arguments are required. The planner tries another order of tables if one of them is not known yet. */
static int problems_plan(sqlite3_vtab *table, sqlite3_index_info *info) {
    int found[2] = {0, 0};
    for (int i = 0; i < info->nConstraint; i++) {
        int argument = info->aConstraint[i].iColumn - OPERATION;
        if (argument < 0 || info->aConstraint[i].op != SQLITE_INDEX_CONSTRAINT_EQ || found[argument]) continue;
        if (!info->aConstraint[i].usable) return SQLITE_CONSTRAINT;
        found[argument] = 1;
        info->aConstraintUsage[i].argvIndex = argument + 1;
        info->aConstraintUsage[i].omit = 1;
    }
    if (!found[0] || !found[1]) {
        sqlite3_free(table->zErrMsg);
        table->zErrMsg = sqlite3_mprintf("cpaas_problems: must have two arguments, operation and request");
        return SQLITE_ERROR;
    }
    info->estimatedCost = 1000;
    info->estimatedRows = 4;
    return SQLITE_OK;
}

static int problems_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
    (void)table;
    problems_cursor *made = sqlite3_malloc64(sizeof *made);
    if (!made) return SQLITE_NOMEM;
    memset(made, 0, sizeof *made);
    *cursor = &made->base;
    return SQLITE_OK;
}

static void free_arguments(problems_cursor *cursor) {
    for (int i = 0; i < 2; i++) {
        sqlite3_value_free(cursor->arguments[i]);
        cursor->arguments[i] = NULL;
    }
}

static int problems_close(sqlite3_vtab_cursor *base) {
    problems_cursor *cursor = (problems_cursor *)base;
    sqlite3_finalize(cursor->rows);
    free_arguments(cursor);
    sqlite3_free(cursor);
    return SQLITE_OK;
}

static int problems_fails(problems_cursor *cursor, int code, char *message) {
    sqlite3_free(cursor->base.pVtab->zErrMsg);
    cursor->base.pVtab->zErrMsg = message;
    return code;
}

static int problems_next(sqlite3_vtab_cursor *base) {
    problems_cursor *cursor = (problems_cursor *)base;
    sqlite3 *database = ((problems_table *)base->pVtab)->database;
    int code = sqlite3_step(cursor->rows);
    cursor->row++;
    cursor->at_end = code != SQLITE_ROW;
    if (code == SQLITE_ROW || code == SQLITE_DONE) return SQLITE_OK;
    return problems_fails(cursor, code, sqlite3_mprintf("cpaas_problems: %s", sqlite3_errmsg(database)));
}

static int problems_filter(sqlite3_vtab_cursor *base, int plan, const char *name, int argc, sqlite3_value **argv) {
    static const char select[] =
        "SELECT json_extract(value, '$.pointer'), json_extract(value, '$.code'), json_extract(value, '$.severity'), "
        "json_extract(value, '$.message') FROM json_each(?1)";
    problems_cursor *cursor = (problems_cursor *)base;
    sqlite3 *database = ((problems_table *)base->pVtab)->database;
    cpaas_text report;
    failure why;
    (void)plan, (void)name;
    cursor->at_end = 1;
    cursor->row = 0;
    free_arguments(cursor);
    sqlite3_reset(cursor->rows);
    if (is_null(argc, argv)) return SQLITE_OK;
    for (int i = 0; i < 2; i++) {
        cursor->arguments[i] = sqlite3_value_dup(argv[i]);
        if (!cursor->arguments[i]) return SQLITE_NOMEM;
    }
    if (!validate(argv[0], argv[1], MOST_PROBLEMS, &report, &why)) {
        char *message = why.message ? sqlite3_mprintf("cpaas_problems: %s", why.message) : NULL;
        sqlite3_free(why.message);
        return problems_fails(cursor, why.code, message);
    }
    size_t len;
    char *copy = copy_report(&report, &len), *list = copy ? list_of(copy) : NULL;
    sqlite3_free(copy);
    if (!list) return SQLITE_NOMEM;
    int code = cursor->rows ? SQLITE_OK
                            : sqlite3_prepare_v3(database, select, -1, SQLITE_PREPARE_PERSISTENT, &cursor->rows, NULL);
    if (code == SQLITE_OK) code = sqlite3_bind_text64(cursor->rows, 1, list, strlen(list), sqlite3_free, SQLITE_UTF8);
    else sqlite3_free(list);
    if (code == SQLITE_OK) return problems_next(base);
    return problems_fails(cursor, code, sqlite3_mprintf("cpaas_problems: %s", sqlite3_errmsg(database)));
}

static int problems_eof(sqlite3_vtab_cursor *base) { return ((problems_cursor *)base)->at_end; }

static int problems_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column) {
    problems_cursor *cursor = (problems_cursor *)base;
    sqlite3_result_value(context, column < OPERATION ? sqlite3_column_value(cursor->rows, column)
                                                     : cursor->arguments[column - OPERATION]);
    return SQLITE_OK;
}

static int problems_row(sqlite3_vtab_cursor *base, sqlite3_int64 *row) {
    *row = ((problems_cursor *)base)->row;
    return SQLITE_OK;
}

/* Without xCreate, the table exists in each connection and is only used as a function. */
static sqlite3_module problems_module = {
    .xConnect = problems_connect,
    .xBestIndex = problems_plan,
    .xDisconnect = problems_disconnect,
    .xOpen = problems_open,
    .xClose = problems_close,
    .xFilter = problems_filter,
    .xNext = problems_next,
    .xEof = problems_eof,
    .xColumn = problems_column,
    .xRowid = problems_row,
};

/* SQLite derives this name from the name of the file, cpaas.so. */
__attribute__((visibility("default"))) int sqlite3_cpaas_init(sqlite3 *database, char **error, const sqlite3_api_routines *api) {
    static const struct {
        const char *name;
        int arguments;
        void (*run)(sqlite3_context *, int, sqlite3_value **);
    } functions[] = {
        {"sms_segments", 1, sms_segments},         {"sms_encoding", 1, sms_encoding},
        {"cpaas_valid", 2, is_valid},              {"cpaas_report", 2, report_of},
        {"normalize_number", 1, normalize_number}, {"normalize_number", 2, normalize_number},
    };
    SQLITE_EXTENSION_INIT2(api);
    if (sqlite3_libversion_number() < 3031000) {
        *error = sqlite3_mprintf("cpaas: expected SQLite 3.31 or later, got %s", sqlite3_libversion());
        return SQLITE_ERROR;
    }
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        int code = sqlite3_create_function_v2(database, functions[i].name, functions[i].arguments,
                                              SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL, functions[i].run, NULL,
                                              NULL, NULL);
        if (code != SQLITE_OK) return code;
    }
    return sqlite3_create_module_v2(database, "cpaas_problems", &problems_module, NULL, NULL);
}
