/* Creates and frees COUNT clients, with calls on each. Run under valgrind, to test that the reachable memory does not grow with
 * COUNT. Needs no server. Usage: client_cycles COUNT */
#include "check.h"
#include "silent_server.h"

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)user_data, (void)text, (void)len;
    if (status == CPAAS_OK) abort();
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 1000;
    for (int i = 0; i < count; i++) {
        cpaas_client *client = client_of("{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"k\",\"max_attempts\":1}");
        cpaas_text out;
        CHECK(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out) == CPAAS_NOT_SENT);
        cpaas_text_free(&out);
        CHECK(cpaas_prepare(client, "sms.send", SMS, strlen(SMS), &out) == CPAAS_OK);
        cpaas_text_free(&out);
        CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, NULL, NULL) == CPAAS_OK);
        cpaas_client_free(client);
    }
    cpaas_shutdown();
    return checks_end();
}
