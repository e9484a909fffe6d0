/* Typed calls, JSON, receivers of callbacks, results that the program polls, names of invalid arguments, lines of the log.
 * Needs a sandbox. */
#include <poll.h>
#include <stdint.h>

#include "check.h"
#include "net.h"

static cpaas_client *garbage[] = {(cpaas_client *)1, (cpaas_client *)(16 * 100000)};

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
    const char *short_key = "{\"audience\":\"a\",\"public_url\":\"https://a.example\",\"inbound_keys\":[{\"kid\":\"k\",\"secret\":\"s\"}]}";
    CHECK(cpaas_receiver_new(short_key, strlen(short_key), &none, &out) == CPAAS_BAD_TEXT && strstr(out.data, "`inbound_keys`: keys[0]"));
    cpaas_text_free(&out);
    BAD_NAMED(cpaas_receiver_new("{}", 2, NULL, &out), CPAAS_BAD_ARGUMENT, "receiver");
    cpaas_receiver_free(receiver);
    cpaas_receiver_free(receiver);
    cpaas_receiver_free(NULL);
    BAD_NAMED(cpaas_receiver_receive(receiver, request, strlen(request), now, &out), CPAAS_BAD_HANDLE, "receiver");
    CHECK(cpaas_receiver_forget(receiver, "{}", 2, now) == CPAAS_BAD_HANDLE);
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

int main(void) {
    cpaas_client *client = client_of("{}");
    json();
    receivers();
    typed(client);
    polled(client);
    arguments(client);
    log_lines();
    cpaas_client_free(client);
    cpaas_shutdown();
    return checks_end();
}
