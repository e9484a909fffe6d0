/* Runs the vectors of tests/vectors. Compiled with WITHOUT_HTTP, it calls only the functions of the library without HTTP; with
 * WITH_PLANS, it expects a library with the numbering plans.
 * Usage: vectors FOLDER */
#include <dirent.h>

#include "vectors.h"

char *written(json_t *value) { return value ? json_dumps(value, JSON_ENCODE_ANY | JSON_SORT_KEYS) : NULL; }

json_t *parsed(const cpaas_text *text) {
    return text->data ? json_loadb(text->data, text->len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL) : NULL;
}

void differs(const char *file, json_t *item, const char *what, json_t *want, json_t *have) {
    const char *name = json_string_value(json_object_get(item, "id"));
    if (!name) name = json_string_value(json_object_get(item, "name"));
    if (!name) name = json_string_value(json_object_get(item, "text"));
    char *expected = written(want), *actual = written(have);
    checks_failed++;
    printf("%s, %s: %s: expected %s, got %s\n", file, name ? name : "?", what, expected ? expected : "nothing",
           actual ? actual : "nothing");
    free(expected);
    free(actual);
}

json_t *load(const char *folder, const char *file) {
    char path[1024];
    json_error_t error;
    snprintf(path, sizeof path, "%s/%s", folder, file);
    json_t *document = json_load_file(path, JSON_ALLOW_NUL, &error);
    if (!document) {
        printf("%s: %s\n", path, error.text);
        exit(2);
    }
    return document;
}

static void each(const char *folder, const char *file, void (*run)(const char *, json_t *)) {
    json_t *document = load(folder, file), *item;
    size_t index;
    json_array_foreach(json_object_get(document, "cases"), index, item) run(file, item);
    json_decref(document);
}

static void user_data(const char *root) {
    json_t *document = load(root, "encode.json"), *item;
    size_t index;
    json_array_foreach(json_object_get(document, "encode"), index, item) run_encode("encode", item);
    json_array_foreach(json_object_get(document, "decode"), index, item) run_decode("decode", item);
    json_decref(document);
}

static void autofill(const char *root) {
    static const char *const lists[] = {"check", "body", "appHash"};
    json_t *document = load(root, "autofill.json"), *item;
    size_t index;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        json_array_foreach(json_object_get(document, lists[i]), index, item) run_autofill(lists[i], item);
    }
    json_decref(document);
}

static void problems(const char *folder, const char *file) { each(folder, file, run_problem); }

#ifndef WITHOUT_HTTP
static json_t *config;
static cpaas_client *client;

static void requests(const char *folder, const char *file) {
    json_t *document = load(folder, file), *item;
    size_t index;
    json_array_foreach(json_object_get(document, "cases"), index, item) run_request(file, document, item, config);
    json_decref(document);
}

static void configs(const char *root) {
    const char *file = "invalid_config.json";
    json_t *document = load(root, file), *item;
    size_t index;
    json_array_foreach(json_object_get(document, "cases"), index, item) run_config(file, item, config);
    json_array_foreach(json_object_get(document, "valid"), index, item) run_config(file, item, config);
    json_decref(document);
}

static void recipients(const char *root) {
    json_t *document = load(root, "recipients.json"), *item;
    size_t index;
    json_array_foreach(json_object_get(document, "cases"), index, item) run_recipient("recipients.json", item, config);
    json_decref(document);
}

static void responses(const char *folder, const char *file) {
    json_t *document = load(folder, file), *item;
    size_t index;
    json_array_foreach(json_object_get(document, "cases"), index, item) run_response(file, document, item, client);
    json_decref(document);
}
#endif

/* Runs every JSON file of a folder; returns their number. */
static int files(const char *root, const char *name, void (*run)(const char *, const char *)) {
    char folder[512];
    int count = 0;
    snprintf(folder, sizeof folder, "%s/%s", root, name);
    DIR *directory = opendir(folder);
    if (!directory) return 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        size_t len = strlen(entry->d_name);
        if (len > 5 && strcmp(entry->d_name + len - 5, ".json") == 0) {
            run(folder, entry->d_name);
            count++;
        }
    }
    closedir(directory);
    return count;
}

#ifndef WITHOUT_HTTP
static void acc_120_callbacks(const char *root) {
    json_t *document = load(root, "callbacks.json"), *item;
    size_t index;
    json_array_foreach(json_object_get(document, "events"), index, item) run_callback("events", document, item, 1);
    json_array_foreach(json_object_get(document, "rejections"), index, item) run_callback("rejections", document, item, 0);
    json_decref(document);
}
#endif

static void report(const char *what) {
    static int before;
    printf("%-10s %5d comparisons\n", what, checks_passed + checks_failed - before);
    CHECK(checks_passed + checks_failed > before);
    before = checks_passed + checks_failed;
}

int main(int argc, char **argv) {
    const char *root = argc > 1 ? argv[1] : "tests/vectors";
    each(root, "segments.json", run_segments);
    each(root, "segments_more.json", run_segments);
    report("segments");
    user_data(root);
    report("user data");
    each(root, "markup.json", run_markup);
    each(root, "markup_more.json", run_markup);
    report("markup");
    each(root, "intent.json", run_intent);
    report("intent");
    each(root, "numbers.json", run_number);
    report("numbers");
    each(root, "prices.json", run_prices);
    report("prices");
    autofill(root);
    report("autofill");
    CHECK(files(root, "problems", problems) >= 12);
    report("problems");
    each(root, "problem_details.json", run_problem_details);
    report("details");
#ifndef WITHOUT_HTTP
    config = load(root, "config.json");
    char *text = written(config);
    client = client_of(text);
    free(text);
    configs(root);
    report("configs");
    recipients(root);
    report("recipients");
    CHECK(files(root, "requests", requests) >= 30);
    report("requests");
    CHECK(files(root, "responses", responses) >= 30);
    report("responses");
    acc_120_callbacks(root);
    report("callbacks");
    cpaas_client_free(client);
    json_decref(config);
#endif
    return checks_end();
}
