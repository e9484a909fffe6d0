/* Typed asynchronous calls, with a callback and polled: the result, the names of invalid arguments, and nothing that starts after a refusal.
 * Needs a sandbox. */
#include <poll.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#include "check.h"
#include "silent_server.h"

/* The outcome of one call. */
typedef struct outcome {
    atomic_int runs;
    cpaas_status status;
    uint64_t call;
    size_t len;
    char json[2048];
} outcome;

static atomic_int callbacks;

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    outcome *of = user_data;
    of->status = status, of->len = len;
    if (text && len < sizeof of->json) memcpy(of->json, text, len + 1);
    atomic_fetch_add(&callbacks, 1);
    atomic_fetch_add(&of->runs, 1);
}

/* Waits for the outcome of a call, which its callback or this function writes to the struct that the call has as user_data. */
static void wait_for(cpaas_client *client, outcome *of) {
    for (int wait = 0; wait < 12000 && atomic_load(&of->runs) == 0; wait++) {
        cpaas_result result;
        if (cpaas_poll(client, &result, 1) == 1) {
            CHECK(result.user_data == of && result.call == of->call);
            done(result.user_data, result.status, result.text.data, result.text.len);
            cpaas_text_free(&result.text);
            return;
        }
        usleep(5000);
    }
    CHECK(atomic_load(&of->runs) == 1);
}

/* Runs a start by callback and by poll. START uses `by`, `of` and `out`. */
#define BOTH_WAYS(START, after)                                             \
    for (int way = 0; way < 2; way++) {                                     \
        cpaas_completion by = way ? done : NULL;                            \
        outcome result_of_call, *of = &result_of_call;                      \
        cpaas_text out;                                                     \
        memset(of, 0, sizeof *of);                                          \
        memset(&out, 0x5a, sizeof out);                                     \
        int before = atomic_load(&callbacks);                               \
        CHECK((START) == CPAAS_OK && of->call > 0);                         \
        CHECK(NONE);                                                        \
        wait_for(client, of);                                               \
        CHECK(atomic_load(&callbacks) == before + 1);                       \
        after;                                                              \
    }

static cpaas_sms sms;
static cpaas_otp otp;
static cpaas_otp_check check;
static cpaas_sent sent;
static cpaas_lookup lookup;

/* A request that breaks a rule starts, and its result reports it. The library copies the strings: this function frees them. */
static cpaas_status start_invalid(cpaas_client *client, cpaas_completion by, outcome *of, cpaas_text *out) {
    cpaas_sms *invalid = malloc(sizeof *invalid);
    char *to = strdup("nobody");
    *invalid = sms, invalid->to = to;
    cpaas_status status = cpaas_sms_start(client, invalid, NULL, by, of, &of->call, out);
    free(to), free(invalid);
    return status;
}

static void results(cpaas_client *client) {
    char id[128] = "";
    BOTH_WAYS(cpaas_call_start_with(client, "sms.send", SMS, strlen(SMS), NULL, by, of, &of->call, &out), {
        CHECK(of->status == CPAAS_OK && cpaas_sent_read(of->json, of->len, &sent) == CPAAS_OK && json_is(of->json, "/id", sent.id));
    });
    BOTH_WAYS(cpaas_sms_start(client, &sms, NULL, by, of, &of->call, &out), {
        CHECK(of->status == CPAAS_OK && cpaas_sent_read(of->json, of->len, &sent) == CPAAS_OK && json_is(of->json, "/id", sent.id));
    });
    BOTH_WAYS(cpaas_otp_start(client, &otp, NULL, by, of, &of->call, &out), {
        CHECK(of->status == CPAAS_OK && cpaas_sent_read(of->json, of->len, &sent) == CPAAS_OK && strncmp(sent.id, "OTP", 3) == 0);
        memcpy(id, sent.id, sizeof id);
    });
    check.request_id = id;
    BOTH_WAYS(cpaas_otp_verify_start(client, &check, NULL, by, of, &of->call, &out), CHECK(of->status == CPAAS_NOT_VERIFIED && of->len > 0));
    BOTH_WAYS(cpaas_lookup_start(client, "306912345678", NULL, by, of, &of->call, &out), {
        cpaas_lookup now = {.size = sizeof now};
        CHECK(of->status == CPAAS_OK && cpaas_lookup_read(of->json, of->len, &lookup) == CPAAS_OK && strlen(lookup.mcc) == 3);
        CHECK(cpaas_lookup_one(client, "306912345678", NULL, &now, &out) == CPAAS_OK && memcmp(&now, &lookup, sizeof now) == 0);
        CHECK(cpaas_lookup_read(out.data, out.len, &lookup) == CPAAS_OK && memcmp(&now, &lookup, sizeof now) == 0);
        cpaas_text_free(&out);
    });
    BOTH_WAYS(start_invalid(client, by, of, &out), CHECK(of->status == CPAAS_INVALID && json_is(of->json, "/problems/0/pointer", "/to")));
}

/* Refused starts: the argument is named, with and without a callback, and neither runs. */
static void refused(cpaas_client *client) {
    const cpaas_client *invalid = (const cpaas_client *)(16 * 100000);
    cpaas_call_options options = {.size = sizeof options, .retry_unknown = 9};
    outcome of;
    uint64_t call = 77;
    int before = atomic_load(&callbacks);
    memset(&of, 0, sizeof of);
    for (int way = 0; way < 2; way++) {
        cpaas_completion by = way ? done : NULL;
        size_t len = strlen(SMS);
        BAD_NAMED(cpaas_call_start_with(NULL, "sms.send", SMS, len, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "client");
        BAD_NAMED(cpaas_call_start_with(invalid, "sms.send", SMS, len, NULL, by, &of, &call, &out), CPAAS_BAD_HANDLE, "client");
        BAD_NAMED(cpaas_call_start_with(client, NULL, SMS, len, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "operation");
        BAD_NAMED(cpaas_call_start_with(client, "sms", SMS, len, NULL, by, &of, &call, &out), CPAAS_BAD_NAME, "operation");
        BAD_NAMED(cpaas_call_start_with(client, "sms.send", NULL, 0, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "request");
        BAD_NAMED(cpaas_call_start_with(client, "sms.send", SMS, SIZE_MAX, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "request");
        BAD_NAMED(cpaas_call_start_with(client, "sms.send", INVALID_UTF8, 2, NULL, by, &of, &call, &out), CPAAS_BAD_UTF8, "request");
        BAD_NAMED(cpaas_call_start_with(client, "sms.send", SMS, len, &options, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "options");
        CHECK(cpaas_call_start_with(client, "sms.send", SMS, len, NULL, by, &of, &call, NULL) == CPAAS_BAD_ARGUMENT);

        BAD_NAMED(cpaas_sms_start(invalid, &sms, NULL, by, &of, &call, &out), CPAAS_BAD_HANDLE, "client");
        BAD_NAMED(cpaas_sms_start(client, NULL, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "sms");
        BAD_NAMED(cpaas_sms_start(client, &sms, &options, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "options");
        CHECK(cpaas_sms_start(client, &sms, NULL, by, &of, &call, NULL) == CPAAS_BAD_ARGUMENT);
        cpaas_sms bad = sms;
        bad.test = 2;
        BAD_NAMED(cpaas_sms_start(client, &bad, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "sms");
        bad = sms, bad.size = 8;
        BAD_NAMED(cpaas_sms_start(client, &bad, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "sms");
        bad = sms, bad.from = NULL;
        BAD_NAMED(cpaas_sms_start(client, &bad, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "from");
        bad = sms, bad.to = NULL;
        BAD_NAMED(cpaas_sms_start(client, &bad, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "to");
        bad = sms, bad.text = INVALID_UTF8;
        BAD_NAMED(cpaas_sms_start(client, &bad, NULL, by, &of, &call, &out), CPAAS_BAD_UTF8, "text");
        bad = sms, bad.reference = INVALID_UTF8;
        BAD_NAMED(cpaas_sms_start(client, &bad, NULL, by, &of, &call, &out), CPAAS_BAD_UTF8, "reference");
        bad = sms, bad.callback = INVALID_UTF8;
        BAD_NAMED(cpaas_sms_start(client, &bad, NULL, by, &of, &call, &out), CPAAS_BAD_UTF8, "callback");

        BAD_NAMED(cpaas_otp_start(invalid, &otp, NULL, by, &of, &call, &out), CPAAS_BAD_HANDLE, "client");
        BAD_NAMED(cpaas_otp_start(client, NULL, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "otp");
        BAD_NAMED(cpaas_otp_start(client, &otp, &options, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "options");
        CHECK(cpaas_otp_start(client, &otp, NULL, by, &of, &call, NULL) == CPAAS_BAD_ARGUMENT);
        cpaas_otp bad_otp = otp;
        bad_otp.service = NULL;
        BAD_NAMED(cpaas_otp_start(client, &bad_otp, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "service");
        bad_otp = otp, bad_otp.body = NULL;
        BAD_NAMED(cpaas_otp_start(client, &bad_otp, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "body");
        bad_otp = otp, bad_otp.channel = INVALID_UTF8;
        BAD_NAMED(cpaas_otp_start(client, &bad_otp, NULL, by, &of, &call, &out), CPAAS_BAD_UTF8, "channel");

        BAD_NAMED(cpaas_otp_verify_start(invalid, &check, NULL, by, &of, &call, &out), CPAAS_BAD_HANDLE, "client");
        BAD_NAMED(cpaas_otp_verify_start(client, NULL, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "check");
        BAD_NAMED(cpaas_otp_verify_start(client, &check, &options, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "options");
        CHECK(cpaas_otp_verify_start(client, &check, NULL, by, &of, &call, NULL) == CPAAS_BAD_ARGUMENT);
        cpaas_otp_check bad_check = check;
        bad_check.code = NULL;
        BAD_NAMED(cpaas_otp_verify_start(client, &bad_check, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "code");
        bad_check = check, bad_check.request_id = NULL;
        BAD_NAMED(cpaas_otp_verify_start(client, &bad_check, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "requestId");

        BAD_NAMED(cpaas_lookup_start(invalid, "306912345678", NULL, by, &of, &call, &out), CPAAS_BAD_HANDLE, "client");
        BAD_NAMED(cpaas_lookup_start(client, NULL, NULL, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "msisdn");
        BAD_NAMED(cpaas_lookup_start(client, INVALID_UTF8, NULL, by, &of, &call, &out), CPAAS_BAD_UTF8, "msisdn");
        BAD_NAMED(cpaas_lookup_start(client, "306912345678", &options, by, &of, &call, &out), CPAAS_BAD_ARGUMENT, "options");
        CHECK(cpaas_lookup_start(client, "306912345678", NULL, by, &of, &call, NULL) == CPAAS_BAD_ARGUMENT);
    }
    usleep(50000);
    cpaas_result result;
    CHECK(call == 0 && atomic_load(&callbacks) == before && atomic_load(&of.runs) == 0 && cpaas_poll(client, &result, 1) == 0);
}

/* The limit of calls: a refused start leaves no call and no result, and names no argument. */
static void too_many(void) {
    char config[256];
    int server = silent_server(config, sizeof config);
    cpaas_client *client = client_of(config);
    cpaas_limits limits = {.size = sizeof limits, .max_calls = 2};
    uint64_t first, second, third = 77;
    cpaas_text out;
    outcome of;
    memset(&of, 0, sizeof of);
    CHECK(cpaas_set_limits(&limits) == CPAAS_OK);
    CHECK(cpaas_sms_start(client, &sms, NULL, NULL, &of, &first, &out) == CPAAS_OK);
    CHECK(cpaas_sms_start(client, &sms, NULL, done, &of, &second, &out) == CPAAS_OK && second > first);
    WITH_OUTPUT(cpaas_sms_start(client, &sms, NULL, NULL, &of, &third, &out), CPAAS_TOO_MANY_CALLS);
    WITH_OUTPUT(cpaas_lookup_start(client, "306912345678", NULL, done, &of, &third, &out), CPAAS_TOO_MANY_CALLS);
    CHECK(third == 0 && cpaas_cancel(client, second) == CPAAS_OK);
    wait_for(client, &of);
    CHECK(of.status == CPAAS_NOT_SENT || of.status == CPAAS_UNKNOWN);
    CHECK(cpaas_sms_start(client, &sms, NULL, done, &of, NULL, &out) == CPAAS_OK); /* the callback has returned */
    limits.max_calls = 0;
    CHECK(cpaas_set_limits(&limits) == CPAAS_OK);
    cpaas_client_free(client);
    close(server);
}

static cpaas_status read_sent(const char *json) { return cpaas_sent_read(json, strlen(json), &sent); }
static cpaas_status read_lookup(const char *json) { return cpaas_lookup_read(json, strlen(json), &lookup); }

static void readers(void) {
    char longest[256], too_long[256];
    CHECK(read_sent("{\"id\":\"a\"}") == CPAAS_OK && strcmp(sent.id, "a") == 0);
    CHECK(read_sent("{\"requestID\":\"OTP1\",\"code\":200}") == CPAAS_OK && strcmp(sent.id, "OTP1") == 0);
    snprintf(longest, sizeof longest, "{\"id\":\"%0127d\"}", 7), snprintf(too_long, sizeof too_long, "{\"id\":\"%0128d\"}", 7);
    CHECK(read_sent(longest) == CPAAS_OK && strlen(sent.id) == 127);
    const char *without[] = {too_long, "{}", "[]", "null", "1", "{\"id\":7}", "{\"id\":null}", "{\"id\":\"\"}", "[{\"id\":\"a\"}]"};
    for (size_t i = 0; i < sizeof without / sizeof *without; i++) {
        memset(sent.id, 'x', sizeof sent.id);
        CHECK(read_sent(without[i]) == CPAAS_NOT_FOUND && sent.id[0] == '\0');
    }
    CHECK(read_sent("") == CPAAS_BAD_TEXT && read_sent("{") == CPAAS_BAD_TEXT && read_sent(INVALID_UTF8) == CPAAS_BAD_UTF8);
    CHECK(cpaas_sent_read(NULL, 0, &sent) == CPAAS_BAD_ARGUMENT && cpaas_sent_read("{}", SIZE_MAX, &sent) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_sent_read("{\"id\":\"a\"}", 10, NULL) == CPAAS_BAD_ARGUMENT);
    sent.size = 0;
    CHECK(read_sent("{\"id\":\"a\"}") == CPAAS_BAD_ARGUMENT);
    sent.size = sizeof sent;

    const char *one = "{\"mcc\":\"202\",\"mnc\":\"01\",\"ported\":true,\"roaming\":false,\"originalNetwork\":{\"networkName\":\"N\",\"countryName\":\"C\"}}";
    char array[512];
    snprintf(array, sizeof array, "[%s,{\"mcc\":\"999\"}]", one);
    for (int i = 0; i < 2; i++) {
        memset((char *)&lookup + sizeof lookup.size, 'x', sizeof lookup - sizeof lookup.size);
        CHECK(read_lookup(i ? array : one) == CPAAS_OK && strcmp(lookup.mcc, "202") == 0 && strcmp(lookup.mnc, "01") == 0);
        CHECK(lookup.ported == 1 && lookup.roaming == 2 && lookup.absent == 0 && strcmp(lookup.network, "N") == 0 && strcmp(lookup.country, "C") == 0);
    }
    CHECK(read_lookup("[]") == CPAAS_NOT_FOUND && lookup.mcc[0] == '\0' && lookup.ported == 0);
    CHECK(read_lookup("[1]") == CPAAS_NOT_FOUND && read_lookup("7") == CPAAS_NOT_FOUND && read_lookup("null") == CPAAS_NOT_FOUND);
    CHECK(read_lookup("[") == CPAAS_BAD_TEXT && read_lookup(INVALID_UTF8) == CPAAS_BAD_UTF8);
    CHECK(cpaas_lookup_read(NULL, 0, &lookup) == CPAAS_BAD_ARGUMENT && cpaas_lookup_read("[]", 2, NULL) == CPAAS_BAD_ARGUMENT);
    lookup.size = 4;
    CHECK(read_lookup("[]") == CPAAS_BAD_ARGUMENT);
    lookup.size = sizeof lookup;
}

int main(void) {
    cpaas_client *client = client_of("{}");
    sms.size = sizeof sms, otp.size = sizeof otp, check.size = sizeof check, sent.size = sizeof sent, lookup.size = sizeof lookup;
    sms.from = "Acme", sms.to = "306912345678", sms.text = "Say \"hi\",\"to\":\"306900000000\\", sms.reference = "r-1";
    otp.service = "login", otp.from = "Acme", otp.to = "306912345679", otp.body = "Your code is {code}";
    check.service = "login", check.request_id = "OTP1", check.code = "not it";
    readers();
    results(client);
    check.request_id = "OTP1";
    refused(client);
    too_many();
    cpaas_client_free(client);
    cpaas_shutdown();
    return checks_end();
}
