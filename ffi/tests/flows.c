/* Runs the flows of C and Python (starred rows of the acceptance table). Each flow has its own sandbox.
 * Usage: flows SANDBOX_BINARY FLOWS_JSON */
#include <curl/curl.h>
#include <jansson.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static const char *flow_name;
static char base[128], target[128]; /* target: the server that receives webhooks, because a sandbox does not call itself */
static json_t *names; /* the values of ${name} */
static cpaas_client *client;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static const char *text(const json_t *object, const char *name) {
    const char *value = json_string_value(json_object_get(object, name));
    return value ? value : "";
}

/* Replaces each ${name} of a string by its value. */
static json_t *replaced(const char *from) {
    static char into[65536];
    size_t len = 0;
    while (*from && len < sizeof into - 1) {
        const char *end = from[0] == '$' && from[1] == '{' ? strchr(from, '}') : NULL;
        if (!end) {
            into[len++] = *from++;
            continue;
        }
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(end - from - 2), from + 2);
        const char *value = text(names, name);
        len += (size_t)snprintf(into + len, sizeof into - len, "%s", value);
        from = end + 1;
    }
    return json_stringn(into, len);
}

/* Converts {"repeat": text, "times": n, "before": text, "after": text} to one string. */
static json_t *repeated(const json_t *value) {
    static char into[65536];
    size_t len = (size_t)snprintf(into, sizeof into, "%s", text(value, "before"));
    for (json_int_t n = json_integer_value(json_object_get(value, "times")); n > 0; n--) {
        len += (size_t)snprintf(into + len, sizeof into - len, "%s", text(value, "repeat"));
    }
    len += (size_t)snprintf(into + len, sizeof into - len, "%s", text(value, "after"));
    return json_stringn(into, len);
}

static json_t *filled(json_t *value) {
    json_t *out, *member;
    const char *name;
    size_t index;
    if (json_is_string(value)) return replaced(json_string_value(value));
    if (json_is_array(value)) {
        out = json_array();
        json_array_foreach(value, index, member) json_array_append_new(out, filled(member));
        return out;
    }
    if (!json_is_object(value)) return json_incref(value);
    if (json_object_get(value, "times")) return repeated(value);
    out = json_object();
    json_object_foreach(value, name, member) json_object_set_new(out, name, filled(member));
    return out;
}

/* The value at a JSON pointer, or NULL. */
static json_t *at(json_t *document, const char *pointer) {
    char parts[256];
    snprintf(parts, sizeof parts, "%s", pointer);
    for (char *part = strtok(parts, "/"); part && document; part = strtok(NULL, "/")) {
        document = json_is_array(document) ? json_array_get(document, (size_t)atoi(part)) : json_object_get(document, part);
    }
    return document;
}

static int matches(json_t *found, json_t *expected) {
    const char *value = json_string_value(found);
    json_t *rule;
    if ((rule = json_object_get(expected, "starts"))) return value && strncmp(value, json_string_value(rule), json_string_length(rule)) == 0;
    if ((rule = json_object_get(expected, "contains"))) return value && strstr(value, json_string_value(rule)) != NULL;
    if ((rule = json_object_get(expected, "length"))) return json_array_size(found) == (size_t)json_integer_value(rule) && json_is_array(found);
    return json_is_null(expected) ? !found || json_is_null(found) : json_equal(found, expected);
}

typedef struct body {
    char *data;
    size_t len;
} body;

static size_t keep(char *data, size_t size, size_t count, void *user_data) {
    body *into = user_data;
    into->data = realloc(into->data, into->len + size * count + 1);
    memcpy(into->data + into->len, data, size * count);
    into->len += size * count;
    into->data[into->len] = '\0';
    return size * count;
}

/* A request to the control API, such as `GET /messages`. */
static json_t *control(const char *call, json_t *request) {
    char method[8], path[512], url[768], *json = request ? json_dumps(request, 0) : NULL;
    body result = {NULL, 0};
    if (sscanf(call, "%7s %511s", method, path) != 2) return NULL;
    snprintf(url, sizeof url, "%s/_sandbox%s", base, path);
    CURL *curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
    if (json) curl_easy_setopt(curl, CURLOPT_POSTFIELDS, json);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &result);
    CHECK(curl_easy_perform(curl) == CURLE_OK);
    curl_easy_cleanup(curl);
    json_t *document = result.data ? json_loads(result.data, 0, NULL) : NULL;
    free(result.data);
    free(json);
    return document;
}

static const char *outcome(cpaas_status status) {
    switch (status) {
        case CPAAS_OK:
        case CPAAS_NOT_VERIFIED: return "accepted"; /* the provider accepted the request; the step expects its code */
        case CPAAS_INVALID: return "invalid";
        case CPAAS_REJECTED: return "rejected";
        case CPAAS_NOT_SENT: return "not sent";
        case CPAAS_UNKNOWN: return "unknown";
        case CPAAS_ACCEPTED_ID_UNKNOWN: return "accepted, id unknown";
        default: return cpaas_status_name(status);
    }
}

/* Makes a call of the client; returns its result or its error record. */
static json_t *call(const char *operation, json_t *request, const char *expected) {
    char *json = json_dumps(request, 0);
    cpaas_text out;
    cpaas_status status = cpaas_call(client, operation, json, strlen(json), &out);
    json_t *result = out.data ? json_loadb(out.data, out.len, JSON_DECODE_ANY, NULL) : NULL;
    int ok = strcmp(outcome(status), *expected ? expected : "accepted") == 0;
    if (!ok) printf("%s: %s is %s\n", flow_name, operation, outcome(status));
    CHECK(ok);
    if (strcmp(operation, "otp.verify") == 0 && (status == CPAAS_OK || status == CPAAS_NOT_VERIFIED))
        CHECK((status == CPAAS_OK) == (json_integer_value(json_object_get(result, "code")) == 200));
    cpaas_text_free(&out);
    free(json);
    return result;
}

static void run_step(json_t *step) {
    json_t *result, *value, *request = filled(json_object_get(step, json_object_get(step, "call") ? "request" : "body"));
    json_t *expected = filled(json_object_get(step, "expect")), *path = filled(json_object_get(step, "control"));
    const char *pointer, *name;
    if (json_object_get(step, "advance")) {
        json_t *by = json_pack("{s:s}", "advance", text(step, "advance"));
        result = control("POST /clock", by);
        json_decref(by);
    } else if (path) {
        result = control(json_string_value(path), request);
    } else {
        result = call(text(step, "call"), request, text(step, "outcome"));
    }
    json_object_foreach(expected, pointer, value) {
        int ok = matches(at(result, pointer), value);
        if (!ok) {
            char *found = at(result, pointer) ? json_dumps(at(result, pointer), JSON_ENCODE_ANY) : NULL;
            printf("%s: %s%s %s is %s\n", flow_name, text(step, "call"), text(step, "control"), pointer, found ? found : "absent");
            free(found);
        }
        CHECK(ok);
    }
    json_object_foreach(json_object_get(step, "save"), name, value) json_object_set(names, name, at(result, json_string_value(value)));
    json_decref(result);
    json_decref(request);
    json_decref(expected);
    json_decref(path);
}

/* Starts a sandbox, and reads the address and the configuration that it prints (row 189). */
static pid_t start(const char *binary) {
    int ends[2];
    if (pipe(ends) != 0) exit(2);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], 1);
        execl(binary, binary, "--port", "0", "--clock", "virtual", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *lines = fdopen(ends[0], "r");
    char line[4096];
    json_t *ready = NULL;
    while (!ready && fgets(line, sizeof line, lines)) {
        if (line[0] == '{') ready = json_loads(line, 0, NULL);
    }
    fclose(lines);
    snprintf(base, sizeof base, "%s", text(ready, "url"));
    CHECK(strncmp(base, "http://127.0.0.1:", 17) == 0);
    names = json_incref(json_object_get(ready, "config"));
    json_decref(ready);
    return pid;
}

static void stop(pid_t pid) {
    int ended = -1;
    kill(pid, SIGTERM);
    CHECK(waitpid(pid, &ended, 0) == pid && WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
}

static void run(const char *binary, json_t *flow) {
    flow_name = text(flow, "name");
    double from = now();
    pid_t pid = start(binary);
    double took = now() - from;
    if (took > 0.1) printf("%s: the sandbox was ready after %.0f ms\n", flow_name, took * 1000);
    json_t *config = json_copy(names), *step;
    size_t index;
    json_object_del(config, "bot_id"); /* an argument of calls, not of the client */
    json_object_update(config, json_object_get(flow, "config"));
    json_object_set_new(names, "url", json_string(base));
    json_object_set_new(names, "target", json_string(target));
    char *json = json_dumps(config, 0);
    client = client_of(json);
    json_array_foreach(json_object_get(flow, "steps"), index, step) {
        json_int_t times = json_object_get(step, "repeat") ? json_integer_value(json_object_get(step, "repeat")) : 1;
        while (times-- > 0) {
            run_step(step);
            if (json_object_get(step, "then")) run_step(json_object_get(step, "then"));
        }
    }
    cpaas_client_free(client);
    stop(pid);
    free(json);
    json_decref(config);
    json_decref(names);
}

/* Sends a prepared request with libcurl and one more header; returns the result of libcurl. */
static CURLcode sent_with(const char *header, json_t *request) {
    char *json = json_dumps(request, 0);
    cpaas_text out;
    CHECK(cpaas_prepare(client, "sms.send", json, strlen(json), &out) == CPAAS_OK);
    json_t *http = json_loadb(out.data, out.len, 0, NULL), *value;
    cpaas_text_free(&out);
    const char *name;
    struct curl_slist *headers = curl_slist_append(NULL, header);
    json_object_foreach(json_object_get(http, "headers"), name, value) {
        char line[512];
        snprintf(line, sizeof line, "%s: %s", name, json_string_value(value));
        headers = curl_slist_append(headers, line);
    }
    body result = {NULL, 0};
    CURL *curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_URL, text(http, "url"));
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, text(http, "body"));
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &result);
    CURLcode code = curl_easy_perform(curl);
    curl_easy_cleanup(curl);
    curl_slist_free_all(headers);
    free(result.data);
    free(json);
    json_decref(http);
    return code;
}

/* A fault header affects its own request only. */
static void acc_194_fault_of_one_request(const char *binary) {
    flow_name = "acc_194";
    pid_t pid = start(binary);
    json_t *config = json_copy(names), *request = json_pack("{s:s,s:s,s:s}", "from", "Acme", "to", "306900000001", "text", "Hi");
    json_object_del(config, "bot_id");
    char *json = json_dumps(config, 0);
    client = client_of(json);
    CHECK(sent_with("X-Sandbox-Fault: close-after-read", request) == CURLE_GOT_NOTHING);
    json_decref(call("sms.send", request, "accepted"));
    json_t *ledger = control("GET /ledger", NULL);
    CHECK(json_integer_value(json_object_get(ledger, "total")) == 2);
    CHECK(strcmp(text(at(ledger, "/entries/0"), "fault"), "close-after-read") == 0);
    CHECK(json_is_null(at(ledger, "/entries/1/fault")));
    json_decref(ledger);
    cpaas_client_free(client);
    stop(pid);
    free(json);
    json_decref(request);
    json_decref(config);
    json_decref(names);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    json_t *document = json_load_file(argv[2], 0, NULL), *flow;
    size_t index;
    flow_name = "target";
    pid_t other = start(argv[1]);
    json_decref(names);
    memcpy(target, base, sizeof target);
    json_array_foreach(json_object_get(document, "flows"), index, flow) run(argv[1], flow);
    acc_194_fault_of_one_request(argv[1]);
    stop(other);
    printf("%zu flows\n", json_array_size(json_object_get(document, "flows")));
    json_decref(document);
    cpaas_shutdown();
    curl_global_cleanup();
    return checks_end();
}
