/* Tests of the SQLite extension: arguments, errors, interrupted queries, threads, unloading, memory, and failed allocations.
 * Usage: sqlite EXTENSION VECTORS [rows COUNT | instrumented]
 * VECTORS is a database with the tables of vectors.py. With `rows`, it prints rows per second of COUNT rows instead; with `instrumented`,
 * it does not check the resident memory. */
#include <malloc.h>
#include <pthread.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

#define VALID "'{\"from\": \"Acme\", \"to\": \"306912345678\", \"text\": \"Hi\"}'"

static const char *extension;

static sqlite3 *opened(const char *file) {
    sqlite3 *database = NULL;
    char *error = NULL;
    if (sqlite3_open(file, &database) != SQLITE_OK) exit(2);
    sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, NULL);
    if (sqlite3_load_extension(database, extension, NULL, &error) != SQLITE_OK) {
        printf("%s\n", error ? error : sqlite3_errmsg(database));
        exit(2);
    }
    return database;
}

/* Runs a query with one parameter, and returns the first column of its first row, or its error after "error: ". `code` receives the
 * result code. The text is valid until the next call on this thread. */
static const char *run_with(sqlite3 *database, const char *query, const char *text, int len, int is_blob, int *code) {
    static _Thread_local char result[4096];
    sqlite3_stmt *statement = NULL;
    int status = sqlite3_prepare_v2(database, query, -1, &statement, NULL);
    if (status == SQLITE_OK && text) {
        if (is_blob) sqlite3_bind_blob(statement, 1, text, len, SQLITE_STATIC);
        else sqlite3_bind_text(statement, 1, text, len, SQLITE_STATIC);
    }
    if (status == SQLITE_OK) status = sqlite3_step(statement);
    if (status == SQLITE_ROW || status == SQLITE_DONE) {
        const unsigned char *first = status == SQLITE_ROW ? sqlite3_column_text(statement, 0) : (const unsigned char *)"no row";
        snprintf(result, sizeof result, "%s", first ? (const char *)first : "NULL");
        if (!first && sqlite3_errcode(database) == SQLITE_NOMEM) status = SQLITE_NOMEM; /* for a number as text */
    } else {
        snprintf(result, sizeof result, "error: %s", sqlite3_errmsg(database));
    }
    if (code) *code = status;
    sqlite3_finalize(statement);
    return result;
}

static const char *run(sqlite3 *database, const char *query) { return run_with(database, query, NULL, 0, 0, NULL); }

static void is_result(const char *expected, const char *result, const char *query, int line) {
    int same = strcmp(expected, result) == 0;
    if (!same) printf("line %d: %s: expected %s, got %s\n", line, query, expected, result);
    checks_passed += same;
    checks_failed += !same;
}
#define IS(query, expected) is_result(expected, run(database, query), query, __LINE__)

static void arguments(sqlite3 *database) {
    IS("SELECT sms_segments('')", "1");
    IS("SELECT sms_segments(NULL)", "NULL");
    IS("SELECT sms_encoding(NULL)", "NULL");
    IS("SELECT sms_encoding('\xe2\x82\xac')", "gsm7");
    IS("SELECT sms_encoding('\xe6\x97\xa5')", "ucs2");
    IS("SELECT sms_segments(CAST(x'c3a900c3a9' AS TEXT))", "1"); /* with a NUL inside */
    IS("SELECT sms_segments(306912345678)", "1");
    IS("SELECT cpaas_valid(NULL, '{}')", "NULL");
    IS("SELECT cpaas_valid('sms.send', NULL)", "NULL");
    IS("SELECT cpaas_valid(NULL, NULL)", "NULL");
    IS("SELECT cpaas_report('sms.send', NULL)", "NULL");
    IS("SELECT count(*) FROM cpaas_problems(NULL, '{}')", "0");
    IS("SELECT count(*) FROM cpaas_problems('sms.send', NULL)", "0");
    IS("SELECT count(*) FROM cpaas_problems('sms.send', " VALID ")", "0");
    IS("SELECT normalize_number(NULL)", "NULL");
    IS("SELECT normalize_number(306912345678)", "306912345678");
    IS("SELECT normalize_number(NULL, 'GR')", "NULL");
    IS("SELECT normalize_number('+30 691 234 5678', NULL)", "NULL");
    IS("SELECT cpaas_valid('sms.send', '')", "0");
    /* A row of another table as the argument, a left join, and both arguments twice. */
    IS("SELECT group_concat(t.a || coalesce(p.code, '-')) FROM (SELECT 'sms.send' AS o, '{\"to\": \"306912345678\", \"text\": \"a\"}' AS r, "
       "1 AS a UNION ALL SELECT NULL, '{}', 2) AS t LEFT JOIN cpaas_problems(t.o, t.r) AS p", "1sms.from.required,2-");
    IS("SELECT count(*) FROM cpaas_problems('sms.send', '{}') WHERE cpaas_operation = 'sms.send'", "3");
    IS("SELECT count(*) FROM cpaas_problems('sms.send', '{}') WHERE cpaas_operation = 'otp.send'", "0");
    IS("SELECT count(*) FROM cpaas_problems WHERE cpaas_operation IN ('sms.send', 'otp.send') AND cpaas_request = '[]'", "2");
    IS("SELECT count(code) FROM (SELECT 'sms.send' AS operation, '[]' AS request) CROSS JOIN cpaas_problems(operation, request)", "1");
    IS("SELECT p.cpaas_request || p.cpaas_operation FROM cpaas_problems('sms.send', '[]') AS p", "[]sms.send");
    IS("SELECT pointer FROM cpaas_problems('sms.send', '{\"a\\u0000b\": 1}') WHERE severity = 'warning'", "/a\xef\xbf\xbd" "b");
    IS("SELECT pointer FROM cpaas_problems('sms.send', '{\"a\\\\u0000b\": 1}') WHERE severity = 'warning'", "/a\\u0000b");
}

/* A report lists 1,000 problems; the last row of cpaas_problems is the number of the others. */
static void many_problems(sqlite3 *database) {
#define NUMBERS "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) SELECT "
#define WRONG_TYPES "(" NUMBERS "'{\"destinations\": [' || group_concat('1') || ']}' FROM n)"
#define DUPLICATES "(" NUMBERS "'{\"from\": \"Acme\", \"to\": \"306912345678\", \"text\": \"Hi\"' || group_concat(',\"a' || i || '\":1,\"a' || i || '\":1', '') || '}' FROM n)"
    IS("SELECT group_concat(at || ' ' || pointer || ' ' || code || ' ' || severity || ' ' || message, '; ') FROM (SELECT row_number() OVER () AS at, * "
       "FROM cpaas_problems('messages.send_bulk', " WRONG_TYPES ")) WHERE at > 999",
       "1000 /destinations/999 msg.field.type error expected a string, got an integer; "
       "1001  report.more error 500 more problems: only 1,000 are listed");
    IS("SELECT json_extract(cpaas_report('messages.send_bulk', " WRONG_TYPES "), '$.more')", "500");
    IS("SELECT cpaas_valid('messages.send_bulk', " WRONG_TYPES ")", "0");
    IS("SELECT count(*) || ' ' || group_concat(CASE code WHEN 'report.more' THEN severity || ' ' || message END) FROM cpaas_problems('sms.send', " DUPLICATES ")",
       "1001 warning 601 more problems: only 1,000 are listed"); /* 1,500 duplicates, 100 unknown fields, and that there are more of them */
    IS("SELECT cpaas_valid('sms.send', " DUPLICATES ")", "1");
}

static void errors(sqlite3 *database) {
    static const char named[] = "`request` must have at most 256 KiB (262,144 bytes), got 262145 bytes";
    char *big = malloc(262145), expected[256];
    int code;
    IS("SELECT sms_segments(CAST(x'6180' AS TEXT))", "error: sms_segments: `text` must be valid UTF-8");
    IS("SELECT sms_encoding(CAST(x'ff' AS TEXT))", "error: sms_encoding: `text` must be valid UTF-8");
    IS("SELECT sms_segments(x'61')", "error: sms_segments: `text` must be text, got a BLOB");
    IS("SELECT cpaas_valid('sms.send', CAST(x'7b22ff227d' AS TEXT))", "error: cpaas_valid: `request` must be valid UTF-8");
    IS("SELECT cpaas_valid(CAST(x'ff' AS TEXT), '{}')", "error: cpaas_valid: `operation` must be valid UTF-8 without NUL");
    IS("SELECT cpaas_valid('sms.send', x'7b7d')", "error: cpaas_valid: `request` must be text, got a BLOB");
    IS("SELECT cpaas_valid('sms.sent', '{}')",
       "error: cpaas_valid: `operation` must be the id of an operation, as cpaas_operations lists them");
    IS("SELECT cpaas_valid('sms.send' || char(0) || 'x', '{}')", "error: cpaas_valid: `operation` must not contain NUL");
    IS("SELECT cpaas_report('', '{}')",
       "error: cpaas_report: `operation` must be the id of an operation, as cpaas_operations lists them");
    IS("SELECT code FROM cpaas_problems('sms.send', CAST(x'ff' AS TEXT))", "error: cpaas_problems: `request` must be valid UTF-8");
    IS("SELECT code FROM cpaas_problems('x', '{}')",
       "error: cpaas_problems: `operation` must be the id of an operation, as cpaas_operations lists them");
    IS("SELECT code FROM cpaas_problems('sms.send')", "error: cpaas_problems: must have two arguments, operation and request");
    IS("SELECT code FROM cpaas_problems", "error: cpaas_problems: must have two arguments, operation and request");
    IS("SELECT cpaas_valid('sms.send')", "error: wrong number of arguments to function cpaas_valid()");
    IS("SELECT normalize_number('+30 12a')",
       "error: normalize_number: `number`: must contain digits and separators only, after a plus sign or 00 (character)");
    IS("SELECT normalize_number(CAST(x'ff' AS TEXT))", "error: normalize_number: `number` must be valid UTF-8");
    IS("SELECT normalize_number('+30 691 234 5678', 'GR' || char(0))", "error: normalize_number: `region` must not contain NUL");
    memset(big, ' ', 262145);
    big[0] = '{', big[262143] = '}';
    is_result("0", run_with(database, "SELECT cpaas_valid('sms.send', ?)", big, 262144, 0, &code), "256 KiB", __LINE__);
    snprintf(expected, sizeof expected, "error: cpaas_valid: %s", named);
    is_result(expected, run_with(database, "SELECT cpaas_valid('sms.send', ?)", big, 262145, 0, &code), "256 KiB + 1", __LINE__);
    CHECK(code == SQLITE_TOOBIG);
    snprintf(expected, sizeof expected, "error: cpaas_problems: %s", named);
    is_result(expected, run_with(database, "SELECT code FROM cpaas_problems('sms.send', ?)", big, 262145, 0, &code), "rows", __LINE__);
    CHECK(code == SQLITE_TOOBIG);
    CHECK(run_with(database, "SELECT sms_segments(?)", "a", 1, 1, &code) && code == SQLITE_MISMATCH);
    free(big);
    IS("SELECT cpaas_valid('sms.send', " VALID ")", "1"); /* the connection works after errors */
}

static void hundred_megabytes(sqlite3 *database) {
    const int len = 100 * 1000 * 1000;
    char *text = malloc((size_t)len);
    memset(text, 'a', (size_t)len);
    is_result("653595", run_with(database, "SELECT sms_segments(?)", text, len, 0, NULL), "100 MB", __LINE__); /* 153 in a part */
    is_result("error: cpaas_valid: `request` must have at most 256 KiB (262,144 bytes), got 100000000 bytes",
              run_with(database, "SELECT cpaas_valid('sms.send', ?)", text, len, 0, NULL), "100 MB", __LINE__);
    CHECK(strncmp(run_with(database, "SELECT normalize_number(?)", text, len, 0, NULL), "error: normalize_number: `number`: ", 34) == 0);
    text[len - 1] = (char)0xff;
    is_result("error: sms_segments: `text` must be valid UTF-8", run_with(database, "SELECT sms_segments(?)", text, len, 0, NULL),
              "100 MB, not UTF-8", __LINE__);
    free(text);
}

/* Numbers of tests/vectors: the form, or the code of the error. This build has no numbering plans. */
static void numbers(sqlite3 *database) {
    sqlite3_stmt *rows = NULL, *call = NULL;
    int before = checks_passed;
    sqlite3_prepare_v2(database, "SELECT number, region, form, reason FROM numbers", -1, &rows, NULL);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        const char *region = (const char *)sqlite3_column_text(rows, 1), *form = (const char *)sqlite3_column_text(rows, 2);
        char code[64];
        snprintf(code, sizeof code, "(%s)", region ? "no_plans" : (const char *)sqlite3_column_text(rows, 3));
        sqlite3_prepare_v2(database, region ? "SELECT normalize_number(?, ?)" : "SELECT normalize_number(?)", -1, &call, NULL);
        sqlite3_bind_value(call, 1, sqlite3_column_value(rows, 0));
        if (region) sqlite3_bind_value(call, 2, sqlite3_column_value(rows, 1));
        int status = sqlite3_step(call);
        if (form && !region) {
            CHECK(status == SQLITE_ROW && strcmp((const char *)sqlite3_column_text(call, 0), form) == 0);
        } else {
            CHECK(status != SQLITE_ROW && strstr(sqlite3_errmsg(database), code) != NULL);
        }
        sqlite3_finalize(call);
    }
    sqlite3_finalize(rows);
    printf("numbers|%d|%d|\n", checks_passed - before, checks_failed);
    CHECK(checks_passed - before > 150);
}

static const char scan[] = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) "
                           "SELECT sum(cpaas_valid('sms.send', " VALID " || i)) FROM n";
static const char scan_of_rows[] = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000000) "
                                   "SELECT count(p.code) FROM n CROSS JOIN cpaas_problems('sms.send', '{}' || n.i) AS p";

static void *interrupting(void *database) {
    usleep(100000);
    sqlite3_interrupt(database);
    return NULL;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int out_of_time(void *deadline) { return seconds() > *(double *)deadline; }

/* A cancelled query, and a time limit by a progress handler. */
static void interrupts(sqlite3 *database) {
    const char *queries[] = {scan, scan_of_rows};
    int code;
    for (size_t i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, interrupting, database);
        run_with(database, queries[i], NULL, 0, 0, &code);
        pthread_join(thread, NULL);
        CHECK(code == SQLITE_INTERRUPT);
        IS("SELECT cpaas_valid('sms.send', " VALID ")", "1");
        double deadline = seconds() + 0.1;
        sqlite3_progress_handler(database, 100, out_of_time, &deadline);
        run_with(database, queries[i], NULL, 0, 0, &code);
        sqlite3_progress_handler(database, 0, NULL, NULL);
        CHECK(code == SQLITE_INTERRUPT);
        IS("SELECT count(*) FROM cpaas_problems('sms.send', '{}')", "3");
    }
}

/* A schema that uses the functions, also for an application that trusts no schema. */
static void schemas(sqlite3 *database) {
    sqlite3_exec(database, "PRAGMA trusted_schema = OFF", NULL, NULL, NULL);
    IS("CREATE TABLE t(payload TEXT NOT NULL CHECK (cpaas_valid('sms.send', payload)), body TEXT, "
       "parts INTEGER GENERATED ALWAYS AS (sms_segments(body)) STORED)", "no row");
    IS("CREATE INDEX by_encoding ON t(sms_encoding(body))", "no row");
    IS("CREATE INDEX long_texts ON t(body) WHERE sms_segments(body) > 1", "no row");
    IS("CREATE VIEW wrong AS SELECT code FROM cpaas_problems('sms.send', '{}')", "no row");
    IS("INSERT INTO t(payload, body) VALUES (" VALID ", '\xe6\x97\xa5')", "no row");
    IS("INSERT INTO t(payload) VALUES ('{}')", "error: CHECK constraint failed: cpaas_valid('sms.send', payload)");
    IS("INSERT INTO t(payload) VALUES (NULL)", "error: NOT NULL constraint failed: t.payload");
    IS("INSERT INTO t(payload, body) VALUES (" VALID ", CAST(x'ff' AS TEXT))", "error: sms_segments: `text` must be valid UTF-8");
    IS("SELECT count(*) FROM t", "1");
    IS("SELECT parts FROM t WHERE sms_encoding(body) = 'ucs2'", "1");
    IS("SELECT instr(group_concat(detail), 'by_encoding') > 0 FROM pragma_index_list('t') JOIN (SELECT 'by_encoding' AS detail)", "1");
    IS("SELECT count(*) FROM wrong", "3");
}

static void *in_thread(void *passed) {
    for (int i = 0; i < 20; i++) {
        sqlite3 *database = opened(":memory:");
        int ok = strcmp(run(database, "SELECT cpaas_valid('sms.send', " VALID ")"), "1") == 0 &&
                 strcmp(run(database, "SELECT count(*) FROM cpaas_problems('sms.send', '{}')"), "3") == 0;
        __atomic_add_fetch((int *)passed, ok, __ATOMIC_RELAXED);
        sqlite3_close(database);
    }
    return NULL;
}

/* Whether a file is mapped. */
static int is_mapped(const char *path) {
    char line[4096];
    int found = 0;
    FILE *file = fopen("/proc/self/maps", "r");
    while (file && fgets(line, sizeof line, file)) found |= strstr(line, strrchr(path, '/')) != NULL;
    if (file) fclose(file);
    return found;
}

/* Each thread opens, uses and closes its own connections. SQLite closes the extension while the threads still exist. */
static void threads(void) {
    pthread_t all[8];
    int passed = 0;
    for (size_t i = 0; i < 8; i++) pthread_create(&all[i], NULL, in_thread, &passed);
    for (size_t i = 0; i < 8; i++) pthread_join(all[i], NULL);
    CHECK(passed == 160);
    CHECK(is_mapped(extension));
}

static long resident(void) {
    long pages = 0, ignored_pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &ignored_pages, &pages) != 2) exit(2);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

/* Whether the process runs with a sanitizer or with valgrind, which keep freed memory for a while. */
static int is_instrumented;

/* Memory stays flat over calls, rows and errors. */
static void memory(sqlite3 *database) {
    static const char *const queries[] = {
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT count(p.code) + sum(sms_segments(i)) + "
        "sum(length(normalize_number('+30 6912345678'))) FROM n CROSS JOIN cpaas_problems('sms.send', '{\"a\\u0000\": 1}' || n.i) AS p",
        "SELECT normalize_number('x')",
        "SELECT cpaas_valid('x', '{}')",
        "SELECT code FROM cpaas_problems('x', '{}')",
    };
    long before = resident();
    sqlite3_int64 used = 0;
    for (int round = 0; round < 6; round++) {
        for (size_t i = 0; i < 4; i++) {
            for (int times = i == 0 ? 1 : 500; times > 0; times--) run(database, queries[i]);
        }
        if (round == 1) before = resident(), used = sqlite3_memory_used();
    }
    CHECK(is_instrumented || resident() - before < 1024 * 1024);
    CHECK(sqlite3_memory_used() - used < 64 * 1024);
}

/* Requests that need the most memory: many small values. Each is `head`, then `item` as often as it fits, then `tail`; a `%x` in the
 * item is a number, so that the items differ. */
static const struct {
    const char *operation, *head, *item, *tail;
} largest[] = {
    {"sms.send", "[", "1", "]"},
    {"sms.send", "{", "\"%x\":1", "}"},
    {"sms.send", "{", "\"a\":1", "}"},
    {"sms.send", "{\"extra\":{", "\"%x\":1", "}}"},
    {"otp.send", "{\"limits\":{", "\"%x\":1", "}}"},
    {"messages.send_bulk", "{\"destinations\":[", "1", "]}"},
    {"messages.send_bulk", "{\"destinations\":[", "\"\"", "]}"},
    {"messages.send_bulk", "{\"destinations\":[", "\"%x\"", "]}"},
    {"messages.send_bulk", "{\"destinations\":[", "{}", "]}"},
    {"sms.send_bulk", "{\"to\":\"", "x", "\"}"},
    {"sms.send_bulk", "{\"to\":\"", "", "\"}"},
    {"lookup.numbers", "{\"msisdn\":[", "1", "]}"},
    {"otp.limits.create", "{\"buckets\":[", "1", "]}"},
    {"otp.limits.create", "{\"buckets\":[", "{}", "]}"},
    {"otp.limits.create", "{\"buckets\":\"[", "{}", "]\"}"},
    {"otp.workflows.create", "{\"channels\":[", "{}", "]}"},
    {"messages.send", "{\"business_chat\":{\"suggestions\":[", "{}", "]}}"},
    {"messages.send", "{\"business_chat\":{\"suggestions\":[", "{\"x\":{}}", "]}}"},
    {"messages.send", "{\"business_chat\":{\"carouselCard\":{\"cardContents\":[", "1", "]}}}"},
    {"messages.send", "{\"business_chat\":{\"carouselCard\":{\"cardContents\":[", "{\"x\":1}", "]}}}"},
    {"messages.send", "{\"business_chat\":{\"carouselCard\":{\"cardContents\":[", "{}", "]}}}"},
    {"messages.send", "{\"business_chat\":{\"carouselCard\":{\"cardContents\":[", "{\"suggestions\":[{},{},{}]}", "]}}}"},
};
enum { LARGEST = sizeof largest / sizeof *largest };

/* A request of `size` bytes at most. */
static char *request_of(size_t index, size_t size) {
    char *request = malloc(size + 64), item[64] = ",";
    size_t tail = strlen(largest[index].tail), len = strlen(strcpy(request, largest[index].head));
    for (unsigned number = 0;; number++) {
        const char *next = number ? item : item + 1; /* without the comma */
        sqlite3_snprintf((int)sizeof item - 1, item + 1, largest[index].item, number);
        if (len + strlen(next) + tail > size) break;
        len += strlen(strcpy(request + len, next));
    }
    strcpy(request + len, largest[index].tail);
    return request;
}

/* Runs query `number` of a request. */
static const char *run_of(sqlite3 *database, size_t number, size_t index, const char *request, int *code) {
    static const char *const queries[] = {"SELECT cpaas_valid(%Q, ?)", "SELECT length(cpaas_report(%Q, ?))",
                                          "SELECT count(*) FROM cpaas_problems(%Q, ?)"};
    char query[128];
    sqlite3_snprintf(sizeof query, query, queries[number], largest[index].operation);
    return run_with(database, query, request, (int)strlen(request), 0, code);
}

static long status_of(const char *name) {
    char line[256];
    long found = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name)) == 0) found = strtol(line + strlen(name) + 1, NULL, 10);
    }
    if (file) fclose(file);
    return found * 1024;
}

/* Runs in a child: with each limit of memory, each query has its result or is out of memory, and the connection goes on. */
static void limited(size_t index, size_t size) {
    sqlite3 *database = opened(":memory:");
    char *request = request_of(index, size);
    const rlim_t need = size * 192 + (size < 1000 ? size : 1000) * 2048; /* as in the extension */
    const rlim_t more[] = {0, need / 16, need / 8, need / 4, need / 2, need + (1 << 20), 2 * need};
    int results = 0;
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        malloc_trim(0); /* else the process has free memory within its limit */
        struct rlimit limit = {(rlim_t)status_of("VmSize") + more[i], RLIM_INFINITY};
        setrlimit(RLIMIT_AS, &limit);
        for (size_t number = size > 10000 ? 2 : 0; number < 3; number++) {
            int code;
            const char *result = run_of(database, number, index, request, &code);
            results += code == SQLITE_ROW;
            if (code != SQLITE_ROW && code != SQLITE_NOMEM && !strstr(result, "out of memory")) {
                printf("query %zu: %s\n", number, result);
                exit(1);
            }
        }
        limit.rlim_cur = RLIM_INFINITY;
        setrlimit(RLIMIT_AS, &limit);
        if (strcmp(run(database, "SELECT cpaas_valid('sms.send', " VALID ")"), "1") != 0) exit(1);
    }
    /* With enough memory there is a result, and without it a large request is refused. */
    exit(results == 0 || (size > 10000 && results == sizeof more / sizeof *more) ? 1 : 0);
}

/* The largest growth of the memory of a child by `cpaas_problems` of a request, in bytes. */
static long peak_of(size_t index, size_t size) {
    int ends[2];
    long peak = -1;
    if (pipe(ends) != 0) exit(2);
    if (fork() == 0) {
        sqlite3 *database = opened(":memory:");
        char *request = request_of(index, size);
        int code;
        FILE *file = fopen("/proc/self/clear_refs", "w"); /* the peak begins anew */
        if (!file || fputs("5", file) < 0 || fclose(file) != 0) exit(2);
        long before = status_of("VmHWM");
        run_of(database, 2, index, request, &code);
        peak = status_of("VmHWM") - before;
        free(request);
        sqlite3_close(database);
        if (code == SQLITE_ROW && write(ends[1], &peak, sizeof peak) == sizeof peak) _exit(0);
        _exit(1);
    }
    close(ends[1]);
    if (read(ends[0], &peak, sizeof peak) != sizeof peak) peak = -1;
    close(ends[0]);
    wait(NULL);
    return peak;
}

/* A request cannot end the process by its need for memory. */
static void memory_limits(void) {
    static const size_t sizes[] = {300, 3000, 262144};
    long largest_peak = 0;
    size_t of = 0;
    for (size_t index = 0; index < LARGEST; index++) {
        long peak = peak_of(index, is_instrumented ? 20000 : 262144);
        CHECK(peak > 0 && (is_instrumented || peak < 40l << 20));
        if (peak > largest_peak) largest_peak = peak, of = index;
        for (size_t i = 0; !is_instrumented && i < sizeof sizes / sizeof *sizes; i++) {
            int status = 0;
            fflush(stdout);
            if (fork() == 0) limited(index, sizes[i]);
            wait(&status);
            if (status != 0) printf("%s: %s%s: status %d\n", largest[index].operation, largest[index].head, largest[index].item, status);
            CHECK(status == 0);
        }
    }
    if (is_instrumented) return;
    printf("memory of cpaas_problems: at most %.1f MB for a request of 256 KiB (%s: %s%s...)\n", (double)largest_peak / 1048576,
           largest[of].operation, largest[of].head, largest[of].item);
}

/* Allocation number `fail_at` of SQLite, and all after it, fail. */
static sqlite3_mem_methods real;
static _Thread_local long fail_at = -1;

static int must_fail(void) {
    if (fail_at > 0) fail_at--;
    return fail_at == 0;
}
static void *failing_malloc(int size) { return must_fail() ? NULL : real.xMalloc(size); }
static void *failing_realloc(void *memory, int size) { return must_fail() ? NULL : real.xRealloc(memory, size); }

static void allocations(sqlite3 *database) {
    static const char *const queries[] = {
        "SELECT sms_segments('Hi')",
        "SELECT sms_segments(CAST(x'ff' AS TEXT))",
        "SELECT cpaas_report('sms.send', '{}')",
        "SELECT normalize_number('x')",
        "SELECT group_concat(code) FROM cpaas_problems('sms.send', '{}')",
        "SELECT code FROM cpaas_problems('x', '{}')",
    };
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        char expected[4096];
        snprintf(expected, sizeof expected, "%s", run(database, queries[i]));
        long at = 1;
        for (; at < 5000; at++) {
            int code;
            fail_at = at;
            const char *result = run_with(database, queries[i], NULL, 0, 0, &code);
            int enough = fail_at > 0;
            fail_at = -1;
            if (enough) break;
            /* SQLite goes on without some of its allocations. */
            if (code == SQLITE_NOMEM || strcmp(result, expected) == 0 || strstr(result, "out of memory")) checks_passed++;
            else is_result("SQLITE_NOMEM", result, queries[i], __LINE__);
        }
        CHECK(at < 5000);
        is_result(expected, run(database, queries[i]), queries[i], __LINE__);
    }
}

/* Prints rows a second, for `count` rows of a table. */
static void rows(sqlite3 *database, const char *count) {
    static const char *const queries[][2] = {
        {"sms_segments", "SELECT sum(sms_segments(request)) FROM speed"},
        {"cpaas_valid", "SELECT count(*) FROM speed WHERE cpaas_valid('sms.send', request)"},
        {"cpaas_problems", "SELECT count(p.code) FROM speed CROSS JOIN cpaas_problems('sms.send', request) AS p"},
        {"normalize_number", "SELECT max(normalize_number('+30 69' || (10000000 + n))) FROM speed"},
        {"INSERT without CHECK", "INSERT INTO unchecked SELECT request FROM speed"},
        {"INSERT with CHECK", "INSERT INTO checked_rows SELECT request FROM speed"},
    };
    char query[512];
    snprintf(query, sizeof query,
             "CREATE TEMPORARY TABLE speed AS WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < %s) "
             "SELECT n, printf('{\"from\": \"Acme\", \"to\": \"3069%%08d\", \"text\": \"Hi %%d\"}', n, n) AS request FROM numbers",
             count);
    IS(query, "no row");
    IS("CREATE TEMPORARY TABLE unchecked(request TEXT)", "no row");
    IS("CREATE TEMPORARY TABLE checked_rows(request TEXT CHECK (cpaas_valid('sms.send', request)))", "no row");
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        double start = seconds();
        CHECK(strncmp(run(database, queries[i][1]), "error", 5) != 0);
        printf("SQLite, %s: %.0f rows a second\n", queries[i][0], atof(count) / (seconds() - start));
    }
    IS("SELECT (SELECT count(*) FROM speed) = (SELECT count(*) FROM checked_rows)", "1");
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    extension = argv[1];
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real);
    sqlite3_mem_methods failing = real;
    failing.xMalloc = failing_malloc;
    failing.xRealloc = failing_realloc;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &failing);
    is_instrumented = argc == 4;
    if (argc < 5) memory_limits(); /* before there are threads, whose arenas have memory that a limit does not count */
    threads();
    sqlite3 *database = opened(argv[2]);
    if (argc > 4) {
        rows(database, argv[4]);
        sqlite3_close(database);
        return checks_failed != 0;
    }
    numbers(database);
    sqlite3_close(database);
    database = opened(":memory:");
    arguments(database);
    many_problems(database);
    errors(database);
    hundred_megabytes(database);
    interrupts(database);
    schemas(database);
    memory(database);
    allocations(database);
    CHECK(sqlite3_close(database) == SQLITE_OK);
    return checks_end();
}
