/* The part of panics.c for typed asynchronous calls: each export returns CPAAS_PANIC, and a panic in the task of a call is its result. */
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
        CHECK(caught == CPAAS_PANIC);           \
        checked(out.data && strcmp(out.data, PANIC_TEXT) == 0, #call, __FILE__, __LINE__); \
        cpaas_text_free(&out);                  \
    } while (0)

#define PANICS(call)                            \
    do {                                        \
        setenv("CPAAS_PANIC", "export", 1);     \
        cpaas_status caught = (call);           \
        unsetenv("CPAAS_PANIC");                \
        checked(caught == CPAAS_PANIC, #call, __FILE__, __LINE__); \
    } while (0)

static atomic_int runs;

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)user_data, (void)status, (void)text, (void)len;
    atomic_fetch_add(&runs, 1);
}

int main(void) {
    cpaas_client *client = client_of("{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"k\"}");
    cpaas_sms sms = {.size = sizeof sms, .from = "Acme", .to = "306912345678", .text = "Hi"};
    cpaas_sent sent = {.size = sizeof sent};
    cpaas_lookup lookup = {.size = sizeof lookup};
    cpaas_result results[2];
    size_t written = 99;
    int tag;
    PANICS_WITH_OUTPUT(cpaas_call_start_with(client, "sms.send", SMS, strlen(SMS), NULL, done, NULL, NULL, &out));
    PANICS_WITH_OUTPUT(cpaas_sms_start(client, &sms, NULL, done, NULL, NULL, &out));
    PANICS_WITH_OUTPUT(cpaas_otp_start(client, NULL, NULL, done, NULL, NULL, &out));
    PANICS_WITH_OUTPUT(cpaas_otp_verify_start(client, NULL, NULL, done, NULL, NULL, &out));
    PANICS_WITH_OUTPUT(cpaas_lookup_start(client, "306912345678", NULL, done, NULL, NULL, &out));
    PANICS(cpaas_sent_read("{\"id\":\"a\"}", 10, &sent));
    PANICS(cpaas_lookup_read("[]", 2, &lookup));
    PANICS(cpaas_client_drain(client, 0, results, 2, &written));
    CHECK(written == 0 && atomic_load(&runs) == 0);

    setenv("CPAAS_PANIC", "task", 1);
    cpaas_text out;
    CHECK(cpaas_sms_start(client, &sms, NULL, NULL, &tag, NULL, &out) == CPAAS_OK);
    CHECK(cpaas_client_drain(client, 60000, results, 2, &written) == CPAAS_OK && written == 1);
    unsetenv("CPAAS_PANIC");
    CHECK(results[0].status == CPAAS_PANIC && results[0].user_data == &tag);
    CHECK(results[0].text.data && strcmp(results[0].text.data, PANIC_TEXT) == 0);
    cpaas_text_free(&results[0].text);
    cpaas_client_free(client);
    cpaas_shutdown();
    return checks_end();
}
