/* Tests a library whose exports all panic (feature panic-test): each export returns CPAAS_PANIC, and the process continues. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "check.h"
#include "silent_server.h"

#define PANIC_TEXT "{\"message\":\"internal error of the library; the request may have been sent\"}"

#define PANICS_WITH_OUTPUT(call)                \
    do {                                        \
        cpaas_text out;                         \
        memset(&out, 0x5a, sizeof out);         \
        setenv("CPAAS_PANIC", "export", 1);     \
        cpaas_status caught = (call);           \
        unsetenv("CPAAS_PANIC");                \
        caused++;                               \
        CHECK(caught == CPAAS_PANIC);           \
        checked(out.data && strcmp(out.data, PANIC_TEXT) == 0, #call, __FILE__, __LINE__); \
        cpaas_text_free(&out);                  \
    } while (0)

/* Exports that return only a status. */
#define PANICS(call)                            \
    do {                                        \
        setenv("CPAAS_PANIC", "export", 1);     \
        cpaas_status caught = (call);           \
        unsetenv("CPAAS_PANIC");                \
        caused++;                               \
        checked(caught == CPAAS_PANIC, #call, __FILE__, __LINE__); \
    } while (0)

#define CONFIG "{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"k\"}"

static int caused; /* panics of exports */
static atomic_int ended, panics;

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    atomic_store((atomic_int *)user_data, status == CPAAS_PANIC && len == strlen(PANIC_TEXT) && strcmp(text, PANIC_TEXT) == 0 ? 1 : 2);
    atomic_fetch_add(&ended, 1);
}

static void log_line(void *user_data, uint32_t level, const char *text, size_t len) {
    (void)user_data, (void)len;
    atomic_fetch_add(&panics, level == CPAAS_LOG_ERROR && strstr(text, "location=boundary.rs:") && !strstr(text, "requested"));
}

static void calls(cpaas_client *client) {
    cpaas_client *none = NULL;
    size_t len = strlen(SMS);
    atomic_int result = 0;
    PANICS_WITH_OUTPUT(cpaas_operations(&out));
    PANICS_WITH_OUTPUT(cpaas_provider_code("sms", 904, &out));
    PANICS_WITH_OUTPUT(cpaas_client_new(CONFIG, strlen(CONFIG), &none, &out));
    CHECK(none == NULL);
    PANICS_WITH_OUTPUT(cpaas_call(client, "sms.send", SMS, len, &out));
    PANICS_WITH_OUTPUT(cpaas_call_with(client, "sms.send", SMS, len, NULL, &out));
    PANICS(cpaas_call_async(client, "sms.send", SMS, len, NULL, done, &result, NULL));
    PANICS(cpaas_cancel(client, 1));
    PANICS_WITH_OUTPUT(cpaas_prepare(client, "sms.send", SMS, len, &out));
    PANICS_WITH_OUTPUT(cpaas_client_validate(client, "sms.send", SMS, len, &out));
    PANICS(cpaas_client_suppression(client, NULL, NULL));
    PANICS_WITH_OUTPUT(cpaas_client_guard(client, "{}", 2, &out));
    PANICS_WITH_OUTPUT(cpaas_parse(client, "sms.send", 200, NULL, 0, "{}", 2, &out));
    PANICS_WITH_OUTPUT(cpaas_validate("sms.send", SMS, len, &out));
    PANICS_WITH_OUTPUT(cpaas_validate_limited("sms.send", SMS, len, 1, &out));
    PANICS_WITH_OUTPUT(cpaas_problem_details("{}", 2, NULL, 0, &out));
    PANICS_WITH_OUTPUT(cpaas_check("file", "{}", 2, &out));
    PANICS(cpaas_call_start(client, "sms.send", SMS, len, NULL, NULL, NULL));
    PANICS(cpaas_set_limits(NULL));
    PANICS(cpaas_log_callback(NULL, NULL, 0));
}

static void text_functions(void) {
    cpaas_segment_count count;
    cpaas_segment parts[1];
    size_t written;
    PANICS(cpaas_count_segments("a", 1, &count));
    PANICS(cpaas_segments("a", 1, NULL, parts, 1, &written, &count));
    PANICS_WITH_OUTPUT(cpaas_segments_json("a", 1, NULL, &out));
    PANICS_WITH_OUTPUT(cpaas_estimate("a", 1, "1", &out));
    PANICS_WITH_OUTPUT(cpaas_estimate_to("a", 1, "prefix,price,currency\n3,1,EUR", "306900000001", &out));
    PANICS_WITH_OUTPUT(cpaas_annotate("a", 1, &out));
    PANICS_WITH_OUTPUT(cpaas_estimate_with("a", 1, "1", NULL, &out));
    PANICS_WITH_OUTPUT(cpaas_annotate_with("a", 1, NULL, &out));
    PANICS_WITH_OUTPUT(cpaas_encode("a", 1, NULL, &out));
    PANICS_WITH_OUTPUT(cpaas_decode("[]", 2, &out));
    PANICS_WITH_OUTPUT(cpaas_transliterate("a", 1, &out));
    PANICS_WITH_OUTPUT(cpaas_template_segments("a", 1, "{}", NULL, &out));
    PANICS_WITH_OUTPUT(cpaas_intent("a", 1, &out));
    PANICS_WITH_OUTPUT(cpaas_autofill_body("a", 1, "{}", &out));
    PANICS_WITH_OUTPUT(cpaas_check_autofill("a", 1, &out));
    PANICS_WITH_OUTPUT(cpaas_app_hash("a.b", "a", 1, &out));
    PANICS_WITH_OUTPUT(cpaas_normalize_number("306900000001", 12, NULL, &out));
    PANICS_WITH_OUTPUT(cpaas_check_number("306900000001", 12, NULL, &out));
    PANICS_WITH_OUTPUT(cpaas_markup_parse("a", 1, "Html", &out));
    PANICS_WITH_OUTPUT(cpaas_markup_escape("a", 1, "Html", &out));
    PANICS_WITH_OUTPUT(cpaas_json_string("a", 1, &out));
    PANICS_WITH_OUTPUT(cpaas_json_get("{}", 2, "", &out));
    PANICS_WITH_OUTPUT(cpaas_json_type("{}", 2, "", &out));
}

static void typed_calls(cpaas_client *client) {
    PANICS_WITH_OUTPUT(cpaas_sms_send(client, NULL, NULL, NULL, &out));
    PANICS_WITH_OUTPUT(cpaas_otp_send(client, NULL, NULL, NULL, &out));
    bool verified = true;
    PANICS_WITH_OUTPUT(cpaas_otp_verify(client, NULL, NULL, &verified, &out));
    CHECK(!verified);
    PANICS_WITH_OUTPUT(cpaas_lookup_one(client, "1", NULL, NULL, &out));
}

static void receivers(void) {
    PANICS_WITH_OUTPUT(cpaas_receive("{}", 2, "{}", 2, 1, &out));
    PANICS_WITH_OUTPUT(cpaas_token_mint("{}", 2, "{}", 2, 1, &out));
    cpaas_receiver *receiver = NULL;
    PANICS_WITH_OUTPUT(cpaas_receiver_new("{}", 2, &receiver, &out));
    PANICS_WITH_OUTPUT(cpaas_receiver_receive(receiver, "{}", 2, 1, &out));
    PANICS(cpaas_receiver_forget(receiver, "{}", 2, 1));
    PANICS(cpaas_receiver_lease(receiver, 90));
    PANICS(cpaas_receiver_done(receiver, "a", 1));
    PANICS(cpaas_receiver_free_lease(receiver, "a", 1));
    CHECK(receiver == NULL);
}

static void exports_without_status(cpaas_client *client) {
    setenv("CPAAS_PANIC", "export", 1);
    cpaas_result polled;
    CHECK(cpaas_poll(client, &polled, 1) == 0 && cpaas_event_fd(client) == -1);
    cpaas_receiver_free(NULL);
    cpaas_client_free(client);
    cpaas_shutdown();
    unsetenv("CPAAS_PANIC");
    CHECK(atomic_load(&ended) == 0);
}

/* A panic in the task of an asynchronous call still runs its callback. */
static void panics_in_tasks(cpaas_client *client) {
    atomic_int result;
    size_t len = strlen(SMS);
    setenv("CPAAS_PANIC", "task", 1);
    for (int i = 0; i < 20; i++) {
        atomic_store(&result, 0);
        CHECK(cpaas_call_async(client, "sms.send", SMS, len, NULL, done, &result, NULL) == CPAAS_OK);
        for (int wait = 0; wait < 24000 && atomic_load(&result) == 0; wait++) usleep(5000);
        CHECK(atomic_load(&result) == 1);
    }
    unsetenv("CPAAS_PANIC");
    CHECK(atomic_load(&ended) == 20);
}

int main(void) {
    cpaas_client *client = client_of(CONFIG);
    CHECK(cpaas_log_callback(log_line, NULL, CPAAS_LOG_ERROR) == CPAAS_OK);
    calls(client);
    text_functions();
    typed_calls(client);
    receivers();
    CHECK(caused > 30 && atomic_load(&panics) == caused);
    exports_without_status(client);
    panics_in_tasks(client);
    cpaas_text out;
    CHECK(cpaas_call(client, "sms.send", "{}", 2, &out) == CPAAS_INVALID); /* the library still works */
    cpaas_text_free(&out);
    cpaas_client_free(client);
    cpaas_shutdown();
    return checks_end();
}
