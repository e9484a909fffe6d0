/* The part of vectors.c that runs the vectors of text, markup and validation. */
#include "vectors.h"

static const char *const members[][2] = {
    {"encoding", "encoding"},   {"segments", "count"},
    {"units", "units"},         {"remaining", "remaining"},
    {"byCodePoint", "countByCodePoint"}, {"byGrapheme", "countByGrapheme"},
    {"total", "total"},
};

/* [start, end, start16, end16, units] of each part. */
static json_t *rows(json_t *result) {
    json_t *rows = json_array(), *part;
    size_t index;
    json_array_foreach(json_object_get(result, "parts"), index, part) {
        json_array_append_new(rows, json_pack("[O,O,O,O,O]", json_object_get(part, "start"), json_object_get(part, "end"),
                                              json_object_get(part, "start16"), json_object_get(part, "end16"),
                                              json_object_get(part, "units")));
    }
    return rows;
}

/* Compares the results of cpaas_count_segments and cpaas_segments with the vector. */
static void compare_structs(const char *file, json_t *item, const char *text, size_t len) {
    cpaas_segment_count count;
    CHECK(cpaas_count_segments(text, len, &count) == CPAAS_OK);
    json_t *have = json_pack("{s:s,s:i,s:i,s:i}", "encoding", count.encoding == CPAAS_GSM7 ? "gsm7" : "ucs2",
                             "segments", (int)count.count, "units", (int)count.units, "remaining", (int)count.remaining);
    for (size_t i = 0; i < 4; i++) {
        json_t *want = json_object_get(item, members[i][0]);
        if (want) same(file, item, members[i][0], want, json_object_get(have, members[i][0]));
    }
    json_decref(have);
    cpaas_segment parts[255];
    size_t written = 0;
    json_t *want = json_object_get(item, "parts"), *row;
    if (!want) return;
    CHECK(cpaas_segments(text, len, NULL, parts, 255, &written, NULL) == CPAAS_OK);
    CHECK(written == json_array_size(want));
    size_t index;
    json_array_foreach(want, index, row) {
        CHECK(parts[index].start == (size_t)json_integer_value(json_array_get(row, 0)));
        CHECK(parts[index].end == (size_t)json_integer_value(json_array_get(row, 1)));
        CHECK(parts[index].units == (uint32_t)json_integer_value(json_array_get(row, 4)));
    }
}

static void compare_annotation(const char *file, json_t *item, const char *text, size_t len) {
    static const char *const names[] = {"characters", "causes", "replaced"};
    cpaas_text out;
    CHECK(cpaas_annotate(text, len, &out) == CPAAS_OK);
    json_t *result = parsed(&out);
    for (size_t i = 0; i < 3; i++) {
        json_t *want = json_object_get(item, names[i]);
        if (want) same(file, item, names[i], want, json_object_get(result, names[i]));
    }
    json_decref(result);
    cpaas_text_free(&out);
}

void run_segments(const char *file, json_t *item) {
    json_t *input = json_object_get(item, "text"), *options = json_object_get(item, "options");
    const char *text = json_string_value(input), *price = json_string_value(json_object_get(item, "price"));
    size_t len = json_string_length(input);
    cpaas_text out;
    compare_annotation(file, item, text, len);
    if (!price && !options) compare_structs(file, item, text, len);
    if (!price && !options && !json_object_get(item, "parts")) return;
    char *json = written(options);
    cpaas_status status = price ? cpaas_estimate(text, len, price, &out) : cpaas_segments_json(text, len, json, &out);
    free(json);
    json_t *result = parsed(&out), *error = json_object_get(item, "error");
    CHECK(status == (error ? CPAAS_BAD_TEXT : CPAAS_OK));
    if (error) same(file, item, "error", error, json_object_get(result, "code"));
    if (json_object_get(item, "message")) {
        same(file, item, "message", json_object_get(item, "message"), json_object_get(result, "message"));
    }
    for (size_t i = 0; !error && i < sizeof members / sizeof *members; i++) {
        json_t *want = json_object_get(item, members[i][0]);
        if (want) same(file, item, members[i][0], want, json_object_get(result, members[i][1]));
    }
    if (json_object_get(item, "parts")) {
        json_t *have = rows(result);
        same(file, item, "parts", json_object_get(item, "parts"), have);
        json_decref(have);
    }
    json_decref(result);
    cpaas_text_free(&out);
}

/* Encodes a text, and decodes the parts to the same text. */
void run_encode(const char *file, json_t *item) {
    static const char *const names[] = {"encoding", "lockingShift", "singleShift", "parts"};
    json_t *input = json_object_get(item, "text"), *error = json_object_get(item, "error");
    cpaas_text out, text;
    char *options = written(json_object_get(item, "options"));
    cpaas_status status = cpaas_encode(json_string_value(input), json_string_length(input), options, &out);
    free(options);
    json_t *result = parsed(&out);
    CHECK(status == (error ? CPAAS_BAD_TEXT : CPAAS_OK));
    if (error) same(file, item, "error", error, json_object_get(result, "code"));
    for (size_t i = 0; !error && i < sizeof names / sizeof *names; i++) {
        json_t *want = json_object_get(item, names[i]);
        if (want) same(file, item, names[i], want, json_object_get(result, names[i]));
    }
    if (!error) {
        json_t *sent = json_object_get(result, "text");
        if (!sent) sent = input;
        CHECK(cpaas_decode(out.data, out.len, &text) == CPAAS_OK);
        CHECK(text.len == json_string_length(sent) && !memcmp(text.data, json_string_value(sent), text.len));
        cpaas_text_free(&text);
    }
    json_decref(result);
    cpaas_text_free(&out);
}

void run_decode(const char *file, json_t *item) {
    json_t *error = json_object_get(item, "error"), *want = json_object_get(item, "text");
    char *parts = written(json_object_get(item, "parts"));
    cpaas_text out;
    cpaas_status status = cpaas_decode(parts, strlen(parts), &out);
    free(parts);
    CHECK(status == (error ? CPAAS_BAD_TEXT : CPAAS_OK));
    if (error) {
        json_t *result = parsed(&out);
        same(file, item, "error", error, json_object_get(result, "code"));
        json_decref(result);
    } else {
        CHECK(out.len == json_string_length(want) && !memcmp(out.data, json_string_value(want), out.len));
    }
    cpaas_text_free(&out);
}

void run_intent(const char *file, json_t *item) {
    json_t *input = json_object_get(item, "text");
    cpaas_text out;
    CHECK(cpaas_intent(json_string_value(input), json_string_length(input), &out) == CPAAS_OK);
    json_t *result = parsed(&out);
    same(file, item, "kind", json_object_get(item, "kind"), json_object_get(result, "kind"));
    same(file, item, "certainty", json_object_get(item, "certainty"), json_object_get(result, "certainty"));
    json_decref(result);
    cpaas_text_free(&out);
}

/* The items of the lists "check", "body" and "appHash" of autofill.json. */
void run_autofill(const char *list, json_t *item) {
    static const char *const names[] = {"host", "embeddedHost", "code", "appHash"};
    json_t *error = json_object_get(item, "error"), *text = json_object_get(item, "text"), *problem;
    cpaas_text out;
    cpaas_status status;
    size_t index;
    if (strcmp(list, "check") == 0) {
        json_t *message = json_object_get(item, "message"), *codes = json_array();
        CHECK(cpaas_check_autofill(json_string_value(message), json_string_length(message), &out) == CPAAS_OK);
        json_t *result = parsed(&out);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            same(list, item, names[i], json_object_get(item, names[i]), json_object_get(result, names[i]));
        }
        json_array_foreach(json_object_get(result, "problems"), index, problem) {
            json_array_append(codes, json_object_get(problem, "code"));
        }
        same(list, item, "problems", json_object_get(item, "problems"), codes);
        json_decref(codes);
        json_decref(result);
        cpaas_text_free(&out);
        return;
    }
    if (strcmp(list, "body") == 0) {
        char *options = written(json_object_get(item, "options"));
        status = cpaas_autofill_body(json_string_value(text), json_string_length(text), options, &out);
        free(options);
    } else {
        const char *digits = json_string_value(json_object_get(item, "certificate"));
        size_t len = strlen(digits) / 2;
        char certificate[1024];
        for (size_t i = 0; i < len; i++) {
            unsigned byte;
            sscanf(digits + 2 * i, "%2x", &byte);
            certificate[i] = (char)byte;
        }
        status = cpaas_app_hash(json_string_value(json_object_get(item, "package")), certificate, len, &out);
    }
    CHECK(status == (error ? CPAAS_BAD_TEXT : CPAAS_OK));
    json_t *want = json_object_get(item, strcmp(list, "body") == 0 ? "body" : "hash");
    json_t *result = error ? parsed(&out) : json_stringn(out.data, out.len);
    same(list, item, list, error ? error : want, error ? json_object_get(result, "code") : result);
    json_decref(result);
    cpaas_text_free(&out);
}

/* Copies entities, with the id of an emoji as a string named emoji_id. */
static json_t *canonical(json_t *entities) {
    json_t *copy = json_deep_copy(entities), *entity;
    size_t index;
    json_array_foreach(copy, index, entity) {
        json_t *id = json_object_get(entity, "custom_emoji_id");
        if (!id) id = json_object_get(entity, "emoji_id");
        if (!id) continue;
        char number[32];
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(id));
        json_t *text = json_is_integer(id) ? json_string(number) : json_incref(id);
        json_object_del(entity, "custom_emoji_id");
        json_object_set_new(entity, "emoji_id", text);
    }
    return copy;
}

void run_markup(const char *file, json_t *item) {
    static const char *const of_error[] = {"kind", "offset", "utf16Offset"};
    json_t *input = json_object_get(item, "input");
    const char *compare = json_string_value(json_object_get(item, "compare"));
    cpaas_text out;
    cpaas_status status = cpaas_markup_parse(json_string_value(input), json_string_length(input),
                                             json_string_value(json_object_get(item, "mode")), &out);
    if (status == CPAAS_BAD_NAME) {
        CHECK(strcmp(json_string_value(json_object_get(item, "kind")), "unknown_mode") == 0);
        return;
    }
    json_t *result = parsed(&out), *error = json_object_get(result, "error"), *want;
    if (json_object_get(item, "ok")) CHECK((status == CPAAS_OK) == json_is_true(json_object_get(item, "ok")));
    CHECK(status == (error ? CPAAS_BAD_TEXT : CPAAS_OK));
    if ((want = json_object_get(item, "text"))) same(file, item, "text", want, json_object_get(result, "text"));
    if ((want = json_object_get(item, "entities")) && !(compare && strcmp(compare, "text") == 0)) {
        json_t *expected = canonical(want);
        same(file, item, "entities", expected, json_object_get(result, "entities"));
        json_decref(expected);
    }
    if ((want = json_object_get(item, "findings"))) same(file, item, "findings", want, json_object_get(result, "findings"));
    if ((want = json_object_get(item, "error"))) same(file, item, "error", want, json_object_get(error, "message"));
    for (size_t i = 0; i < 3; i++) {
        if ((want = json_object_get(item, of_error[i]))) same(file, item, of_error[i], want, json_object_get(error, of_error[i]));
    }
    json_decref(result);
    cpaas_text_free(&out);
}

/* {"$text": ["a", ["b", 3]]} means "abbb", {"$list": [x, 3]} for [x, x, x]. */
static json_t *expand(json_t *value) {
    json_t *parts = json_object_get(value, "$text"), *list = json_object_get(value, "$list"), *made, *member;
    const char *name;
    size_t index;
    if (parts) {
        size_t len = 0;
        char *text = calloc(1, 1 << 20);
        json_array_foreach(parts, index, member) {
            json_t *unit = json_is_array(member) ? json_array_get(member, 0) : member;
            json_int_t times = json_is_array(member) ? json_integer_value(json_array_get(member, 1)) : 1;
            for (; times > 0 && len + json_string_length(unit) < 1 << 20; times--) {
                memcpy(text + len, json_string_value(unit), json_string_length(unit));
                len += json_string_length(unit);
            }
        }
        made = json_stringn(text, len);
        free(text);
    } else if (list) {
        made = json_array();
        json_int_t times = json_integer_value(json_array_get(list, 1));
        for (; times > 0; times--) json_array_append_new(made, expand(json_array_get(list, 0)));
    } else if (json_is_object(value)) {
        made = json_object();
        json_object_foreach(value, name, member) json_object_set_new(made, name, expand(member));
    } else if (json_is_array(value)) {
        made = json_array();
        json_array_foreach(value, index, member) json_array_append_new(made, expand(member));
    } else {
        made = json_incref(value);
    }
    return made;
}

/* The canonical form or the reason; without the numbering plans, a number with a region has the reason "no_plans". */
void run_number(const char *file, json_t *item) {
    json_t *input = json_object_get(item, "number"), *form = json_object_get(item, "form"), *reason = json_object_get(item, "reason");
    const char *number = json_string_value(input), *region = json_string_value(json_object_get(item, "region"));
    size_t len = json_string_length(input);
    json_t *check = json_object_get(item, "check"), *no_plans = json_string("no_plans");
    int has_result = HAS_PLANS || !region;
    cpaas_text out;
    cpaas_status status = cpaas_normalize_number(number, len, region, &out);
    CHECK(status == (has_result && form ? CPAAS_OK : CPAAS_BAD_TEXT));
    json_t *result = status == CPAAS_OK ? json_stringn(out.data, out.len) : parsed(&out);
    if (status == CPAAS_OK) same(file, item, "form", form, result);
    else same(file, item, "reason", has_result ? reason : no_plans, json_object_get(result, "code"));
    json_decref(result);
    cpaas_text_free(&out);
    if (check || (region && reason && strcmp(json_string_value(reason), "region") == 0)) {
        status = cpaas_check_number(number, len, region, &out);
        CHECK(status == (HAS_PLANS && check ? CPAAS_OK : CPAAS_BAD_TEXT));
        result = parsed(&out);
        if (status == CPAAS_OK) same(file, item, "check", check, result);
        else same(file, item, "check", HAS_PLANS ? reason : no_plans, json_object_get(result, "code"));
        json_decref(result);
        cpaas_text_free(&out);
    }
    json_decref(no_plans);
}

void run_prices(const char *file, json_t *item) {
    static const char *const names[] = {"total", "currency"};
    const char *text = json_string_value(json_object_get(item, "text"));
    const char *prices = json_string_value(json_object_get(item, "prices")), *prefix;
    char *to = json_dumps(json_object_get(item, "to"), 0);
    json_t *want = json_object_get(item, "error"), *share;
    cpaas_text out;
    cpaas_status status = cpaas_estimate_to(text, strlen(text), prices, to, &out);
    json_t *result = parsed(&out);
    if (want) {
        CHECK(status == CPAAS_BAD_TEXT);
        same(file, item, "error", want, json_object_get(result, "code"));
        same(file, item, "message", json_object_get(item, "message"), json_object_get(result, "message"));
    } else {
        json_t *recipients = json_object();
        CHECK(status == CPAAS_OK);
        for (size_t i = 0; i < 2; i++) same(file, item, names[i], json_object_get(item, names[i]), json_object_get(result, names[i]));
        json_t *sums = json_object_get(item, "byCurrency");
        json_object_foreach(sums, prefix, share) {
            json_t *sum = json_object_get(json_object_get(json_object_get(result, "byCurrency"), prefix), "total");
            same(file, item, "byCurrency", share, sum);
        }
        json_object_foreach(json_object_get(result, "byPrefix"), prefix, share) {
            json_object_set(recipients, prefix, json_object_get(share, "recipients"));
        }
        same(file, item, "recipients", json_object_get(item, "recipients"), recipients);
        json_decref(recipients);
    }
    json_decref(result);
    free(to);
    cpaas_text_free(&out);
}

void shorten(json_t *into, json_t *problems) {
    json_t *problem;
    size_t index;
    json_array_foreach(problems, index, problem) {
        json_array_append_new(into, json_pack("{s:O,s:O,s:O}", "pointer", json_object_get(problem, "pointer"), "code",
                                              json_object_get(problem, "code"), "severity",
                                              json_object_get(problem, "severity")));
    }
}

void run_problem(const char *file, json_t *item) {
    const char *operation = json_string_value(json_object_get(item, "operation"));
    const char *raw = json_string_value(json_object_get(item, "text"));
    json_t *request = expand(json_object_get(item, "request"));
    char *json = raw ? strdup(raw) : json_dumps(request, JSON_ENCODE_ANY); /* in the order of the file */
    cpaas_text out;
    cpaas_status status =
        operation ? cpaas_validate(operation, json, strlen(json), &out)
                  : cpaas_check(json_string_value(json_object_get(item, "check")), json, strlen(json), &out);
    CHECK(status == CPAAS_OK);
    json_t *result = parsed(&out), *have = json_array(), *report = json_object_get(item, "report");
    shorten(have, json_object_get(result, "errors"));
    shorten(have, json_object_get(result, "warnings"));
    if (json_object_get(item, "expect")) same(file, item, "problems", json_object_get(item, "expect"), have);
    if (report) { /* byte for byte */
        json_t *bytes = json_stringn(out.data, out.len);
        same(file, item, "report", report, bytes);
        json_decref(bytes);
    }
    json_decref(have);
    json_decref(result);
    json_decref(request);
    free(json);
    cpaas_text_free(&out);
}

void run_problem_details(const char *file, json_t *item) {
    char *request = json_dumps(json_object_get(item, "request"), JSON_ENCODE_ANY);
    char *members = json_dumps(json_object_get(item, "members"), 0);
    cpaas_text report, out;
    CHECK(cpaas_validate(json_string_value(json_object_get(item, "operation")), request, strlen(request), &report) == CPAAS_OK);
    CHECK(cpaas_problem_details(report.data, report.len, members, strlen(members), &out) == CPAAS_OK);
    json_t *details = parsed(&out);
    same(file, item, "details", json_object_get(item, "expect"), details);
    json_decref(details);
    cpaas_text_free(&out);
    cpaas_text_free(&report);
    free(members);
    free(request);
}
