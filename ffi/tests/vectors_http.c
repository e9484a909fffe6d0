/* The part of vectors.c that runs the vectors of requests, responses and callbacks. */
#include <strings.h>

#include "vectors.h"

static json_t *header(json_t *headers, const char *name) {
    const char *key;
    json_t *value;
    json_object_foreach(headers, key, value) {
        if (strcasecmp(key, name) == 0) return value;
    }
    return NULL;
}

static void headers(const char *file, json_t *item, json_t *expect, json_t *have) {
    const char *name;
    json_t *value;
    size_t index;
    json_object_foreach(json_object_get(expect, "headers"), name, value) same(file, item, name, value, header(have, name));
    json_array_foreach(json_object_get(expect, "absent_headers"), index, value) {
        CHECK(header(have, json_string_value(value)) == NULL);
    }
}

static void in_order(json_t *order, const char *body) {
    const char *before = body;
    json_t *name;
    size_t index;
    json_array_foreach(order, index, name) {
        char member[128];
        snprintf(member, sizeof member, "\"%s\":", json_string_value(name));
        const char *position = strstr(body, member);
        CHECK(position && position >= before);
        if (position) before = position;
    }
}

static json_t *errors_of(json_t *record) {
    json_t *errors = json_array(), *problem;
    size_t index;
    json_array_foreach(json_object_get(record, "problems"), index, problem) {
        if (strcmp(json_string_value(json_object_get(problem, "severity")), "error") != 0) continue;
        json_array_append_new(errors, json_pack("{s:O,s:O}", "pointer", json_object_get(problem, "pointer"), "code",
                                                json_object_get(problem, "code")));
    }
    return errors;
}

/* A configuration that cpaas_client_new accepts, or refuses by the name of the setting. */
void run_config(const char *file, json_t *item, json_t *config) {
    json_t *members = json_copy(config), *member = json_object_get(item, "member");
    json_object_update(members, json_object_get(item, "config"));
    char *settings = written(members), quoted[64];
    cpaas_client *client = NULL;
    cpaas_text out;
    cpaas_status status = cpaas_client_new(settings, strlen(settings), &client, &out);
    if (member) {
        json_t *record = parsed(&out), *reason = json_string("config");
        snprintf(quoted, sizeof quoted, "`%s`", json_string_value(member));
        same(file, item, "reason", reason, json_object_get(record, "reason"));
        CHECK(status == CPAAS_INVALID && client == NULL);
        CHECK(strstr(json_string_value(json_object_get(record, "message")), quoted) != NULL);
        json_decref(reason);
        json_decref(record);
    } else {
        CHECK(status == CPAAS_OK && client != NULL);
        cpaas_client_free(client);
    }
    cpaas_text_free(&out);
    free(settings);
    json_decref(members);
}

/* The report of a client with settings about numbers, and the recipients that it sends. Without the numbering plans, a setting that needs
 * them is an error that names the feature. */
void run_recipient(const char *file, json_t *item, json_t *config) {
    json_t *members = json_copy(config), *have, *sent = json_object_get(item, "sent");
    json_object_update(members, json_object_get(item, "config"));
    char *settings = written(members);
    cpaas_client *client = NULL;
    if (json_is_true(json_object_get(item, "plans")) && !HAS_PLANS) {
        cpaas_text error;
        CHECK(cpaas_client_new(settings, strlen(settings), &client, &error) == CPAAS_INVALID && client == NULL);
        CHECK(strstr(error.data, "feature `phone`") != NULL);
        cpaas_text_free(&error);
        free(settings);
        json_decref(members);
        return;
    }
    client = client_of(settings);
    have = json_array();
    const char *operation = json_string_value(json_object_get(item, "operation"));
    char *request = json_dumps(json_object_get(item, "request"), JSON_ENCODE_ANY);
    cpaas_text out;
    CHECK(cpaas_client_validate(client, operation, request, strlen(request), &out) == CPAAS_OK);
    json_t *report = parsed(&out);
    shorten(have, json_object_get(report, "errors"));
    shorten(have, json_object_get(report, "warnings"));
    same(file, item, "expect", json_object_get(item, "expect"), have);
    cpaas_text_free(&out);
    CHECK(cpaas_prepare(client, operation, request, strlen(request), &out) == (sent ? CPAAS_OK : CPAAS_INVALID));
    if (json_is_string(sent)) CHECK(strstr(out.data, json_string_value(sent)) != NULL);
    cpaas_text_free(&out);
    json_decref(report);
    json_decref(have);
    free(request);
    free(settings);
    cpaas_client_free(client);
    json_decref(members);
}

void run_request(const char *file, json_t *document, json_t *item, json_t *config) {
    json_t *members = json_copy(config), *expect = json_object_get(item, "expect"), *invalid, *body;
    json_object_update(members, json_object_get(item, "config"));
    char *settings = written(members);
    cpaas_client *client = client_of(settings);
    char *request = json_dumps(json_object_get(item, "request"), JSON_ENCODE_ANY); /* in the order of the file */
    cpaas_text out;
    cpaas_status status = cpaas_prepare(client, json_string_value(json_object_get(document, "operation")), request,
                                        strlen(request), &out);
    json_t *actual = parsed(&out);
    if ((invalid = json_object_get(expect, "invalid"))) {
        json_t *errors = errors_of(actual);
        CHECK(status == CPAAS_INVALID);
        same(file, item, "errors", invalid, errors);
        json_decref(errors);
    } else {
        char url[4096];
        const char *address = json_string_value(json_object_get(document, "address"));
        snprintf(url, sizeof url, "%s%s", json_string_value(json_object_get(members, address)),
                 json_string_value(json_object_get(expect, "path")));
        json_t *expected_url = json_string(url), *text = json_object_get(actual, "body");
        CHECK(status == CPAAS_OK);
        same(file, item, "method", json_object_get(expect, "method"), json_object_get(actual, "method"));
        same(file, item, "url", expected_url, json_object_get(actual, "url"));
        headers(file, item, expect, json_object_get(actual, "headers"));
        body = json_is_string(text) ? json_loads(json_string_value(text), JSON_DECODE_ANY, NULL) : json_null();
        same(file, item, "body", json_object_get(expect, "body"), body);
        if (json_is_string(text)) in_order(json_object_get(expect, "order"), json_string_value(text));
        json_decref(body);
        json_decref(expected_url);
    }
    json_decref(actual);
    cpaas_text_free(&out);
    free(request);
    free(settings);
    cpaas_client_free(client);
    json_decref(members);
}

void run_response(const char *file, json_t *document, json_t *item, cpaas_client *client) {
    json_t *body = json_object_get(item, "body"), *expect = json_object_get(item, "expect"), *value;
    char *fields = written(json_object_get(item, "headers"));
    cpaas_text out;
    cpaas_status status = cpaas_parse(client, json_string_value(json_object_get(document, "operation")),
                                      (uint16_t)json_integer_value(json_object_get(item, "status")), fields,
                                      fields ? strlen(fields) : 0, json_string_value(body), json_string_length(body), &out);
    json_t *actual = parsed(&out), *result = json_object_get(expect, "result");
    CHECK((status == CPAAS_OK) == (result != NULL));
    if (json_object_get(result, "missing")) { /* depends on the request, which cpaas_parse does not know */
        CHECK(json_is_integer(json_object_get(actual, "missing")));
        json_object_del(result, "missing");
        json_object_del(actual, "missing");
    }
    if (result) same(file, item, "result", result, actual);
    const char *name;
    if (!result) json_object_foreach(expect, name, value) same(file, item, name, value, json_object_get(actual, name));
    json_decref(actual);
    cpaas_text_free(&out);
    free(fields);
}

/* The result of a callback request as a struct. */
static json_t *received(const char *config, json_t *item, uint64_t now, cpaas_status *status) {
    json_t *type = header(json_object_get(item, "headers"), "content-type"), *body = json_object_get(item, "body");
    cpaas_callback_request request = {.size = sizeof request, .method = json_string_value(json_object_get(item, "method"))};
    request.url = json_string_value(json_object_get(item, "url"));
    request.content_type = json_string_value(type);
    request.body = json_string_value(body), request.body_len = json_string_length(body);
    cpaas_receiver *receiver = NULL;
    cpaas_text out;
    CHECK(cpaas_receiver_new(config, strlen(config), &receiver, &out) == CPAAS_OK);
    *status = cpaas_receiver_receive_request(receiver, &request, now, &out);
    json_t *result = parsed(&out);
    cpaas_text_free(&out);
    cpaas_receiver_free(receiver);
    return result;
}

void run_callback(const char *file, json_t *document, json_t *item, int event) {
    json_t *request = json_copy(item);
    json_object_del(request, "name");
    json_object_del(request, "event");
    json_object_del(request, "key");
    json_object_del(request, "reason");
    char *config = written(json_object_get(document, "config")), *text = written(request);
    cpaas_text out;
    cpaas_status status = cpaas_receive(config, strlen(config), text, strlen(text),
                                        (uint64_t)json_integer_value(json_object_get(document, "now")), &out);
    cpaas_status status_of_struct;
    json_t *actual = parsed(&out), *have = json_object_get(actual, "event");
    json_t *of_struct = received(config, item, (uint64_t)json_integer_value(json_object_get(document, "now")), &status_of_struct);
    CHECK(status_of_struct == status && json_is_false(json_object_get(of_struct, "duplicate")) == event);
    json_object_del(of_struct, "duplicate");
    same(file, item, "the result of the struct", actual, of_struct);
    json_decref(of_struct);
    CHECK(status == (event ? CPAAS_OK : CPAAS_CALLBACK_REJECTED));
    if (event) {
        CHECK(json_object_get(have, "claims") != NULL);
        json_object_del(have, "claims");
        const char *key = json_string_value(json_object_get(item, "key"));
        const char *found = json_string_value(json_object_get(have, "key"));
        CHECK(key ? found && strcmp(found, key) == 0 : !found);
        json_object_del(have, "key");
        same(file, item, "event", json_object_get(item, "event"), have);
    } else {
        same(file, item, "reason", json_object_get(item, "reason"), json_object_get(actual, "reason"));
        CHECK(json_integer_value(json_object_get(actual, "status")) == 403);
    }
    json_decref(actual);
    cpaas_text_free(&out);
    json_decref(request);
    free(config);
    free(text);
}
