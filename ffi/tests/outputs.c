/* What functions write: the sizes of structs, outputs that are cleared first, and a message for each error. Needs no sandbox. */
#include <stddef.h>

#include "check.h"

#define CONFIG "{\"read_environment\":false,\"sms_url\":\"http://127.0.0.1:9\",\"otp_url\":\"http://127.0.0.1:9\",\"lookup_url\":\"http://127.0.0.1:9\"," \
               "\"account_sid\":\"a\",\"api_key\":\"k\",\"max_attempts\":1}"
#define REQUEST "{\"from\":\"Acme\",\"to\":\"306912345678\",\"text\":\"Hi\"}"
#define FREED ((cpaas_client *)160000)

static cpaas_client *client;

static cpaas_sms an_sms(void) {
    cpaas_sms sms = {.size = sizeof sms, .from = "Acme", .to = "306912345678", .text = "Hi"};
    return sms;
}

static cpaas_otp an_otp(void) {
    cpaas_otp otp = {.size = sizeof otp, .service = "login", .from = "Acme", .to = "306912345678", .body = "{code}"};
    return otp;
}

static cpaas_otp_check a_check(void) {
    cpaas_otp_check check = {.size = sizeof check, .service = "login", .request_id = "OTP00000000000000000000000000000000", .code = "1234"};
    return check;
}

static int all_are(const void *bytes, size_t len, int expected) {
    for (size_t i = 0; i < len; i++) {
        if (((const unsigned char *)bytes)[i] != expected) return 0;
    }
    return 1;
}

#define REFUSED_SIZE(call, name)                                                              \
    do {                                                                                      \
        cpaas_text out;                                                                       \
        CHECK((call) == CPAAS_BAD_ARGUMENT);                                                  \
        CHECK(out.data && strstr(out.data, "\"" name "\"") && strstr(out.data, "its size in bytes")); \
        cpaas_text_free(&out);                                                                \
    } while (0)

/* Every size below that of the struct is refused, and nothing is written. */
static void sizes(void) {
    cpaas_sms sms = an_sms();
    cpaas_otp otp = an_otp();
    cpaas_otp_check check = a_check();
    cpaas_call_options options = {0};
    cpaas_segment_options segment_options = {0};
    cpaas_limits limits = {0};
    cpaas_callback_request request = {.method = "GET", .url = "/"};
    cpaas_sent sent;
    cpaas_lookup lookup;
    bool verified;
    size_t written;
    for (sms.size = 0; sms.size < sizeof sms; sms.size++) {
        REFUSED_SIZE(cpaas_sms_send(client, &sms, NULL, NULL, &out), "sms");
        REFUSED_SIZE(cpaas_sms_start(client, &sms, NULL, NULL, NULL, NULL, &out), "sms");
    }
    for (otp.size = 0; otp.size < sizeof otp; otp.size++) {
        REFUSED_SIZE(cpaas_otp_send(client, &otp, NULL, NULL, &out), "otp");
        REFUSED_SIZE(cpaas_otp_start(client, &otp, NULL, NULL, NULL, NULL, &out), "otp");
    }
    for (check.size = 0; check.size < sizeof check; check.size++) {
        REFUSED_SIZE(cpaas_otp_verify(client, &check, NULL, &verified, &out), "check");
        REFUSED_SIZE(cpaas_otp_verify_start(client, &check, NULL, NULL, NULL, NULL, &out), "check");
    }
    for (options.size = 0; options.size < sizeof options; options.size++) {
        if (options.size == offsetof(cpaas_call_options, headers)) continue; /* the first version */
        REFUSED_SIZE(cpaas_call_with(client, "sms.send", REQUEST, strlen(REQUEST), &options, &out), "options");
    }
    sms = an_sms(), otp = an_otp();
    for (size_t size = 0; size < sizeof sent; size++) {
        memset(&sent, 0x5a, sizeof sent);
        sent.size = size;
        REFUSED_SIZE(cpaas_sms_send(client, &sms, NULL, &sent, &out), "sent");
        REFUSED_SIZE(cpaas_otp_send(client, &otp, NULL, &sent, &out), "sent");
        CHECK(cpaas_sent_read("{\"id\":\"M1\"}", 11, &sent) == CPAAS_BAD_ARGUMENT);
        CHECK(all_are(sent.id, sizeof sent.id, 0x5a));
    }
    for (size_t size = 0; size < sizeof lookup; size++) {
        memset(&lookup, 0x5a, sizeof lookup);
        lookup.size = size;
        REFUSED_SIZE(cpaas_lookup_one(client, "306912345678", NULL, &lookup, &out), "lookup");
        CHECK(cpaas_lookup_read("[{\"mcc\":\"202\"}]", 15, &lookup) == CPAAS_BAD_ARGUMENT);
        CHECK(all_are(lookup.mcc, sizeof lookup - offsetof(cpaas_lookup, mcc), 0x5a));
    }
    for (segment_options.size = 0; segment_options.size < sizeof segment_options; segment_options.size++) {
        CHECK(cpaas_segments("a", 1, &segment_options, NULL, 0, &written, NULL) == CPAAS_BAD_ARGUMENT);
    }
    for (limits.size = 0; limits.size < sizeof limits; limits.size++) CHECK(cpaas_set_limits(&limits) == CPAAS_BAD_ARGUMENT);
    cpaas_receiver *receiver;
    const char *config = "{\"audience\":\"shop\",\"public_url\":\"https://shop.example/hooks\"}";
    WITH_OUTPUT(cpaas_receiver_new("{", 1, &receiver, &out), CPAAS_BAD_TEXT);
    STATUS_ONLY(cpaas_receiver_new(config, strlen(config), &receiver, &out), CPAAS_OK);
    for (request.size = 0; request.size < sizeof request; request.size++) {
        REFUSED_SIZE(cpaas_receiver_receive_request(receiver, &request, 1, &out), "request");
        CHECK(cpaas_receiver_forget_request(receiver, &request, 1) == CPAAS_BAD_ARGUMENT);
    }
    cpaas_receiver_free(receiver);
}

static const cpaas_call_options bad_options = {.size = sizeof bad_options, .validation = 9};

/* After each error, the outputs of an earlier call are gone. */
#define CLEARS_SENT(call, expected)                    \
    do {                                               \
        cpaas_sent sent;                               \
        cpaas_text out;                                \
        memset(&sent, 0x5a, sizeof sent);              \
        sent.size = sizeof sent;                       \
        CHECK((call) == (expected));                   \
        CHECK(all_are(sent.id, sizeof sent.id, 0));    \
        CHECK(sent.size == sizeof sent);               \
        cpaas_text_free(&out);                         \
    } while (0)

static void cleared_ids(void) {
    cpaas_sms sms = an_sms(), broken = an_sms(), invalid = an_sms(), reserved = an_sms();
    broken.text = INVALID_UTF8, invalid.to = "nobody", reserved.reserved = 1;
    cpaas_otp otp = an_otp(), broken_otp = an_otp(), invalid_otp = an_otp();
    broken_otp.service = INVALID_UTF8, invalid_otp.to = "";
    CLEARS_SENT(cpaas_sms_send(NULL, &sms, NULL, &sent, &out), CPAAS_BAD_ARGUMENT);
    CLEARS_SENT(cpaas_sms_send(FREED, &sms, NULL, &sent, &out), CPAAS_BAD_HANDLE);
    CLEARS_SENT(cpaas_sms_send(client, NULL, NULL, &sent, &out), CPAAS_BAD_ARGUMENT);
    CLEARS_SENT(cpaas_sms_send(client, &broken, NULL, &sent, &out), CPAAS_BAD_UTF8);
    CLEARS_SENT(cpaas_sms_send(client, &reserved, NULL, &sent, &out), CPAAS_BAD_ARGUMENT);
    CLEARS_SENT(cpaas_sms_send(client, &sms, &bad_options, &sent, &out), CPAAS_BAD_ARGUMENT);
    CLEARS_SENT(cpaas_sms_send(client, &invalid, NULL, &sent, &out), CPAAS_INVALID);
    CLEARS_SENT(cpaas_sms_send(client, &sms, NULL, &sent, &out), CPAAS_NOT_SENT);
    CLEARS_SENT((out.data = NULL, cpaas_sms_send(client, &sms, NULL, &sent, NULL)), CPAAS_BAD_ARGUMENT);
    CLEARS_SENT(cpaas_otp_send(NULL, &otp, NULL, &sent, &out), CPAAS_BAD_ARGUMENT);
    CLEARS_SENT(cpaas_otp_send(FREED, &otp, NULL, &sent, &out), CPAAS_BAD_HANDLE);
    CLEARS_SENT(cpaas_otp_send(client, NULL, NULL, &sent, &out), CPAAS_BAD_ARGUMENT);
    CLEARS_SENT(cpaas_otp_send(client, &broken_otp, NULL, &sent, &out), CPAAS_BAD_UTF8);
    CLEARS_SENT(cpaas_otp_send(client, &otp, &bad_options, &sent, &out), CPAAS_BAD_ARGUMENT);
    CLEARS_SENT(cpaas_otp_send(client, &invalid_otp, NULL, &sent, &out), CPAAS_INVALID);
    CLEARS_SENT(cpaas_otp_send(client, &otp, NULL, &sent, &out), CPAAS_NOT_SENT);
    CLEARS_SENT((out.data = NULL, cpaas_otp_send(client, &otp, NULL, &sent, NULL)), CPAAS_BAD_ARGUMENT);
    CLEARS_SENT((out.data = NULL, cpaas_sent_read(NULL, 1, &sent)), CPAAS_BAD_ARGUMENT);
    CLEARS_SENT((out.data = NULL, cpaas_sent_read(INVALID_UTF8, 2, &sent)), CPAAS_BAD_UTF8);
    CLEARS_SENT((out.data = NULL, cpaas_sent_read("{", 1, &sent)), CPAAS_BAD_TEXT);
    CLEARS_SENT((out.data = NULL, cpaas_sent_read("{}", 2, &sent)), CPAAS_NOT_FOUND);
    /* A C string would end at the NUL, so the id is not known. */
    const char *nul = "{\"id\":\"a\\u0000b\"}", *otp_nul = "{\"requestID\":\"OTP1\\u0000\"}";
    CLEARS_SENT((out.data = NULL, cpaas_sent_read(nul, strlen(nul), &sent)), CPAAS_NOT_FOUND);
    CLEARS_SENT((out.data = NULL, cpaas_sent_read(otp_nul, strlen(otp_nul), &sent)), CPAAS_NOT_FOUND);
}

#define CLEARS_LOOKUP(call, expected)                                                        \
    do {                                                                                     \
        cpaas_lookup lookup;                                                                 \
        cpaas_text out;                                                                      \
        memset(&lookup, 0x5a, sizeof lookup);                                                \
        lookup.size = sizeof lookup;                                                         \
        CHECK((call) == (expected));                                                         \
        CHECK(all_are(lookup.mcc, sizeof lookup - offsetof(cpaas_lookup, mcc), 0));          \
        cpaas_text_free(&out);                                                               \
    } while (0)

static void cleared_lookups(void) {
    CLEARS_LOOKUP(cpaas_lookup_one(NULL, "306912345678", NULL, &lookup, &out), CPAAS_BAD_ARGUMENT);
    CLEARS_LOOKUP(cpaas_lookup_one(FREED, "306912345678", NULL, &lookup, &out), CPAAS_BAD_HANDLE);
    CLEARS_LOOKUP(cpaas_lookup_one(client, NULL, NULL, &lookup, &out), CPAAS_BAD_ARGUMENT);
    CLEARS_LOOKUP(cpaas_lookup_one(client, INVALID_UTF8, NULL, &lookup, &out), CPAAS_BAD_UTF8);
    CLEARS_LOOKUP(cpaas_lookup_one(client, "306912345678", &bad_options, &lookup, &out), CPAAS_BAD_ARGUMENT);
    CLEARS_LOOKUP(cpaas_lookup_one(client, "306912345678", NULL, &lookup, &out), CPAAS_NOT_SENT);
    CLEARS_LOOKUP((out.data = NULL, cpaas_lookup_one(client, "306912345678", NULL, &lookup, NULL)), CPAAS_BAD_ARGUMENT);
    CLEARS_LOOKUP((out.data = NULL, cpaas_lookup_read(NULL, 1, &lookup)), CPAAS_BAD_ARGUMENT);
    CLEARS_LOOKUP((out.data = NULL, cpaas_lookup_read("[", 1, &lookup)), CPAAS_BAD_TEXT);
    CLEARS_LOOKUP((out.data = NULL, cpaas_lookup_read("[]", 2, &lookup)), CPAAS_NOT_FOUND);
    cpaas_lookup lookup = {.size = sizeof lookup};
    const char *nul = "[{\"mcc\":\"2\\u000002\",\"mnc\":\"05\"}]";
    CHECK(cpaas_lookup_read(nul, strlen(nul), &lookup) == CPAAS_OK && lookup.mcc[0] == '\0' && strcmp(lookup.mnc, "05") == 0);
}

static void done(void *user_data, cpaas_status status, const char *text, size_t len) { (void)user_data, (void)status, (void)text, (void)len; }

#define CLEARS_NUMBER(start, expected)   \
    do {                                 \
        uint64_t call = 77;              \
        cpaas_text out = {NULL, 0};      \
        CHECK((start) == (expected));    \
        CHECK(call == 0);                \
        cpaas_text_free(&out);           \
    } while (0)

static void cleared_numbers(void) {
    const size_t len = strlen(REQUEST);
    cpaas_sms sms = an_sms();
    cpaas_otp otp = an_otp();
    cpaas_otp_check check = a_check();
    CLEARS_NUMBER(cpaas_call_async(client, "sms.send", REQUEST, len, NULL, NULL, NULL, &call), CPAAS_BAD_ARGUMENT);
    CLEARS_NUMBER(cpaas_call_async(client, "sms", REQUEST, len, NULL, done, NULL, &call), CPAAS_BAD_NAME);
    CLEARS_NUMBER(cpaas_call_start(FREED, "sms.send", REQUEST, len, NULL, NULL, &call), CPAAS_BAD_HANDLE);
    CLEARS_NUMBER(cpaas_call_start_with(client, "sms.send", NULL, len, NULL, NULL, NULL, &call, &out), CPAAS_BAD_ARGUMENT);
    CLEARS_NUMBER(cpaas_call_start_with(client, "sms.send", REQUEST, len, NULL, NULL, NULL, &call, NULL), CPAAS_BAD_ARGUMENT);
    CLEARS_NUMBER(cpaas_sms_start(NULL, &sms, NULL, NULL, NULL, &call, &out), CPAAS_BAD_ARGUMENT);
    CLEARS_NUMBER(cpaas_otp_start(client, &otp, &bad_options, NULL, NULL, &call, &out), CPAAS_BAD_ARGUMENT);
    CLEARS_NUMBER(cpaas_otp_verify_start(client, NULL, NULL, NULL, NULL, &call, &out), CPAAS_BAD_ARGUMENT);
    CLEARS_NUMBER(cpaas_otp_verify_start(FREED, &check, NULL, NULL, NULL, &call, &out), CPAAS_BAD_HANDLE);
    CLEARS_NUMBER(cpaas_lookup_start(client, NULL, NULL, NULL, NULL, &call, &out), CPAAS_BAD_ARGUMENT);
}

static void other_cleared_outputs(void) {
    cpaas_text out;
    cpaas_otp_check check = a_check();
    bool verified = true;
    CHECK(cpaas_otp_verify(client, &check, NULL, &verified, NULL) == CPAAS_BAD_ARGUMENT && !verified);
    verified = true;
    CHECK(cpaas_otp_verify(FREED, &check, NULL, &verified, &out) == CPAAS_BAD_HANDLE && !verified);
    cpaas_text_free(&out);
    cpaas_segment_count count = {9, 9, 9, 9};
    CHECK(cpaas_count_segments(INVALID_UTF8, 2, &count) == CPAAS_BAD_UTF8 && all_are(&count, sizeof count, 0));
    count.count = 9;
    CHECK(cpaas_count_segments(NULL, 1, &count) == CPAAS_BAD_ARGUMENT && all_are(&count, sizeof count, 0));
    size_t written = 9;
    count.count = 9;
    CHECK(cpaas_segments("a", 1, NULL, NULL, 1, &written, &count) == CPAAS_BAD_ARGUMENT && written == 0 && all_are(&count, sizeof count, 0));
    count.count = 9;
    CHECK(cpaas_segments("a", 1, NULL, NULL, 0, NULL, &count) == CPAAS_BAD_ARGUMENT && all_are(&count, sizeof count, 0));
    written = 9;
    CHECK(cpaas_client_drain(FREED, 0, NULL, 0, &written) == CPAAS_BAD_HANDLE && written == 0);
    cpaas_client *created = client;
    WITH_OUTPUT(cpaas_client_new("{\"x\":1}", 7, &created, &out), CPAAS_INVALID);
    CHECK(created == NULL);
    created = client;
    CHECK(cpaas_client_new("{}", 2, &created, NULL) == CPAAS_BAD_ARGUMENT && created == NULL);
    cpaas_receiver *receiver = (cpaas_receiver *)160000;
    CHECK(cpaas_receiver_new("{}", 2, &receiver, NULL) == CPAAS_BAD_ARGUMENT && receiver == NULL);
}

/* A call beyond the limit has a message, too. */
static void too_many_calls(void) {
    cpaas_limits limits = {.size = sizeof limits, .max_calls = 1};
    cpaas_text out;
    cpaas_sms sms = an_sms();
    CHECK(cpaas_set_limits(&limits) == CPAAS_OK);
    STATUS_ONLY(cpaas_sms_start(client, &sms, NULL, NULL, NULL, NULL, &out), CPAAS_OK);
    CHECK(cpaas_sms_start(client, &sms, NULL, NULL, NULL, NULL, &out) == CPAAS_TOO_MANY_CALLS);
    CHECK(out.data && json_is(out.data, "/message", "the limit of calls that have not ended is reached; nothing was sent"));
    cpaas_text_free(&out);
    limits.max_calls = 0;
    CHECK(cpaas_set_limits(&limits) == CPAAS_OK);
    cpaas_result results[2];
    CHECK(cpaas_client_drain(client, 5000, results, 2, &(size_t){0}) == CPAAS_OK);
    cpaas_text_free(&results[0].text);
}

/* The message of an invalid request begins with the misspelled name, not with the member that is missing for it. */
static void misspelled_names(void) {
    static const char request[] = "{\"from\":\"Acme\",\"to\":\"306912345678\",\"body\":\"Hi\"}";
    cpaas_text out;
    CHECK(cpaas_call(client, "sms.send", request, strlen(request), &out) == CPAAS_INVALID);
    CHECK(out.data && strstr(out.data, "\"message\":\"nothing was sent: /body: "));
    CHECK(out.data && strstr(out.data, "did you mean `text`? [msg.field.misspelled], and 1 more\""));
    cpaas_text_free(&out);
}

/* After main, a call has a message. Ends the process. */
static void after_main(void) {
    cpaas_text out;
    cpaas_sms sms = an_sms();
    cpaas_sent sent = {.size = sizeof sent};
    CHECK(cpaas_sms_send(client, &sms, NULL, &sent, &out) == CPAAS_NO_THREAD);
    CHECK(out.data && strstr(out.data, "{\"message\":\"no thread can be started, or the calling thread is ending; nothing was sent\"}"));
    const int code = checks_end();
    fflush(stdout);
    _Exit(code);
}

int main(void) {
    atexit(after_main);
    client = client_of(CONFIG);
    sizes();
    cleared_ids();
    cleared_lookups();
    cleared_numbers();
    other_cleared_outputs();
    too_many_calls();
    misspelled_names();
    return 1; /* the handler ends the process */
}
