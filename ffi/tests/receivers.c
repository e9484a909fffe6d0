/* The part of typed_calls.c that tests receivers of callbacks. */
#include <stdint.h>

#include "check.h"

void check_receivers(void);

/* A receiver keeps its configuration and detects repeated reports. */
void check_receivers(void) {
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
}
