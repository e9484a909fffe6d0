/* A program with errors that the tools must report, with the installed suppressions: its callback and its main thread write one variable
 * without a lock; with the argument `log`, its log function does so on two threads; with `leak`, it does not free a text. */
#include <pthread.h>

#include "check.h"

static int raced;

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)user_data, (void)status, (void)text, (void)len;
    raced++;
}

static void line(void *user_data, uint32_t level, const char *text, size_t len) {
    done(user_data, (cpaas_status)level, text, len);
}

static void *invalid_calls(void *client) {
    cpaas_text out;
    for (int i = 0; i < 50; i++) {
        cpaas_status status = cpaas_call(client, "sms.send", "{}", 2, &out); /* not CHECK, which counts without a lock */
        cpaas_text_free(&out);
        if (status != CPAAS_INVALID) abort();
    }
    return NULL;
}

static void log_on_two_threads(void) {
    cpaas_client *client = client_of("{}");
    pthread_t threads[2];
    CHECK(cpaas_client_log(client, line, NULL, CPAAS_LOG_DEBUG) == CPAAS_OK);
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, invalid_calls, client);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    cpaas_client_free(client);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "leak") == 0) {
        cpaas_text never_freed;
        CHECK(cpaas_operations(&never_freed) == CPAAS_OK);
        memset(&never_freed, 0, sizeof never_freed);
        return checks_end();
    }
    if (argc > 1 && strcmp(argv[1], "log") == 0) {
        log_on_two_threads();
        printf("raced: %d\n", raced);
        return checks_end();
    }
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
