/* A program with a race: its callback and its main thread write one variable without a lock. The tools must report it, with the
 * installed suppressions. */
#include "check.h"

static int raced;

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)user_data, (void)status, (void)text, (void)len;
    raced++;
}

int main(void) {
    cpaas_client *client = client_of("{}");
    size_t written;
    cpaas_text out;
    if (cpaas_call_start_with(client, "sms.send", "{}", 2, NULL, done, NULL, NULL, &out) != CPAAS_OK) return 2;
    raced++;
    if (cpaas_client_drain(client, 600000, NULL, 0, &written) != CPAAS_OK) return 2;
    printf("raced: %d\n", raced);
    cpaas_client_free(client);
    cpaas_shutdown();
    return 0;
}
