/* Sends COUNT messages concurrently and counts the outcomes. Configuration: the environment (CPAAS_SMS_URL,
 * CPAAS_SMS_KEY). Links libpthread. Usage: async COUNT */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpaas.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, accepted;

/* Called exactly once for each call, on a thread of the library. */
static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    if (status != CPAAS_OK) {
        fprintf(stderr, "%s: %s %.*s\n", (const char *)user_data, cpaas_status_name(status), (int)len, text ? text : "");
    }
    free(user_data);
    pthread_mutex_lock(&lock);
    waiting--;
    accepted += status == CPAAS_OK;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 10;
    cpaas_client *client = NULL;
    cpaas_text out;
    cpaas_status status = cpaas_client_new("{}", 2, &client, &out);
    cpaas_text_free(&out);
    if (status != CPAAS_OK) return 2;

    waiting = count;
    for (int i = 0; i < count; i++) {
        char name[32], to[16];
        snprintf(name, sizeof name, "message %d", i), snprintf(to, sizeof to, "30691%07d", i);
        cpaas_sms sms = {.size = sizeof sms, .from = "Acme", .to = to, .text = "Hello"};
        char *user_data = strdup(name);
        status = cpaas_sms_start(client, &sms, NULL, done, user_data, NULL, &out);
        if (status != CPAAS_OK) done(user_data, status, out.data, out.len); /* the call was not started: `out` names the argument */
        cpaas_text_free(&out);
    }
    pthread_mutex_lock(&lock);
    while (waiting > 0) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    printf("%d of %d accepted\n", accepted, count);
    cpaas_client_free(client);
    cpaas_shutdown();
    return accepted == count ? 0 : 1;
}
