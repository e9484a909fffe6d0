/* Eight threads share one client; each thread receives the results of its own requests. Needs a sandbox. */
#include <pthread.h>
#include <stdint.h>

#include "check.h"

enum { THREADS = 8, EACH = 100 };

static cpaas_client *shared;
static int succeeded[THREADS];

static void *work(void *index) {
    uintptr_t me = (uintptr_t)index;
    for (unsigned i = 0; i < EACH; i++) {
        char request[160], member[40];
        cpaas_text out;
        unsigned number = (unsigned)me * EACH + i;
        int len = snprintf(request, sizeof request, "{\"from\":\"Acme\",\"to\":\"30691%07u\",\"text\":\"%0*u\"}", number,
                           (int)(1 + number % 100), 1u);
        snprintf(member, sizeof member, "\"to\":\"30691%07u\",\"textLength\":%u,", number, 1 + number % 100);
        cpaas_status status = cpaas_call(shared, "sms.send", request, (size_t)len, &out);
        succeeded[me] += status == CPAAS_OK && strstr(out.data, member);
        if (status != CPAAS_OK || !strstr(out.data, member)) printf("%s %s\n", member, out.data ? out.data : "");
        cpaas_text_free(&out);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    shared = client_of("{}");
    for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(succeeded[i] == EACH);
    }
    cpaas_client_free(shared);
    cpaas_shutdown();
    return checks_end();
}
