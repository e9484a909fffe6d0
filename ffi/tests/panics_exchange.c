/* Tests exchanges with a library whose exports panic (feature panic-test): no panic leaves the library, and a panic in a call ends its
 * exchange. */
#include "check.h"

#define SMS "{\"from\":\"Acme\",\"to\":\"306912345678\",\"text\":\"Hi\"}"
#define ACCEPTED "{\"id\":\"m-1\",\"responseCode\":0}"

#define PANICS(call)                            \
    do {                                        \
        setenv("CPAAS_PANIC", "export", 1);     \
        cpaas_status caught = (call);           \
        unsetenv("CPAAS_PANIC");                \
        checked(caught == CPAAS_PANIC, #call, __FILE__, __LINE__); \
    } while (0)

static cpaas_status responds(cpaas_exchange *exchange) {
    cpaas_response response = {.size = sizeof response, .http_status = 200, .body = ACCEPTED, .body_len = strlen(ACCEPTED)};
    return cpaas_exchange_respond(exchange, &response);
}

int main(void) {
    cpaas_client *client = client_of("{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"k\"}");
    cpaas_exchange *exchange = NULL;
    cpaas_step step = {.size = sizeof step, .kind = 7};
    cpaas_text out;
    PANICS(cpaas_exchange_new(client, "sms.send", SMS, strlen(SMS), NULL, &exchange, &out));
    CHECK(exchange == NULL && out.data && strstr(out.data, "internal error"));
    cpaas_text_free(&out);
    CHECK(cpaas_exchange_new(client, "sms.send", SMS, strlen(SMS), NULL, &exchange, &out) == CPAAS_OK);
    PANICS(cpaas_exchange_step(exchange, &step));
    CHECK(step.kind == 0);
    PANICS(responds(exchange));
    PANICS(cpaas_exchange_fail(exchange, CPAAS_SENT_NO, "dns"));
    PANICS(cpaas_exchange_cancel(exchange, CPAAS_SENT_NO));
    PANICS(cpaas_exchange_end(exchange, &out));
    cpaas_text_free(&out);
    setenv("CPAAS_PANIC", "export", 1);
    cpaas_exchange_free(NULL);
    unsetenv("CPAAS_PANIC");
    /* A panic of an export changed nothing; one inside the call ends the exchange. */
    CHECK(cpaas_exchange_step(exchange, &step) == CPAAS_OK && step.kind == CPAAS_STEP_SEND);
    setenv("CPAAS_PANIC", "exchange", 1);
    CHECK(responds(exchange) == CPAAS_PANIC);
    unsetenv("CPAAS_PANIC");
    CHECK(responds(exchange) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_exchange_step(exchange, &step) == CPAAS_OK && step.kind == CPAAS_STEP_END);
    CHECK(cpaas_exchange_end(exchange, &out) == CPAAS_PANIC && strstr(out.data, "internal error of the library; the request may have been sent"));
    cpaas_text_free(&out);
    cpaas_exchange_free(exchange);
    CHECK(cpaas_exchange_new(client, "sms.send", SMS, strlen(SMS), NULL, &exchange, &out) == CPAAS_OK); /* the library still works */
    CHECK(cpaas_exchange_step(exchange, &step) == CPAAS_OK && responds(exchange) == CPAAS_OK && cpaas_exchange_end(exchange, &out) == CPAAS_OK);
    cpaas_text_free(&out);
    cpaas_exchange_free(exchange);
    cpaas_client_free(client);
    cpaas_shutdown();
    return checks_end();
}
