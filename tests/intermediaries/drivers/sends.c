/* Sends from C; ../README.md describes what a driver reads and writes. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../conformance/drivers/report.h"
#include "cpaas.h"

static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;
static double seconds;

static void *work(void *client) {
    char *line = NULL;
    size_t capacity = 0;
    for (;;) {
        pthread_mutex_lock(&reading);
        ssize_t length = getline(&line, &capacity, stdin);
        pthread_mutex_unlock(&reading);
        if (length <= 0) break;
        line[strcspn(line, "\n")] = 0;
        char *reference = strchr(line, '\t');
        if (reference == NULL) break;
        *reference++ = 0;
        const char *headers[] = {"X-Reference", reference, NULL};
        cpaas_call_options options = {.size = sizeof options, .headers = headers};
        size_t size = strlen(line) + strlen(reference) + 100;
        char *request = malloc(size);
        if (request == NULL) abort();
        int used = snprintf(request, size, "{\"from\":\"Acme\",\"to\":\"%s\",\"text\":\"Hello\",\"reference\":\"%s\"}", line, reference);
        cpaas_text out = {0}, attempts = {0};
        const char *operation = strchr(line, ',') != NULL ? "sms.send_bulk" : "sms.send";
        cpaas_status status = cpaas_call_with(client, operation, request, (size_t)used, &options, &out);
        const char *record = out.data != NULL ? out.data : "";
        /* The record of an error contains the attempts; the result of an accepted call does not. */
        int is_known = status != CPAAS_OK && cpaas_json_get(record, out.len, "/attempts", &attempts) == CPAAS_OK;
        printf("%s\t%s\t%s\t%s\n", reference, report(status, record), is_known ? attempts.data : "", status == CPAAS_OK ? "" : record);
        if (status != CPAAS_OK) {
            struct timespec pause = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
            nanosleep(&pause, NULL);
        }
        cpaas_text_free(&attempts);
        cpaas_text_free(&out);
        free(request);
    }
    free(line);
    return NULL;
}

int main(int argc, char **argv) {
    enum { MOST = 256 };
    pthread_t threads[MOST];
    int count = argc > 1 ? atoi(argv[1]) : 1;
    cpaas_client *client = NULL;
    seconds = argc > 2 ? atof(argv[2]) : 0;
    cpaas_text out = {0};
    if (count < 1 || count > MOST) return 2;
    if (cpaas_client_new("{}", 2, &client, &out) != CPAAS_OK) {
        fprintf(stderr, "%s\n", out.data != NULL ? out.data : "no client");
        cpaas_text_free(&out);
        return 1;
    }
    for (int i = 0; i < count; i++) {
        if (pthread_create(&threads[i], NULL, work, client) != 0) return 1;
    }
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    cpaas_client_free(client);
    cpaas_shutdown();
    return 0;
}
