/* Tests typed calls, polled results, receivers, the names of invalid arguments, and log lines. Needs a sandbox. */
#include "check.h"
#include "silent_server.h"

void check_receivers(void);                    /* receivers.c */
void check_polled_results(cpaas_client *client); /* polled_results.c */

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
    CHECK(cpaas_parse(client, "otp.verify", 503, NULL, 0, accepted, strlen(accepted), &out) == CPAAS_UNKNOWN);
    cpaas_text_free(&out);
    CHECK(cpaas_parse(client, "otp.verify", 200, NULL, 0, wrong, strlen(wrong), &out) != CPAAS_OK);
    cpaas_text_free(&out);

    /* A member with a name of the library's own is an undocumented member. */
    static const char *const planted[] = {"extra", "outcome", "accepted", "ok", "verified", "sent", "processed", "retryable", "warnings", "raw"};
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        char body[256];
        snprintf(body, sizeof body, "{\"code\":400,\"message\":\"Invalid\",\"requestID\":\"OTP1\",\"%s\":{\"code\":200,\"requestID\":\"OTP1\"}}", planted[i]);
        CHECK(cpaas_parse(client, "otp.verify", 200, NULL, 0, body, strlen(body), &out) == CPAAS_NOT_VERIFIED && json_is(out.data, "/code", "400"));
        cpaas_text_free(&out);
        snprintf(body, sizeof body, "{\"id\":\"M1\",\"responseCode\":0,\"%s\":{\"id\":\"M9\",\"responseCode\":902}}", planted[i]);
        CHECK(cpaas_parse(client, "sms.send", 200, NULL, 0, body, strlen(body), &out) == CPAAS_OK && json_is(out.data, "/id", "M1"));
        cpaas_text_free(&out);
    }

    CHECK(cpaas_lookup_one(client, "306912345678", NULL, &lookup, &out) == CPAAS_OK);
    CHECK(json_is(out.data, "/msisdn", "306912345678") && json_is(out.data, "/mcc", lookup.mcc));
    CHECK(lookup.network[0] != '\0' && lookup.ported <= 2);
    cpaas_text_free(&out);
    BAD_NAMED(cpaas_lookup_one(client, NULL, NULL, &lookup, &out), CPAAS_BAD_ARGUMENT, "msisdn");
}

static void arguments(cpaas_client *client) {
    size_t len = strlen(SMS);
    BAD_NAMED(cpaas_call(client, NULL, SMS, len, &out), CPAAS_BAD_ARGUMENT, "operation");
    BAD_NAMED(cpaas_call(client, "sms.send", NULL, len, &out), CPAAS_BAD_ARGUMENT, "request");
    BAD_NAMED(cpaas_call(NULL, "sms.send", SMS, len, &out), CPAAS_BAD_ARGUMENT, "client");
    BAD_NAMED(cpaas_call((cpaas_client *)1, "sms.send", SMS, len, &out), CPAAS_BAD_HANDLE, "client");
    BAD_NAMED(cpaas_call(client, "sms.sent", SMS, len, &out), CPAAS_BAD_NAME, "operation");
    BAD_NAMED(cpaas_call(client, "sms.send", INVALID_UTF8, 2, &out), CPAAS_BAD_UTF8, "request");
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

static int quoted_lines;

static void quoted_line(void *user_data, uint32_t level, const char *text, size_t len) {
    (void)user_data, (void)level, (void)len;
    quoted_lines += strstr(text, " reference=\"a ending=accepted \\\"b\\\"\" ending=not_sent ") != NULL;
}

/* A reference cannot forge members of a line. */
static void log_of_a_quoted_reference(void) {
    const char *sms = "{\"from\":\"Acme\",\"to\":\"306912345678\",\"text\":\"Hi\",\"reference\":\"a ending=accepted \\\"b\\\"\"}";
    cpaas_client *client = client_of("{\"sms_url\":\"http://127.0.0.1:1\",\"sms_key\":\"k\",\"max_attempts\":1}");
    CHECK(cpaas_log_callback(quoted_line, NULL, CPAAS_LOG_DEBUG) == CPAAS_OK);
    WITH_OUTPUT(cpaas_call(client, "sms.send", sms, strlen(sms), &out), CPAAS_NOT_SENT);
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_OK);
    CHECK(quoted_lines == 1);
    cpaas_client_free(client);
}

static int not_verified_lines;

static void not_verified_line(void *user_data, uint32_t level, const char *text, size_t len) {
    (void)user_data, (void)level, (void)len;
    not_verified_lines += strstr(text, "operation=otp.verify") && strstr(text, "ending=not_verified");
}

/* The log line of a call with an invalid passcode. */
static void log_of_an_invalid_passcode(cpaas_client *client) {
    const char *request = "{\"service\":\"login\",\"requestId\":\"OTP00000000000000000000000000000000\",\"code\":\"000000\"}";
    CHECK(cpaas_log_callback(not_verified_line, NULL, CPAAS_LOG_DEBUG) == CPAAS_OK);
    WITH_OUTPUT(cpaas_call(client, "otp.verify", request, strlen(request), &out), CPAAS_NOT_VERIFIED);
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_OK);
    CHECK(not_verified_lines == 1);
}

int main(void) {
    cpaas_client *client = client_of("{}");
    check_receivers();
    typed(client);
    check_polled_results(client);
    arguments(client);
    log_lines();
    log_of_a_quoted_reference();
    log_of_an_invalid_passcode(client);
    cpaas_client_free(client);
    cpaas_shutdown();
    return checks_end();
}
