/* The part of typed_calls.c that tests receivers of callbacks. */
#include <stdint.h>

#include "check.h"

#include <pthread.h>

void check_receivers(void);

static const uint64_t now = 1700000000;
static const char *config = "{\"audience\":\"shop\",\"public_url\":\"https://shop.example/hooks\",\"delivery_keys\":[{\"kid\":"
                            "\"k1\",\"secret\":\"a secret of thirty-two bytes or more\"}],\"endpoints\":[{\"path\":\"/sms\","
                            "\"sources\":[\"sms_report\"]}]}";

static cpaas_receiver *receiver_of(const char *text) {
    cpaas_receiver *receiver = NULL;
    cpaas_text out;
    CHECK(cpaas_receiver_new(text, strlen(text), &receiver, &out) == CPAAS_OK && receiver && NONE);
    return receiver;
}

/* Writes the report of a message; the same text for each call with this id. */
static void report_of(const char *id, char *request, size_t size) {
    static cpaas_text url;
    if (!url.data) {
        const char *mint = "{\"source\":\"sms_report\",\"reference\":\"r\"}";
        cpaas_text token;
        CHECK(cpaas_token_mint(config, strlen(config), mint, strlen(mint), now, &token) == CPAAS_OK);
        CHECK(cpaas_json_get(token.data, token.len, "/url", &url) == CPAAS_OK);
        cpaas_text_free(&token);
    }
    if (!id) {
        cpaas_text_free(&url);
        return;
    }
    snprintf(request, size, "{\"method\":\"GET\",\"url\":\"%s&msgid=%s&status=delivered&reference=r\"}", url.data, id);
}

typedef struct answer {
    char state[16], status[8], retry_after[16], lease[128];
} answer;

static void member(const cpaas_text *json, const char *pointer, char *value, size_t size) {
    cpaas_text found;
    CHECK(cpaas_json_get(json->data, json->len, pointer, &found) == CPAAS_OK);
    snprintf(value, size, "%s", found.data ? found.data : "-");
    cpaas_text_free(&found);
}

/* Reads a result, and frees it. */
static void read_answer(cpaas_text *out, answer *answer) {
    member(out, "/state", answer->state, sizeof answer->state);
    member(out, "/status", answer->status, sizeof answer->status);
    member(out, "/retry_after", answer->retry_after, sizeof answer->retry_after);
    member(out, "/lease", answer->lease, sizeof answer->lease);
    cpaas_text_free(out);
}

static answer arrive(const cpaas_receiver *receiver, const char *id) {
    char request[1024];
    cpaas_text out;
    answer answer;
    report_of(id, request, sizeof request);
    CHECK(cpaas_receiver_receive(receiver, request, strlen(request), now, &out) == CPAAS_OK);
    CHECK(!strstr(out.data, "duplicate") && json_is(out.data, "/ok", "true"));
    read_answer(&out, &answer);
    return answer;
}

static int is_new(answer answer) {
    return !strcmp(answer.state, "new") && !strcmp(answer.status, "200") && !strcmp(answer.retry_after, "null") && answer.lease[0];
}

static int is_done(answer answer) {
    return !strcmp(answer.state, "done") && !strcmp(answer.status, "200") && !strcmp(answer.retry_after, "null") && !answer.lease[0];
}

static int is_busy(answer answer, const char *seconds) {
    return !strcmp(answer.state, "busy") && !strcmp(answer.status, "503") && !strcmp(answer.retry_after, seconds) && !answer.lease[0];
}

static cpaas_status done(const cpaas_receiver *receiver, const answer *of) {
    return cpaas_receiver_done(receiver, of->lease, strlen(of->lease));
}

static cpaas_status free_lease(const cpaas_receiver *receiver, const answer *of) {
    return cpaas_receiver_free_lease(receiver, of->lease, strlen(of->lease));
}

/* A request with several events has no key: it is always new, and free if one of them fails. */
static void check_batch(void) {
    const char *all = "{\"audience\":\"shop\",\"public_url\":\"https://shop.example/hooks\",\"delivery_keys\":[{\"kid\":\"k1\","
                      "\"secret\":\"a secret of thirty-two bytes or more\"}]}";
    const char *mint = "{\"source\":\"chat_report\"}";
    char request[1024];
    cpaas_text out, url;
    cpaas_receiver *receiver = receiver_of(all);
    CHECK(cpaas_receiver_lease(receiver, 90) == CPAAS_OK);
    CHECK(cpaas_token_mint(all, strlen(all), mint, strlen(mint), now, &out) == CPAAS_OK);
    CHECK(cpaas_json_get(out.data, out.len, "/url", &url) == CPAAS_OK);
    cpaas_text_free(&out);
    snprintf(request, sizeof request,
             "{\"method\":\"POST\",\"url\":\"%s\",\"body\":\"[{\\\"messageId\\\":\\\"m1\\\"},{\\\"status\\\":\\\"sent\\\"}]\"}", url.data);
    cpaas_text_free(&url);
    int processed = 0;
    for (int attempt = 0; attempt < 3; attempt++) {
        answer found;
        CHECK(cpaas_receiver_receive(receiver, request, strlen(request), now, &out) == CPAAS_OK);
        CHECK(json_is(out.data, "/event/kind", "unknown") && json_is(out.data, "/event/raw/0/messageId", "m1"));
        CHECK(!strstr(out.data, "\"key\""));
        read_answer(&out, &found);
        CHECK(!strcmp(found.state, "new") && !strcmp(found.status, "200") && !found.lease[0]);
        processed += attempt == 0 ? 1 : 2; /* at first the second event fails, and the response is 500 */
        CHECK((attempt == 0 ? free_lease(receiver, &found) : done(receiver, &found)) == CPAAS_OK);
    }
    CHECK(processed == 5);
    cpaas_receiver_free(receiver);
}

/* Claims an event until it is done, and counts in `handled` if it was new here. */
static void *arrive_until_done(void *context) {
    _Atomic int *handled = ((void **)context)[1];
    for (;;) {
        answer found = arrive(((void **)context)[0], "many");
        if (is_done(found)) return NULL;
        if (is_new(found)) {
            ++*handled;
            CHECK(done(((void **)context)[0], &found) == CPAAS_OK);
        }
    }
}

static void check_leases(void) {
    cpaas_receiver *receiver = receiver_of(config);
    CHECK(cpaas_receiver_lease(receiver, 0) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_receiver_lease(receiver, 86401) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_receiver_done(receiver, NULL, 0) == CPAAS_BAD_ARGUMENT); /* without leases */
    CHECK(cpaas_receiver_lease(receiver, 90) == CPAAS_OK);

    answer first = arrive(receiver, "m1");
    CHECK(is_new(first));
    CHECK(is_busy(arrive(receiver, "m1"), "90"));
    CHECK(is_new(arrive(receiver, "m2")));
    CHECK(free_lease(receiver, &first) == CPAAS_OK); /* the program could not process it */
    answer second = arrive(receiver, "m1");
    CHECK(is_new(second) && strcmp(first.lease, second.lease) != 0);
    CHECK(free_lease(receiver, &first) == CPAAS_OK); /* frees nothing of the second */
    CHECK(is_busy(arrive(receiver, "m1"), "90"));
    CHECK(done(receiver, &second) == CPAAS_OK && done(receiver, &second) == CPAAS_OK);
    CHECK(is_done(arrive(receiver, "m1")));
    CHECK(free_lease(receiver, &second) == CPAAS_OK);
    CHECK(is_done(arrive(receiver, "m1")));

    answer unknown = arrive(receiver, ""); /* without an id there is no key */
    CHECK(!strcmp(unknown.state, "new") && !strcmp(unknown.status, "200") && !unknown.lease[0]);
    CHECK(done(receiver, &unknown) == CPAAS_OK && free_lease(receiver, &unknown) == CPAAS_OK);
    CHECK(!strcmp(arrive(receiver, "").state, "new"));
    CHECK(cpaas_receiver_done(receiver, NULL, 0) == CPAAS_OK);

    char request[1024];
    report_of("m1", request, sizeof request);
    CHECK(cpaas_receiver_forget(receiver, request, strlen(request), now) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_receiver_done(receiver, request, strlen(request)) == CPAAS_BAD_ARGUMENT); /* not a lease */
    CHECK(cpaas_receiver_done(receiver, first.lease, strlen(first.lease) - 1) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_receiver_free_lease(receiver, "x", 1) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_receiver_free_lease(receiver, INVALID_UTF8, 2) == CPAAS_BAD_UTF8);
    char changed[200];
    snprintf(changed, sizeof changed, " %s", first.lease);
    CHECK(cpaas_receiver_done(receiver, changed, strlen(changed)) == CPAAS_BAD_ARGUMENT);
    snprintf(changed, sizeof changed, "CPAAS%s", first.lease + 5);
    CHECK(cpaas_receiver_done(receiver, changed, strlen(changed)) == CPAAS_BAD_ARGUMENT);
    snprintf(changed, sizeof changed, "anything/00000000000000000000000000000000");
    CHECK(cpaas_receiver_free_lease(receiver, changed, strlen(changed)) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_receiver_lease(NULL, 90) == CPAAS_BAD_ARGUMENT && cpaas_receiver_done(NULL, "x", 1) == CPAAS_BAD_ARGUMENT);

    _Atomic int handled = 0;
    void *context[2] = {receiver, &handled};
    pthread_t threads[8];
    for (int at = 0; at < 8; at++) pthread_create(&threads[at], NULL, arrive_until_done, context);
    for (int at = 0; at < 8; at++) pthread_join(threads[at], NULL);
    CHECK(handled == 1);

    CHECK(cpaas_receiver_lease(receiver, 1) == CPAAS_OK); /* for later leases; what is known stays */
    CHECK(is_done(arrive(receiver, "m1")));
    answer slow = arrive(receiver, "m3");
    while (!is_new(arrive(receiver, "m3"))) {} /* the lease of the first has ended */
    CHECK(done(receiver, &slow) == CPAAS_OK);
    CHECK(is_done(arrive(receiver, "m3")));
    cpaas_receiver_free(receiver);
    CHECK(done(receiver, &slow) == CPAAS_BAD_HANDLE && cpaas_receiver_lease(receiver, 90) == CPAAS_BAD_HANDLE);
    report_of(NULL, NULL, 0);
}

/* A receiver keeps its configuration and detects repeated reports. */
void check_receivers(void) {
    const char *unsigned_request = "{\"method\":\"GET\",\"url\":\"/hooks/sms\"}";
    char request[1024];
    cpaas_text out;
    cpaas_receiver *receiver = receiver_of(config);
    report_of("m1", request, sizeof request);
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
    CHECK(!strstr(out.data, "duplicate")); /* cpaas_receive keeps no state */
    cpaas_text_free(&out);

    WITH_OUTPUT(cpaas_receiver_receive(receiver, unsigned_request, strlen(unsigned_request), now, &out), CPAAS_CALLBACK_REJECTED);
    CHECK(cpaas_receiver_receive(receiver, "{}", 2, now, &out) == CPAAS_BAD_TEXT && strstr(out.data, "`method` is required"));
    cpaas_text_free(&out);
    BAD_NAMED(cpaas_receiver_receive(receiver, NULL, 0, now, &out), CPAAS_BAD_ARGUMENT, "request");
    BAD_NAMED(cpaas_receiver_receive(NULL, "{}", 2, now, &out), CPAAS_BAD_ARGUMENT, "receiver");
    BAD_NAMED(cpaas_receiver_receive((cpaas_receiver *)4096, "{}", 2, now, &out), CPAAS_BAD_HANDLE, "receiver");
    cpaas_receiver *none = (cpaas_receiver *)4096;
    CHECK(cpaas_receiver_new("{}", 2, &none, &out) == CPAAS_BAD_TEXT && !none && strstr(out.data, "`audience` is required"));
    cpaas_text_free(&out);
    const char *short_key = "{\"audience\":\"a\",\"public_url\":\"https://a.example\",\"inbound_keys\":[{\"kid\":\"k\",\"secret\":\"s\"}]}";
    CHECK(cpaas_receiver_new(short_key, strlen(short_key), &none, &out) == CPAAS_BAD_TEXT && strstr(out.data, "`inbound_keys`: keys[0]"));
    cpaas_text_free(&out);
    BAD_NAMED(cpaas_receiver_new("{}", 2, NULL, &out), CPAAS_BAD_ARGUMENT, "receiver");
    cpaas_receiver_free(receiver);
    cpaas_receiver_free(receiver);
    cpaas_receiver_free(NULL);
    BAD_NAMED(cpaas_receiver_receive(receiver, request, strlen(request), now, &out), CPAAS_BAD_HANDLE, "receiver");
    CHECK(cpaas_receiver_forget(receiver, "{}", 2, now) == CPAAS_BAD_HANDLE);
    check_leases();
    check_batch();
}
