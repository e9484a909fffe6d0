/* Calls every function of the header with valid and invalid arguments. Needs CPAAS_SMS_URL and
 * CPAAS_SMS_KEY of a sandbox. */
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <unistd.h>

#include "check.h"
#include "net.h"

#define NONE (&out)->data == NULL && (&out)->len == 0
#define BAD "\xff\xfe"

/* Checks the status and frees the output. */
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

/* Checks the status of a caller error; the output names the argument. */
#define BAD_CALL(call, expected)         \
    do {                                 \
        cpaas_text out;                  \
        memset(&out, 0x5a, sizeof out);  \
        CHECK((call) == (expected));       \
        CHECK(out.data && strncmp(out.data, "{\"argument\":\"", 13) == 0 && strstr(out.data, "\"message\":\"`")); \
        cpaas_text_free(&out);           \
    } while (0)

/* The same for an argument whose name matters. */
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

static cpaas_client *garbage[] = {(cpaas_client *)1, (cpaas_client *)(16 * 100000), (cpaas_client *)4097, (cpaas_client *)UINTPTR_MAX};

static void information(void) {
    CHECK(strcmp(cpaas_version(), CPAAS_VERSION) == 0);
    CHECK(strcmp(cpaas_status_name(CPAAS_UNKNOWN), "CPAAS_UNKNOWN") == 0);
    CHECK(strcmp(cpaas_status_name(CPAAS_NO_THREAD), "CPAAS_NO_THREAD") == 0);
    CHECK(strcmp(cpaas_status_name(7), "CPAAS_?") == 0 && strcmp(cpaas_status_name(UINT32_MAX), "CPAAS_?") == 0);
    WITH_OUTPUT(cpaas_operations(&out), CPAAS_OK);
    cpaas_text table;
    CHECK(cpaas_operations(&table) == CPAAS_OK);
    CHECK(strstr(table.data, "\"id\":\"webhooks.messenger_b.set\",\"family\":\"messenger_b\",\"method\":\"POST\",\"path\":\"/"));
    cpaas_text_free(&table);
    CHECK(cpaas_operations(NULL) == CPAAS_BAD_ARGUMENT);
    cpaas_text_free(NULL);
}

static void versions(void) {
    CHECK(cpaas_version_number() == CPAAS_VERSION_NUMBER);
    CHECK(CPAAS_VERSION_NUMBER == CPAAS_VERSION_MAJOR * 10000 + CPAAS_VERSION_MINOR * 100 + CPAAS_VERSION_PATCH);
    CHECK(cpaas_abi_version() == CPAAS_ABI_VERSION && CPAAS_ABI_VERSION == 1);
    CHECK(sizeof(cpaas_status) == 4);
    CHECK(cpaas_set_limits(NULL) == CPAAS_BAD_ARGUMENT); /* limits.c sets them */
    CHECK(CPAAS_NOT_VERIFIED == 6 && strcmp(cpaas_status_name(CPAAS_NOT_VERIFIED), "CPAAS_NOT_VERIFIED") == 0);
}

static void arguments(cpaas_client *client) {
    size_t len = strlen(SMS);
    BAD_NAMED(cpaas_call(client, NULL, SMS, len, &out), CPAAS_BAD_ARGUMENT, "operation");
    BAD_NAMED(cpaas_call(client, "sms.send", NULL, len, &out), CPAAS_BAD_ARGUMENT, "request");
    BAD_NAMED(cpaas_call(NULL, "sms.send", SMS, len, &out), CPAAS_BAD_ARGUMENT, "client");
    BAD_NAMED(cpaas_call(garbage[0], "sms.send", SMS, len, &out), CPAAS_BAD_HANDLE, "client");
    BAD_NAMED(cpaas_call(client, "sms.sent", SMS, len, &out), CPAAS_BAD_NAME, "operation");
    BAD_NAMED(cpaas_call(client, "sms.send", BAD, 2, &out), CPAAS_BAD_UTF8, "request");
    cpaas_call_options options = {0};
    BAD_NAMED(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_BAD_ARGUMENT, "options");
    BAD_NAMED(cpaas_markup_escape("x", 1, "html", &out), CPAAS_BAD_NAME, "mode");
}

static int json_is(const char *json, const char *pointer, const char *expected) {
    cpaas_text out;
    int ok = cpaas_json_get(json, strlen(json), pointer, &out) == CPAAS_OK && strcmp(out.data, expected) == 0;
    cpaas_text_free(&out);
    return ok;
}

static void json(void) {
    const char *text = "\",\"to\":\"1\\\n\x01 \xf0\x9f\x91\x8b", *document = "{\"a\":[1,{\"b/c\":\"x\\n\\u00e9\"}],\"d\":null,\"\":true}";
    cpaas_text quoted;
    CHECK(cpaas_json_string(text, strlen(text), &quoted) == CPAAS_OK);
    CHECK(quoted.data[0] == '"' && quoted.data[quoted.len - 1] == '"' && !strchr(quoted.data, '\n'));
    CHECK(json_is(quoted.data, "", text)); /* what was escaped is read back */
    cpaas_text_free(&quoted);
    CHECK(cpaas_json_string(NULL, 0, &quoted) == CPAAS_OK && strcmp(quoted.data, "\"\"") == 0);
    cpaas_text_free(&quoted);
    BAD_NAMED(cpaas_json_string(BAD, 2, &out), CPAAS_BAD_UTF8, "text");
    CHECK(json_is(document, "/a/0", "1") && json_is(document, "/a/1/b~1c", "x\n\xc3\xa9") && json_is(document, "/d", "null"));
    CHECK(json_is(document, "/a/1", "{\"b/c\":\"x\\n\xc3\xa9\"}") && json_is(document, "/", "true"));
    STATUS_ONLY(cpaas_json_get(document, strlen(document), "/a/2", &out), CPAAS_NOT_FOUND);
    STATUS_ONLY(cpaas_json_get(document, strlen(document), "/e", &out), CPAAS_NOT_FOUND);
    BAD_NAMED(cpaas_json_get(document, strlen(document), "a", &out), CPAAS_BAD_ARGUMENT, "pointer");
    BAD_NAMED(cpaas_json_get("{", 1, "/a", &out), CPAAS_BAD_TEXT, "json");
}

static void counting(void) {
    cpaas_segment_count count;
    cpaas_segment parts[2];
    cpaas_segment_options options = {0};
    size_t written = 9;
    char text[400];
    memset(text, 'a', sizeof text);
    CHECK(cpaas_count_segments("Hi", 2, &count) == CPAAS_OK && count.count == 1 && count.remaining == 158);
    CHECK(cpaas_count_segments(NULL, 0, &count) == CPAAS_OK && count.units == 0);
    CHECK(cpaas_count_segments(NULL, 1, &count) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_count_segments("a", SIZE_MAX, &count) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_count_segments(BAD, 2, &count) == CPAAS_BAD_UTF8);
    CHECK(cpaas_count_segments("a", 1, NULL) == CPAAS_BAD_ARGUMENT);

    CHECK(cpaas_segments(text, 400, NULL, parts, 2, &written, &count) == CPAAS_TOO_SMALL && written == 3);
    CHECK(parts[1].start == 153 && parts[1].end == 306 && count.count == 3);
    CHECK(cpaas_segments(text, 400, NULL, NULL, 0, &written, NULL) == CPAAS_TOO_SMALL && written == 3);
    CHECK(cpaas_segments(text, 400, NULL, NULL, 1, &written, NULL) == CPAAS_BAD_ARGUMENT && written == 0);
    CHECK(cpaas_segments(text, 400, NULL, parts, 2, NULL, NULL) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_segments(BAD, 2, NULL, parts, 2, &written, NULL) == CPAAS_BAD_UTF8 && written == 0);
    CHECK(cpaas_segments("a", 1, &options, parts, 2, &written, NULL) == CPAAS_BAD_ARGUMENT);
    options.size = sizeof options;
    options.reference_bits = 16;
    options.encoding = CPAAS_UCS2;
    CHECK(cpaas_segments(text, 67, &options, parts, 2, &written, &count) == CPAAS_OK && written == 1);
    CHECK(count.encoding == CPAAS_UCS2);
    options.split = CPAAS_SPLIT_GRAPHEME;
    CHECK(cpaas_segments(text, 132, &options, parts, 2, &written, NULL) == CPAAS_OK && written == 2);
    options.reference_bits = 9;
    CHECK(cpaas_segments("a", 1, &options, parts, 2, &written, NULL) == CPAAS_BAD_ARGUMENT);
    options.reference_bits = 8;
    options.encoding = CPAAS_GSM7;
    CHECK(cpaas_segments("\xd1\x8f", 2, &options, parts, 2, &written, NULL) == CPAAS_BAD_TEXT);
    options.encoding = 3;
    CHECK(cpaas_segments("a", 1, &options, parts, 2, &written, NULL) == CPAAS_BAD_ARGUMENT);

    options.encoding = 0;
    options.split = 2;
    CHECK(cpaas_segments("a", 1, &options, parts, 2, &written, NULL) == CPAAS_BAD_ARGUMENT);
    options.split = CPAAS_SPLIT_CODE_POINT;
    options.reserved = 1;
    CHECK(cpaas_segments("a", 1, &options, parts, 2, &written, NULL) == CPAAS_BAD_ARGUMENT);

    WITH_OUTPUT(cpaas_segments_json("Hi", 2, "{\"encoding\":\"ucs2\"}", &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_segments_json("Hi", 2, "{", &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_segments_json(BAD, 2, NULL, &out), CPAAS_BAD_UTF8);
    WITH_OUTPUT(cpaas_annotate("Hi", 2, &out), CPAAS_OK);
    BAD_CALL(cpaas_annotate(NULL, 2, &out), CPAAS_BAD_ARGUMENT);
    WITH_OUTPUT(cpaas_estimate("Hi", 2, "0.0075", &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_estimate("Hi", 2, "much", &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_estimate("Hi", 2, NULL, &out), CPAAS_BAD_ARGUMENT);
}

/* A smaller struct is invalid. A larger one from a newer header is valid if its unknown members are 0. */
static void sizes(void) {
    struct {
        cpaas_segment_options known;
        uint32_t later;
    } given;
    size_t written;
    memset(&given, 0, sizeof given);
    const size_t wrong[] = {0, 8, sizeof given.known - 1, 257, SIZE_MAX / 2, SIZE_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        given.known.size = wrong[i];
        CHECK(cpaas_segments("a", 1, &given.known, NULL, 0, &written, NULL) == CPAAS_BAD_ARGUMENT);
    }
    given.known.size = sizeof given;
    CHECK(cpaas_segments("a", 1, &given.known, NULL, 0, &written, NULL) == CPAAS_TOO_SMALL && written == 1);
    given.later = 1;
    CHECK(cpaas_segments("a", 1, &given.known, NULL, 0, &written, NULL) == CPAAS_BAD_ARGUMENT && written == 0);
    given.known.size = sizeof given.known;
    CHECK(cpaas_segments("a", 1, &given.known, NULL, 0, &written, NULL) == CPAAS_TOO_SMALL);
}

static void checking(void) {
    WITH_OUTPUT(cpaas_validate("sms.send", SMS, strlen(SMS), &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_validate("sms.send", "[", 1, &out), CPAAS_OK);
    BAD_CALL(cpaas_validate("sms.sent", SMS, strlen(SMS), &out), CPAAS_BAD_NAME);
    BAD_CALL(cpaas_validate(NULL, SMS, strlen(SMS), &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_validate("sms.send", NULL, 0, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_validate("sms.send", BAD, 2, &out), CPAAS_BAD_UTF8);
    BAD_CALL(cpaas_validate(BAD, SMS, strlen(SMS), &out), CPAAS_BAD_UTF8);
    CHECK(cpaas_validate("sms.send", SMS, strlen(SMS), NULL) == CPAAS_BAD_ARGUMENT);
    WITH_OUTPUT(cpaas_check("file", "{\"bytes\":1}", 11, &out), CPAAS_OK);
    BAD_CALL(cpaas_check("files", "{}", 2, &out), CPAAS_BAD_NAME);
    WITH_OUTPUT(cpaas_markup_parse("<b>x</b>", 8, "Html", &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_markup_parse("<b>x", 4, "Html", &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_markup_parse("x", 1, "html", &out), CPAAS_BAD_NAME);
    WITH_OUTPUT(cpaas_markup_escape("a_b", 3, "MarkdownV2", &out), CPAAS_OK);
    BAD_CALL(cpaas_markup_escape("x", 1, NULL, &out), CPAAS_BAD_ARGUMENT);
}

static void callbacks(void) {
    const char *config = "{\"audience\":\"shop\",\"public_url\":\"https://shop.example/hooks\",\"delivery_keys\":[{\"kid\":"
                         "\"k1\",\"secret\":\"a secret of thirty-two bytes or more\"}],\"endpoints\":[{\"path\":\"/sms\","
                         "\"sources\":[\"sms_report\"]}]}";
    const char *mint = "{\"source\":\"sms_report\",\"reference\":\"r\"}";
    const char *request = "{\"method\":\"GET\",\"url\":\"/hooks/sms?msgid=m\",\"headers\":{},\"body\":\"\"}";
    size_t len = strlen(config);
    WITH_OUTPUT(cpaas_token_mint(config, len, mint, strlen(mint), 1700000000, &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_token_mint(config, len, "{\"source\":\"inbound_sms\"}", 24, 1700000000, &out), CPAAS_REFUSED);
    WITH_OUTPUT(cpaas_token_mint("{}", 2, mint, strlen(mint), 1700000000, &out), CPAAS_BAD_TEXT);
    WITH_OUTPUT(cpaas_receive(config, len, request, strlen(request), 1700000000, &out), CPAAS_REFUSED);
    WITH_OUTPUT(cpaas_receive(config, len, "[]", 2, 1700000000, &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_receive(NULL, 0, "[]", 2, 1700000000, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_receive(BAD, 2, "[]", 2, 1700000000, &out), CPAAS_BAD_UTF8);
}

/* A receiver keeps its configuration and detects repeated reports. */
static void receivers(void) {
    const char *config = "{\"audience\":\"shop\",\"public_url\":\"https://shop.example/hooks\",\"delivery_keys\":[{\"kid\":"
                         "\"k1\",\"secret\":\"a secret of thirty-two bytes or more\"}],\"endpoints\":[{\"path\":\"/sms\","
                         "\"sources\":[\"sms_report\"]}]}";
    const char *mint = "{\"source\":\"sms_report\",\"reference\":\"r\"}";
    const uint64_t now = 1700000000;
    const char *unsigned_request = "{\"method\":\"GET\",\"url\":\"/hooks/sms\"}";
    char request[1024];
    cpaas_receiver *receiver = NULL;
    cpaas_text token, url, out;
    CHECK(cpaas_token_mint(config, strlen(config), mint, strlen(mint), now, &token) == CPAAS_OK);
    CHECK(cpaas_json_get(token.data, token.len, "/url", &url) == CPAAS_OK);
    snprintf(request, sizeof request, "{\"method\":\"GET\",\"url\":\"%s&msgid=m1&status=delivered&reference=r\"}", url.data);
    cpaas_text_free(&token);
    cpaas_text_free(&url);

    CHECK(cpaas_receiver_new(config, strlen(config), &receiver, &out) == CPAAS_OK && receiver && NONE);
    CHECK(cpaas_receiver_receive(receiver, request, strlen(request), now, &out) == CPAAS_OK);
    CHECK(json_is(out.data, "/duplicate", "false") && json_is(out.data, "/event/message_id", "m1"));
    cpaas_text_free(&out);
    CHECK(cpaas_receiver_receive(receiver, request, strlen(request), now, &out) == CPAAS_OK);
    CHECK(json_is(out.data, "/duplicate", "true") && json_is(out.data, "/ok", "true"));
    cpaas_text_free(&out);
    CHECK(cpaas_receiver_forget(receiver, request, strlen(request), now) == CPAAS_OK);
    CHECK(cpaas_receiver_receive(receiver, request, strlen(request), now, &out) == CPAAS_OK);
    CHECK(json_is(out.data, "/duplicate", "false"));
    cpaas_text_free(&out);
    CHECK(cpaas_receive(config, strlen(config), request, strlen(request), now, &out) == CPAAS_OK);
    CHECK(!strstr(out.data, "duplicate")); /* the function without state */
    cpaas_text_free(&out);

    WITH_OUTPUT(cpaas_receiver_receive(receiver, unsigned_request, strlen(unsigned_request), now, &out), CPAAS_REFUSED);
    CHECK(cpaas_receiver_receive(receiver, "{}", 2, now, &out) == CPAAS_BAD_TEXT && strstr(out.data, "`method` is required"));
    cpaas_text_free(&out);
    BAD_NAMED(cpaas_receiver_receive(receiver, NULL, 0, now, &out), CPAAS_BAD_ARGUMENT, "request");
    BAD_NAMED(cpaas_receiver_receive(NULL, "{}", 2, now, &out), CPAAS_BAD_ARGUMENT, "receiver");
    BAD_NAMED(cpaas_receiver_receive((cpaas_receiver *)4096, "{}", 2, now, &out), CPAAS_BAD_HANDLE, "receiver");
    cpaas_receiver *none = (cpaas_receiver *)4096;
    CHECK(cpaas_receiver_new("{}", 2, &none, &out) == CPAAS_BAD_TEXT && !none && strstr(out.data, "`audience` is required"));
    cpaas_text_free(&out);
    BAD_NAMED(cpaas_receiver_new("{}", 2, NULL, &out), CPAAS_BAD_ARGUMENT, "receiver");
    cpaas_receiver_free(receiver);
    cpaas_receiver_free(receiver);
    cpaas_receiver_free(NULL);
    BAD_NAMED(cpaas_receiver_receive(receiver, request, strlen(request), now, &out), CPAAS_BAD_HANDLE, "receiver");
    CHECK(cpaas_receiver_forget(receiver, "{}", 2, now) == CPAAS_BAD_HANDLE);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ended;
static cpaas_status last;

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    pthread_mutex_lock(&lock);
    CHECK(text && strlen(text) == len);
    last = status;
    ended++;
    *(int *)user_data += 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static cpaas_status await(int count) {
    pthread_mutex_lock(&lock);
    while (ended < count) pthread_cond_wait(&changed, &lock);
    cpaas_status status = last;
    pthread_mutex_unlock(&lock);
    return status;
}

static void calls(cpaas_client *client) {
    cpaas_call_options options = {0};
    const char *bad_number = "{\"from\":\"A\",\"to\":\"1\",\"text\":\"x\"}";
    int runs = 0;
    uint64_t number = 0;
    size_t len = strlen(SMS);
    WITH_OUTPUT(cpaas_call(client, "sms.send", SMS, len, &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_call(client, "sms.send", "{}", 2, &out), CPAAS_INVALID);
    WITH_OUTPUT(cpaas_call(client, "sms.send", "x", 1, &out), CPAAS_INVALID);
    BAD_CALL(cpaas_call(client, "sms", SMS, len, &out), CPAAS_BAD_NAME);
    BAD_CALL(cpaas_call(client, NULL, SMS, len, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_call(client, "sms.send", NULL, len, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_call(client, "sms.send", BAD, 2, &out), CPAAS_BAD_UTF8);
    BAD_CALL(cpaas_call(NULL, "sms.send", SMS, len, &out), CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_call(client, "sms.send", SMS, len, NULL) == CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_BAD_ARGUMENT);
    options.size = sizeof options;
    options.timeout_ms = 60000;
    options.deadline_ms = 90000;
    options.max_attempts = 1;
    options.retry_unknown = 2;
    options.validation = CPAAS_VALIDATION_WARN;
    WITH_OUTPUT(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_OK);
    options.validation = CPAAS_VALIDATION_OFF;
    WITH_OUTPUT(cpaas_call_with(client, "sms.send", bad_number, strlen(bad_number), &options, &out), CPAAS_REJECTED);
    options.validation = 4;
    BAD_CALL(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_BAD_ARGUMENT);
    options.validation = CPAAS_VALIDATION_STRICT;
    options.reserved = 1;
    BAD_CALL(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_BAD_ARGUMENT);
    options.reserved = 0;
    options.retry_unknown = 3;
    BAD_CALL(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_BAD_ARGUMENT);

    CHECK(cpaas_call_async(client, "sms.send", SMS, len, NULL, done, &runs, &number) == CPAAS_OK && number > 0);
    CHECK(await(1) == CPAAS_OK && runs == 1);
    CHECK(cpaas_cancel(client, number) == CPAAS_OK);
    CHECK(cpaas_call_async(client, "sms.send", "{}", 2, NULL, done, &runs, NULL) == CPAAS_OK);
    CHECK(await(2) == CPAAS_INVALID && runs == 2);
    CHECK(cpaas_call_async(client, "sms.send", SMS, len, &options, done, &runs, NULL) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_call_async(client, "sms.send", SMS, len, NULL, NULL, &runs, NULL) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_call_async(client, "sms", SMS, len, NULL, done, &runs, NULL) == CPAAS_BAD_NAME);
    CHECK(cpaas_cancel(NULL, 1) == CPAAS_BAD_ARGUMENT);

    WITH_OUTPUT(cpaas_prepare(client, "sms.send", SMS, len, &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_prepare(client, "sms.send", "{}", 2, &out), CPAAS_INVALID);
    cpaas_client *keyless = client_of("{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"\"}");
    cpaas_text refused;
    CHECK(cpaas_call(keyless, "sms.send", SMS, len, &refused) == CPAAS_INVALID);
    CHECK(strstr(refused.data, "\"sent\":\"no\",\"reason\":\"config\"") && strstr(refused.data, "CPAAS_SMS_KEY"));
    cpaas_text_free(&refused);
    WITH_OUTPUT(cpaas_prepare(keyless, "sms.send", SMS, len, &out), CPAAS_INVALID);
    cpaas_client_free(keyless);
    BAD_CALL(cpaas_prepare(client, "sms", SMS, len, &out), CPAAS_BAD_NAME);
    const char *response = "{\"id\":\"m\",\"responseCode\":0}";
    WITH_OUTPUT(cpaas_parse(client, "sms.send", 200, NULL, 0, response, strlen(response), &out), CPAAS_OK);
    CHECK(cpaas_parse(client, "sms.send", 503, "{\"Retry-After\":\"7\"}", 19, NULL, 0, &refused) == CPAAS_UNKNOWN);
    CHECK(strstr(refused.data, "\"retry_after_ms\":7000"));
    cpaas_text_free(&refused);
    const char *crowded = "{\"code\":429,\"message\":\"Too many\",\"requestID\":null}";
    WITH_OUTPUT(cpaas_parse(client, "otp.send", 429, NULL, 0, crowded, strlen(crowded), &out), CPAAS_REJECTED);
    WITH_OUTPUT(cpaas_parse(client, "sms.send", 500, NULL, 0, BAD, 2, &out), CPAAS_UNKNOWN);
    BAD_CALL(cpaas_parse(client, "sms.send", 200, "[]", 2, response, strlen(response), &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_parse(client, "sms.send", 200, NULL, 0, NULL, 4, &out), CPAAS_BAD_ARGUMENT);
}

static cpaas_status raw(cpaas_client *client, const char *request, cpaas_text *out) {
    return cpaas_call(client, "raw", request, strlen(request), out);
}

/* Typed calls: no JSON, no escapes, and a wrong passcode is never CPAAS_OK. */
static void typed(cpaas_client *client) {
    cpaas_sms sms = {0};
    cpaas_otp otp = {0};
    cpaas_otp_check check = {0};
    cpaas_sent sent = {0};
    cpaas_lookup lookup = {0};
    bool verified = true;
    cpaas_text out;
    sms.size = sizeof sms, otp.size = sizeof otp, check.size = sizeof check, sent.size = sizeof sent, lookup.size = sizeof lookup;
    sms.from = "Acme", sms.to = "306912345678", sms.text = "Say \"hi\",\"to\":\"306900000000\\";
    CHECK(cpaas_sms_send(client, &sms, NULL, &sent, &out) == CPAAS_OK && sent.id[0] != '\0');
    CHECK(json_is(out.data, "/id", sent.id));
    cpaas_text_free(&out);
    WITH_OUTPUT(cpaas_sms_send(client, &sms, NULL, NULL, &out), CPAAS_OK);
    sms.to = "nobody";
    CHECK(cpaas_sms_send(client, &sms, NULL, &sent, &out) == CPAAS_INVALID && sent.id[0] == '\0');
    CHECK(json_is(out.data, "/problems/0/pointer", "/to"));
    cpaas_text_free(&out);
    sms.to = NULL;
    BAD_NAMED(cpaas_sms_send(client, &sms, NULL, &sent, &out), CPAAS_BAD_ARGUMENT, "to");
    BAD_NAMED(cpaas_sms_send(client, NULL, NULL, &sent, &out), CPAAS_BAD_ARGUMENT, "sms");
    sms.to = "306912345678", sms.test = 2;
    BAD_NAMED(cpaas_sms_send(client, &sms, NULL, &sent, &out), CPAAS_BAD_ARGUMENT, "sms");
    sms.test = 0, sms.size = 8;
    BAD_NAMED(cpaas_sms_send(client, &sms, NULL, &sent, &out), CPAAS_BAD_ARGUMENT, "sms");
    sms.size = sizeof sms, sent.size = 0;
    BAD_NAMED(cpaas_sms_send(client, &sms, NULL, &sent, &out), CPAAS_BAD_ARGUMENT, "sent");
    sent.size = sizeof sent;

    otp.service = "login", otp.from = "Acme", otp.to = "306912345679", otp.body = "Your code is {code}";
    CHECK(cpaas_otp_send(client, &otp, NULL, &sent, &out) == CPAAS_OK && strncmp(sent.id, "OTP", 3) == 0);
    cpaas_text_free(&out);
    check.service = "login", check.request_id = sent.id, check.code = "not it";
    CHECK(cpaas_otp_verify(client, &check, NULL, &verified, &out) == CPAAS_NOT_VERIFIED && !verified);
    CHECK(out.data && strstr(out.data, "\"code\""));
    cpaas_text_free(&out);
    char request[256];
    snprintf(request, sizeof request, "{\"service\":\"login\",\"requestId\":\"%s\",\"code\":\"000\"}", sent.id);
    WITH_OUTPUT(cpaas_call(client, "otp.verify", request, strlen(request), &out), CPAAS_NOT_VERIFIED);
    verified = true;
    check.code = NULL;
    BAD_NAMED(cpaas_otp_verify(client, &check, NULL, &verified, &out), CPAAS_BAD_ARGUMENT, "code");
    CHECK(!verified);
    BAD_NAMED(cpaas_otp_verify(client, &check, NULL, NULL, &out), CPAAS_BAD_ARGUMENT, "verified");
    const char *accepted = "{\"code\":200,\"message\":\"OK\",\"requestID\":\"OTP1\"}", *wrong = "{\"code\":201,\"message\":\"Invalid\",\"requestID\":\"OTP1\"}";
    WITH_OUTPUT(cpaas_parse(client, "otp.verify", 200, NULL, 0, accepted, strlen(accepted), &out), CPAAS_OK);
    CHECK(cpaas_parse(client, "otp.verify", 200, NULL, 0, wrong, strlen(wrong), &out) != CPAAS_OK);
    cpaas_text_free(&out);

    CHECK(cpaas_lookup_one(client, "306912345678", NULL, &lookup, &out) == CPAAS_OK);
    CHECK(json_is(out.data, "/msisdn", "306912345678") && json_is(out.data, "/mcc", lookup.mcc));
    CHECK(lookup.network[0] != '\0' && lookup.ported <= 2);
    cpaas_text_free(&out);
    BAD_NAMED(cpaas_lookup_one(client, NULL, NULL, &lookup, &out), CPAAS_BAD_ARGUMENT, "msisdn");
}

static void raw_calls(cpaas_client *client) {
    static const char *const wrong[] = {
        "", "[]", "{}", "null", "{\"method\":\"GET\",\"family\":\"otp\"}", "{\"method\":\"PATCH\",\"family\":\"otp\",\"path\":\"/\"}",
        "{\"method\":\"GET\",\"family\":\"fax\",\"path\":\"/\"}", "{\"method\":\"GET\",\"family\":\"otp\",\"path\":\"x\"}",
        "{\"method\":\"GET\",\"family\":\"otp\",\"path\":7}", "{\"method\":\"GET\",\"family\":\"otp\",\"path\":\"/\",\"headers\":[]}",
        "{\"method\":\"GET\",\"family\":\"otp\",\"path\":\"/\",\"query\":{\"a\":[]}}", "{\"method\":\"GET\",\"family\":\"otp\",\"path\":\"/\",\"qeury\":{}}",
        "{\"method\":\"GET\",\"family\":\"otp\",\"path\":\"/2fa/search\",\"headers\":{\"x-a\":\"a\\r\\nb: c\"}}",
        "{\"method\":\"GET\",\"family\":\"otp\",\"path\":\"/2fa/search\",\"headers\":{\"x a\":\"b\"}}",
    };
    const char *search = "{\"method\":\"get\",\"family\":\"otp\",\"path\":\"/2fa/search\",\"query\":{\"pageSize\":1}}";
    const char *send = "{\"method\":\"POST\",\"family\":\"sms\",\"path\":\"/sms.json\",\"body\":" SMS "}";
    int runs = 0;
    cpaas_text out;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(raw(client, wrong[i], &out) == CPAAS_INVALID);
        CHECK(out.data && strstr(out.data, "\"sent\":\"no\""));
        cpaas_text_free(&out);
    }
    WITH_OUTPUT(raw(client, search, &out), CPAAS_OK);
    CHECK(raw(client, send, &out) == CPAAS_OK);
    CHECK(strstr(out.data, "\"status\":200") && strstr(out.data, "\"responseCode\":0") && strstr(out.data, "\"content-type\""));
    cpaas_text_free(&out);
    WITH_OUTPUT(raw(client, "{\"method\":\"GET\",\"family\":\"otp\",\"path\":\"/nowhere\"}", &out), CPAAS_REJECTED);
    CHECK(cpaas_call_async(client, "raw", search, strlen(search), NULL, done, &runs, NULL) == CPAAS_OK);
    CHECK(await(3) == CPAAS_OK);
    CHECK(cpaas_call_async(client, "raw", "{}", 2, NULL, done, &runs, NULL) == CPAAS_OK);
    CHECK(await(4) == CPAAS_INVALID && runs == 2);
    BAD_CALL(cpaas_prepare(client, "raw", search, strlen(search), &out), CPAAS_BAD_NAME);
    BAD_CALL(cpaas_validate("raw", search, strlen(search), &out), CPAAS_BAD_NAME);
}

/* Results that the program polls: each once, with its user_data; the descriptor is readable while there are results. */
static void polled(cpaas_client *client) {
    enum { CALLS = 20 };
    cpaas_result results[4];
    uint64_t number;
    int tags[CALLS], seen = 0, ok = 0, fd = cpaas_event_fd(client);
    struct pollfd waiting = {fd, POLLIN, 0};
    memset(tags, 0, sizeof tags);
    CHECK(fd >= 0 && cpaas_event_fd(client) == fd && poll(&waiting, 1, 0) == 0);
    CHECK(cpaas_poll(client, results, 4) == 0);
    CHECK(cpaas_event_fd(NULL) == -1 && cpaas_event_fd(garbage[1]) == -1 && cpaas_poll(garbage[1], results, 4) == 0);
    CHECK(cpaas_poll(client, NULL, 4) == 0);
    for (int i = 0; i < CALLS; i++) {
        CHECK(cpaas_call_start(client, "sms.send", i % 2 ? SMS : "{}", i % 2 ? strlen(SMS) : 2, NULL, &tags[i], &number) == CPAAS_OK && number > 0);
    }
    while (seen < CALLS && poll(&waiting, 1, 60000) == 1) {
        size_t count = cpaas_poll(client, results, 4);
        CHECK(count <= 4);
        for (size_t i = 0; i < count; i++, seen++) {
            int *tag = results[i].user_data;
            ok += *tag == 0 && results[i].status == ((tag - tags) % 2 ? CPAAS_OK : CPAAS_INVALID) && results[i].text.data;
            *tag = 1;
            cpaas_text_free(&results[i].text);
        }
    }
    CHECK(seen == CALLS && ok == CALLS && poll(&waiting, 1, 0) == 0);
    CHECK(cpaas_call_start(client, "sms", SMS, strlen(SMS), NULL, NULL, NULL) == CPAAS_BAD_NAME);
    CHECK(cpaas_call_start(NULL, "sms.send", SMS, strlen(SMS), NULL, NULL, NULL) == CPAAS_BAD_ARGUMENT);
    cpaas_client *other = client_of("{}"); /* results that nobody polls are freed with their client */
    CHECK(cpaas_call_start(other, "sms.send", SMS, strlen(SMS), NULL, NULL, &number) == CPAAS_OK);
    CHECK(cpaas_cancel(other, number) == CPAAS_OK);
    cpaas_client_free(other);
}

/* Accepts a connection and waits for its first bytes. */
static int arrived(int fd) {
    char data[4096];
    int connection = accept(fd, NULL, NULL);
    CHECK(recv(connection, data, sizeof data, 0) > 0);
    return connection;
}

/* A server whose queue is full: connections to it are never made. Cancelling such a call proves that nothing was sent. */
static void connecting(void) {
    char config[256];
    int runs = 0, waiting[8], before = ended, fd = silent_server(config, sizeof config);
    uint64_t number;
    struct sockaddr_in address;
    socklen_t len = sizeof address;
    CHECK(listen(fd, 0) == 0 && getsockname(fd, (struct sockaddr *)&address, &len) == 0);
    for (int i = 0; i < 8; i++) {
        waiting[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(waiting[i], (struct sockaddr *)&address, len);
    }
    cpaas_client *client = client_of(config);
    CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, &runs, &number) == CPAAS_OK);
    usleep(100000); /* the connection is being made */
    CHECK(cpaas_cancel(client, number) == CPAAS_OK && await(before + 1) == CPAAS_NOT_SENT);
    CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, &runs, &number) == CPAAS_OK);
    CHECK(cpaas_cancel(client, number) == CPAAS_OK && await(before + 2) == CPAAS_NOT_SENT); /* it may not have begun */
    cpaas_client_free(client);
    for (int i = 0; i < 8; i++) close(waiting[i]);
    close(fd);
}

static void hanging(void) {
    char config[256], secure[300];
    int runs = 0, fd = silent_server(config, sizeof config);
    uint64_t number;
    cpaas_call_options options = {0};
    options.size = sizeof options;
    options.timeout_ms = 3000;
    cpaas_client *client = client_of(config);
    WITH_OUTPUT(cpaas_call_with(client, "sms.send", SMS, strlen(SMS), &options, &out), CPAAS_UNKNOWN);
    CHECK(requests_at(fd) == 1);
    CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, &runs, &number) == CPAAS_OK);
    int connection = arrived(fd); /* the request */
    CHECK(cpaas_cancel(client, number) == CPAAS_OK);
    CHECK(await(5) == CPAAS_UNKNOWN);
    close(connection);
    snprintf(secure, sizeof secure, "{\"sms_url\":\"https%s", strstr(config, "://"));
    cpaas_client *other = client_of(secure);
    CHECK(cpaas_call_async(other, "sms.send", SMS, strlen(SMS), NULL, done, &runs, &number) == CPAAS_OK);
    connection = arrived(fd); /* the start of a TLS handshake */
    CHECK(cpaas_cancel(other, number) == CPAAS_OK);
    CHECK(await(6) == CPAAS_NOT_SENT);
    close(connection);
    cpaas_client_free(other);
    CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, &runs, NULL) == CPAAS_OK);
    cpaas_client_free(client); /* cancels, and waits for the callback */
    CHECK(runs == 3);
    BAD_CALL(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out), CPAAS_BAD_HANDLE);
    cpaas_client_free(client);
    close(fd);
    client = client_of(config);
    WITH_OUTPUT(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out), CPAAS_NOT_SENT);
    cpaas_client_free(client);
}

static int lines;

static void log_line(void *user_data, uint32_t level, const char *text, size_t len) {
    CHECK(strlen(text) == len && level >= CPAAS_LOG_ERROR && level <= CPAAS_LOG_DEBUG);
    CHECK(!strstr(text, "306912345678") && !strstr(text, "Hi") && !strstr(text, getenv("CPAAS_SMS_KEY")));
    CHECK(!strstr(text, "127.0.0.1"));
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_BAD_ARGUMENT);
    lines += strstr(text, "sms.send") != NULL;
    *(int *)user_data += 1;
}

static int with_reference, warnings, lines_of_call;

static void reference_line(void *user_data, uint32_t level, const char *text, size_t len) {
    (void)user_data, (void)len;
    lines_of_call++;
    with_reference += strstr(text, "operation=sms.send") && strstr(text, "reference=booking-7");
    warnings += level == CPAAS_LOG_WARN && strstr(text, "ending=unknown");
}

/* The reference is in every line of a call, and an unknown outcome is a warning. */
static void log_lines(void) {
    char config[256];
    const char *sms = "{\"from\":\"Acme\",\"to\":\"306912345678\",\"text\":\"Hi\",\"reference\":\"booking-7\"}";
    int fd = silent_server(config, sizeof config);
    cpaas_call_options options = {0};
    options.size = sizeof options;
    options.timeout_ms = 200;
    cpaas_client *client = client_of(config);
    CHECK(cpaas_log_callback(reference_line, NULL, CPAAS_LOG_DEBUG) == CPAAS_OK);
    WITH_OUTPUT(cpaas_call_with(client, "sms.send", sms, strlen(sms), &options, &out), CPAAS_UNKNOWN);
    close(fd);
    options.max_attempts = 2;
    options.timeout_ms = 0;
    WITH_OUTPUT(cpaas_call_with(client, "sms.send", sms, strlen(sms), &options, &out), CPAAS_NOT_SENT); /* with a retry */
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_OK);
    CHECK(lines_of_call == 3 && with_reference == lines_of_call && warnings == 1);
    cpaas_client_free(client);
}

static void logging(cpaas_client *client) {
    int count = 0;
    CHECK(cpaas_log_callback(log_line, &count, 0) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_log_callback(log_line, &count, 5) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_log_callback(log_line, &count, CPAAS_LOG_DEBUG) == CPAAS_OK);
    WITH_OUTPUT(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out), CPAAS_OK);
    CHECK(count > 0 && lines > 0);
    CHECK(cpaas_log_callback(log_line, &count, CPAAS_LOG_WARN) == CPAAS_OK);
    int before = count;
    WITH_OUTPUT(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out), CPAAS_OK);
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_OK);
    WITH_OUTPUT(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out), CPAAS_OK);
    CHECK(count == before);
}

int main(void) {
    cpaas_client *client = NULL;
    information();
    versions();
    json();
    receivers();
    counting();
    sizes();
    checking();
    callbacks();
    WITH_OUTPUT(cpaas_client_new("{\"sms_ulr\":1}", 13, &client, &out), CPAAS_INVALID);
    CHECK(client == NULL);
    BAD_CALL(cpaas_client_new(BAD, 2, &client, &out), CPAAS_BAD_UTF8);
    BAD_CALL(cpaas_client_new("{}", 2, NULL, &out), CPAAS_BAD_ARGUMENT);
    client = garbage[0];
    CHECK(cpaas_client_new("{}", 2, &client, NULL) == CPAAS_BAD_ARGUMENT && client == NULL);
    STATUS_ONLY(cpaas_client_new(NULL, 0, &client, &out), CPAAS_OK);
    calls(client);
    raw_calls(client);
    arguments(client);
    typed(client);
    polled(client);
    logging(client);
    log_lines();
    hanging();
    connecting();
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++) {
        BAD_CALL(cpaas_call(garbage[i], "sms.send", SMS, strlen(SMS), &out), CPAAS_BAD_HANDLE);
        CHECK(cpaas_cancel(garbage[i], 1) == CPAAS_BAD_HANDLE);
        cpaas_client_free(garbage[i]);
    }
    cpaas_client_free(client);
    cpaas_client_free(client);
    cpaas_client_free(NULL);
    cpaas_shutdown();
    cpaas_shutdown();
    client = client_of("{}"); /* the threads start again */
    WITH_OUTPUT(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out), CPAAS_OK);
    cpaas_client_free(client);
    cpaas_shutdown();
    return checks_end();
}
