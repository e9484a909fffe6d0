/* Tests that counting and splitting allocate nothing, and how much the validation of a valid request allocates. The malloc of this program
 * counts the allocations of each thread: a client has threads that begin. Usage: allocations FOLDER, which contains the vectors */
#include <dirent.h>
#include <jansson.h>

#include "check.h"

extern void *__libc_malloc(size_t size), *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size), *__libc_memalign(size_t align, size_t size);

static _Thread_local unsigned long allocations;

void *malloc(size_t size) { return allocations++, __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return allocations++, __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return allocations++, __libc_realloc(old, size); }
void *memalign(size_t align, size_t size) { return allocations++, __libc_memalign(align, size); }
void *aligned_alloc(size_t align, size_t size) { return allocations++, __libc_memalign(align, size); }
int posix_memalign(void **out, size_t align, size_t size) {
    *out = memalign(align, size);
    return *out ? 0 : 12;
}

#define SMS "{\"from\":\"Acme\",\"to\":\"306912345678\",\"text\":\"Your table is ready\"}"
#define OTP "{\"service\":\"login\",\"from\":\"Acme\",\"to\":\"306912345678\",\"body\":\"Your code is {code}\"}"

static cpaas_segment parts[255];

static void check_no_allocation(const char *text, const cpaas_segment_options *options) {
    cpaas_segment_count count, same;
    size_t written, len = strlen(text);
    unsigned long before = allocations;
    cpaas_status counted = cpaas_count_segments(text, len, &count);
    cpaas_status few = cpaas_segments(text, len, options, parts, 1, &written, NULL);
    cpaas_status all = cpaas_segments(text, len, options, parts, 255, &written, &same);
    CHECK(allocations == before);
    CHECK(counted == CPAAS_OK && (all == CPAAS_BAD_TEXT || (all == CPAAS_OK && parts[written - 1].end == len)));
    CHECK(all == CPAAS_BAD_TEXT || few == (written > 1 ? CPAAS_TOO_SMALL : CPAAS_OK));
}

/* docs/performance.md states these numbers. The most of the vectors are those of a text whose markup is parsed. */
enum { SMS_ALLOCATIONS = 4, OTP_ALLOCATIONS = 5, VECTOR_ALLOCATIONS = 39 };

static cpaas_client *client;

/* The allocations of the validation of a request without problems: the list of its values, and the strings of its model. */
static unsigned long of_validation(const char *operation, const char *request, int with_client) {
    static const char *report;
    cpaas_text out, copy;
    unsigned long before = allocations;
    cpaas_status status = with_client ? cpaas_client_validate(client, operation, request, strlen(request), &out)
                                      : cpaas_validate(operation, request, strlen(request), &out);
    unsigned long made = allocations - before;
    CHECK(status == CPAAS_OK && strcmp(out.data, "{\"ok\":true,\"errors\":[],\"warnings\":[]}") == 0 && strlen(out.data) == out.len);
    if (!report) report = out.data;
    CHECK(out.data == report); /* a static text, so a copy can be freed too */
    copy = out;
    cpaas_text_free(&out);
    cpaas_text_free(&out);
    cpaas_text_free(&copy);
    CHECK(!out.data && out.len == 0 && !copy.data && copy.len == 0 && report[0] == '{');
    return made;
}

static void check_validation(const char *what, const char *operation, const char *request, unsigned long most) {
    unsigned long made = of_validation(operation, request, 0), with_client = of_validation(operation, request, 1);
    printf("%s: %lu allocations, with a client %lu\n", what, made, with_client);
    CHECK(made <= most && with_client <= most);
}

/* The vector with the most allocations. */
static struct {
    char name[64];
    unsigned long allocations;
} most;

/* Every valid request of a file of vectors, unless it contains a text to expand. */
static void vectors_of(const char *path) {
    json_t *document = json_load_file(path, JSON_ALLOW_NUL, NULL), *item;
    size_t index;
    json_array_foreach(json_object_get(document, "cases"), index, item) {
        const char *operation = json_string_value(json_object_get(item, "operation"));
        json_t *request = json_object_get(item, "request"), *expected = json_object_get(item, "expect");
        char *json = json_dumps(request, 0);
        if (operation && json && json_is_array(expected) && json_array_size(expected) == 0 && !strstr(json, "\"$")) {
            unsigned long made = of_validation(operation, json, 0);
            if (made > most.allocations) {
                snprintf(most.name, sizeof most.name, "%s", json_string_value(json_object_get(item, "id")));
                most.allocations = made;
            }
        }
        free(json);
    }
    json_decref(document);
}

static void vectors(const char *folder) {
    char path[1024];
    DIR *directory = opendir(folder);
    int files = 0;
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        if (!strstr(entry->d_name, ".json")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        vectors_of(path);
        files++;
    }
    if (directory) closedir(directory);
    printf("the most of %d files of vectors: %lu allocations, %s\n", files, most.allocations, most.name);
    CHECK(files > 10 && most.allocations > SMS_ALLOCATIONS && most.allocations <= VECTOR_ALLOCATIONS);
}

static void validation(const char *folder) {
    cpaas_text out;
    client = client_of("{}");
    of_validation("sms.send", SMS, 0); /* the first call of a process may allocate tables */
    check_validation("sms.send", "sms.send", SMS, SMS_ALLOCATIONS);
    check_validation("otp.send", "otp.send", OTP, OTP_ALLOCATIONS);
    vectors(folder);
    unsigned long before = allocations;
    CHECK(cpaas_validate("sms.send", "{}", 2, &out) == CPAAS_OK && strncmp(out.data, "{\"ok\":false", 11) == 0);
    CHECK(allocations > before);
    cpaas_text_free(&out);
    cpaas_client_free(client);
    cpaas_shutdown();
}

int main(int argc, char **argv) {
    static char text[60001];
    const char *letters[] = {"a", "\xce\xa9", "\xc5\x9f", "\xe2\x82\xac", "\xd1\x8f", "\xf0\x9f\x91\x8b", "e\xcc\x81", "{\r\n"};
    for (size_t letter = 0; letter < sizeof letters / sizeof *letters; letter++) {
        size_t len = 0;
        for (int repeats = 0; repeats < 12000; repeats++) {
            if (repeats < 400 || repeats % 1000 == 0) {
                cpaas_segment_options options = {0};
                options.size = sizeof options;
                text[len] = '\0';
                check_no_allocation(text, NULL);
                options.split = CPAAS_SPLIT_GRAPHEME;
                check_no_allocation(text, &options);
                options.reference_bits = 16;
                options.encoding = CPAAS_UCS2;
                check_no_allocation(text, &options);
                options.encoding = CPAAS_GSM7;
                check_no_allocation(text, &options);
                options.encoding = 0;
                options.languages = CPAAS_LANGUAGE_AUTO;
                check_no_allocation(text, &options);
            }
            memcpy(text + len, letters[letter], strlen(letters[letter]));
            len += strlen(letters[letter]);
        }
    }
    unsigned long before = allocations;
    cpaas_text out;
    CHECK(cpaas_segments_json("a", 1, NULL, &out) == CPAAS_OK);
    CHECK(allocations > before); /* the counter works */
    cpaas_text_free(&out);
    snprintf(text, sizeof text, "%s/problems", argc > 1 ? argv[1] : "tests/vectors");
    validation(text);
    return checks_end();
}
