/* Callback requests as structs: the same results and the same memory as with JSON, a body of any bytes, and the names of invalid members. */
#include <stdint.h>

#include "check.h"

static const uint64_t now = 1700000000;
#define KEYS "[{\"kid\":\"k1\",\"secret\":\"a secret of thirty-two bytes or more\"}]"
static const char *config = "{\"audience\":\"shop\",\"public_url\":\"https://shop.example/hooks\",\"delivery_keys\":" KEYS
                            ",\"inbound_keys\":" KEYS "}";

static cpaas_receiver *new_receiver(void) {
    cpaas_receiver *receiver = NULL;
    cpaas_text out;
    CHECK(cpaas_receiver_new(config, strlen(config), &receiver, &out) == CPAAS_OK && receiver && NONE);
    return receiver;
}

/* Writes the URL of a source, with `rest` after its token. */
static void url_of(const char *source, const char *rest, char *url, size_t size) {
    char mint[128];
    cpaas_text out, text;
    snprintf(mint, sizeof mint, "{\"source\":\"%s\",\"reference\":\"r\"}", source);
    CHECK(cpaas_token_mint(config, strlen(config), mint, strlen(mint), now, &out) == CPAAS_OK);
    CHECK(cpaas_json_get(out.data, out.len, "/url", &text) == CPAAS_OK);
    snprintf(url, size, "%s%s", text.data, rest);
    cpaas_text_free(&text);
    cpaas_text_free(&out);
}

static cpaas_callback_request request_of(const char *method, const char *url, const char *type, const char *body, size_t len) {
    cpaas_callback_request request;
    memset(&request, 0, sizeof request);
    request.size = sizeof request;
    request.method = method, request.url = url, request.content_type = type, request.body = body, request.body_len = len;
    return request;
}

/* Whether a request has this value at a pointer of its result. */
static int has(const cpaas_receiver *receiver, const cpaas_callback_request *request, const char *pointer, const char *expected) {
    cpaas_text out;
    CHECK(cpaas_receiver_receive_request(receiver, request, now, &out) == CPAAS_OK && out.data && out.data[out.len] == '\0');
    int is = json_is(out.data, "/ok", "true") && json_is(out.data, "/status", "200") && json_is(out.data, pointer, expected);
    cpaas_text_free(&out);
    return is;
}

/* Both forms of a request share one memory of duplicates. */
static void duplicates(void) {
    cpaas_receiver *receiver = new_receiver();
    char url[1024], json[2048];
    cpaas_text out;
    url_of("sms_report", "&msgid=m1&status=delivered&reference=r", url, sizeof url);
    snprintf(json, sizeof json, "{\"method\":\"GET\",\"url\":\"%s\"}", url);
    cpaas_callback_request request = request_of("GET", url, NULL, NULL, 0);
    CHECK(has(receiver, &request, "/duplicate", "false"));
    CHECK(has(receiver, &request, "/duplicate", "true"));
    CHECK(cpaas_receiver_receive(receiver, json, strlen(json), now, &out) == CPAAS_OK && json_is(out.data, "/duplicate", "true"));
    cpaas_text_free(&out);
    CHECK(cpaas_receiver_forget_request(receiver, &request, now) == CPAAS_OK);
    CHECK(cpaas_receiver_receive(receiver, json, strlen(json), now, &out) == CPAAS_OK && json_is(out.data, "/duplicate", "false"));
    CHECK(json_is(out.data, "/event/message_id", "m1") && json_is(out.data, "/event/status", "delivered"));
    cpaas_text_free(&out);
    CHECK(cpaas_receiver_forget(receiver, json, strlen(json), now) == CPAAS_OK);
    CHECK(has(receiver, &request, "/duplicate", "false"));
    cpaas_receiver_free(receiver);
}

static void leases(void) {
    cpaas_receiver *receiver = new_receiver();
    char url[1024];
    cpaas_text out, lease;
    url_of("sms_report", "&msgid=m2&status=delivered&reference=r", url, sizeof url);
    cpaas_callback_request request = request_of("GET", url, NULL, NULL, 0);
    CHECK(cpaas_receiver_lease(receiver, 90) == CPAAS_OK);
    CHECK(cpaas_receiver_receive_request(receiver, &request, now, &out) == CPAAS_OK && json_is(out.data, "/state", "new"));
    CHECK(cpaas_json_get(out.data, out.len, "/lease", &lease) == CPAAS_OK && lease.len > 0);
    cpaas_text_free(&out);
    CHECK(cpaas_receiver_receive_request(receiver, &request, now, &out) == CPAAS_OK);
    CHECK(json_is(out.data, "/state", "busy") && json_is(out.data, "/status", "503") && json_is(out.data, "/retry_after", "90"));
    cpaas_text_free(&out);
    CHECK(cpaas_receiver_forget_request(receiver, &request, now) == CPAAS_BAD_ARGUMENT); /* has leases */
    CHECK(cpaas_receiver_done(receiver, lease.data, lease.len) == CPAAS_OK);
    CHECK(has(receiver, &request, "/state", "done"));
    cpaas_text_free(&lease);
    cpaas_receiver_free(receiver);
}

/* The body may have any bytes, also 0; the type of the content decides how it is read. */
static void bodies(void) {
    cpaas_receiver *receiver = new_receiver();
    char url[1024];
    url_of("inbound_sms", "", url, sizeof url);
    const char *form = "from=306912345678&to=54100&text=caf%C3%A9", *json = "{\"from\":\"306912345678\",\"to\":\"54100\",\"text\":\"Yes\"}";
    const char broken[] = "{\"text\":\"caf\xe9\"}", zeros[] = {0, 1, 0, (char)0xff};
    cpaas_callback_request request = request_of("POST", url, "application/x-www-form-urlencoded", form, strlen(form));
    CHECK(has(receiver, &request, "/event/kind", "inbound_sms") && has(receiver, &request, "/event/text", "caf\xc3\xa9"));
    request = request_of("post", url, "Application/JSON; charset=utf-8", json, strlen(json));
    CHECK(has(receiver, &request, "/event/text", "Yes"));
    request = request_of("POST", url, "application/json", broken, sizeof broken - 1);
    CHECK(has(receiver, &request, "/event/kind", "unknown"));
    request = request_of("POST", url, NULL, zeros, sizeof zeros);
    CHECK(has(receiver, &request, "/event/kind", "unknown"));
    request = request_of("POST", url, NULL, NULL, 0);
    CHECK(has(receiver, &request, "/event/kind", "unknown"));
    request = request_of("POST", url, NULL, "", 0);
    CHECK(has(receiver, &request, "/event/kind", "unknown"));
    request = request_of("POST", url, "application/json", json, strlen(json) - 1); /* not the whole body */
    CHECK(has(receiver, &request, "/event/kind", "unknown"));

    char *large = malloc(1 << 20);
    memset(large, '[', 1 << 20);
    request = request_of("POST", url, "application/json", large, 1 << 20);
    CHECK(has(receiver, &request, "/event/kind", "unknown"));
    free(large);
    cpaas_receiver_free(receiver);
}

static void rejections(void) {
    cpaas_receiver *receiver = new_receiver();
    char url[1024];
    url_of("inbound_sms", "", url, sizeof url);
    const char *urls[] = {"/hooks?token=v1.k1.a.b", "/hooks", "", "?"};
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        cpaas_callback_request request = request_of("GET", urls[i], NULL, NULL, 0);
        cpaas_text out;
        CHECK(cpaas_receiver_receive_request(receiver, &request, now, &out) == CPAAS_CALLBACK_REJECTED);
        CHECK(json_is(out.data, "/status", "403") && json_is(out.data, "/ok", "false"));
        cpaas_text_free(&out);
        CHECK(cpaas_receiver_forget_request(receiver, &request, now) == CPAAS_CALLBACK_REJECTED);
    }
    cpaas_callback_request request = request_of("PUT", url, NULL, NULL, 0);
    cpaas_text out;
    CHECK(cpaas_receiver_receive_request(receiver, &request, now, &out) == CPAAS_CALLBACK_REJECTED && json_is(out.data, "/reason", "method"));
    cpaas_text_free(&out);
    cpaas_receiver_free(receiver);
}

#define REFUSED(status, name)                                                                          \
    do {                                                                                               \
        BAD_NAMED(cpaas_receiver_receive_request(receiver, &request, now, &out), status, name);       \
        CHECK(cpaas_receiver_forget_request(receiver, &request, now) == (status));                     \
        request = valid;                                                                               \
    } while (0)

static void arguments(void) {
    cpaas_receiver *receiver = new_receiver(), *freed = new_receiver();
    char url[1024];
    url_of("inbound_sms", "", url, sizeof url);
    const cpaas_callback_request valid = request_of("POST", url, "application/json", "{}", 2);
    cpaas_callback_request request = valid;
    request.method = NULL;
    REFUSED(CPAAS_BAD_ARGUMENT, "method");
    request.url = NULL;
    REFUSED(CPAAS_BAD_ARGUMENT, "url");
    request.body = NULL;
    REFUSED(CPAAS_BAD_ARGUMENT, "body");
    request.body_len = SIZE_MAX;
    REFUSED(CPAAS_BAD_ARGUMENT, "body");
    request.method = INVALID_UTF8;
    REFUSED(CPAAS_BAD_UTF8, "method");
    request.url = INVALID_UTF8;
    REFUSED(CPAAS_BAD_UTF8, "url");
    request.content_type = INVALID_UTF8;
    REFUSED(CPAAS_BAD_UTF8, "content_type");
    size_t sizes[] = {0, 1, sizeof request - 1, sizeof request + 4096, SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        request.size = sizes[i];
        REFUSED(CPAAS_BAD_ARGUMENT, "request");
    }
    BAD_NAMED(cpaas_receiver_receive_request(receiver, NULL, now, &out), CPAAS_BAD_ARGUMENT, "request");
    CHECK(cpaas_receiver_forget_request(receiver, NULL, now) == CPAAS_BAD_ARGUMENT);
    BAD_NAMED(cpaas_receiver_receive_request(NULL, &request, now, &out), CPAAS_BAD_ARGUMENT, "receiver");
    CHECK(cpaas_receiver_forget_request(NULL, &request, now) == CPAAS_BAD_ARGUMENT);
    cpaas_receiver_free(freed);
    BAD_NAMED(cpaas_receiver_receive_request(freed, &request, now, &out), CPAAS_BAD_HANDLE, "receiver");
    CHECK(cpaas_receiver_forget_request(freed, &request, now) == CPAAS_BAD_HANDLE);
    CHECK(cpaas_receiver_receive_request(receiver, &request, now, NULL) == CPAAS_BAD_ARGUMENT);

    struct { /* a larger struct of a newer header */
        cpaas_callback_request known;
        size_t unknown;
    } newer = {valid, 0};
    newer.known.size = sizeof newer;
    CHECK(has(receiver, &newer.known, "/event/kind", "unknown"));
    newer.unknown = 1;
    BAD_NAMED(cpaas_receiver_receive_request(receiver, &newer.known, now, &out), CPAAS_BAD_ARGUMENT, "request");
    cpaas_receiver_free(receiver);
}

/* In JSON, `headers` of another type is named. */
static void headers_in_json(void) {
    const char *headers[] = {"\"hush\"", "7", "null"};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        char request[256];
        cpaas_text out;
        snprintf(request, sizeof request, "{\"method\":\"GET\",\"url\":\"/\",\"headers\":%s}", headers[i]);
        CHECK(cpaas_receive(config, strlen(config), request, strlen(request), now, &out) == CPAAS_BAD_TEXT);
        CHECK(out.data && strcmp(out.data, "`headers` must be an object of strings or a list of pairs") == 0);
        cpaas_text_free(&out);
    }
}

int main(void) {
    duplicates();
    leases();
    bodies();
    rejections();
    arguments();
    headers_in_json();
    return checks_end();
}
