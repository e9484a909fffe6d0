/* The part of typed_calls.c that tests polled results. */
#include <poll.h>
#include <stdint.h>

#include "check.h"
#include "silent_server.h"

void check_polled_results(cpaas_client *client);

/* Each result is polled once, with its user_data. The descriptor is readable while there are results. */
void check_polled_results(cpaas_client *client) {
    enum { CALLS = 20 };
    const cpaas_client *invalid = (const cpaas_client *)(16 * 100000);
    cpaas_result results[4];
    uint64_t number;
    int tags[CALLS], seen = 0, ok = 0, fd = cpaas_event_fd(client);
    struct pollfd waiting = {fd, POLLIN, 0};
    memset(tags, 0, sizeof tags);
    CHECK(fd >= 0 && cpaas_event_fd(client) == fd && poll(&waiting, 1, 0) == 0);
    CHECK(cpaas_poll(client, results, 4) == 0);
    CHECK(cpaas_event_fd(NULL) == -1 && cpaas_event_fd(invalid) == -1 && cpaas_poll(invalid, results, 4) == 0);
    CHECK(cpaas_poll(client, NULL, 4) == 0);
    for (int i = 0; i < CALLS; i++) {
        CHECK(cpaas_call_start(client, "sms.send", i % 2 ? SMS : "{}", i % 2 ? strlen(SMS) : 2, NULL, &tags[i], &number) == CPAAS_OK && number > 0);
    }
    while (seen < CALLS && poll(&waiting, 1, 60000) == 1) {
        size_t count = cpaas_poll(client, results, 4);
        CHECK(count <= 4);
        for (size_t i = 0; i < count; i++, seen++) {
            int *tag = results[i].user_data;
            ok += *tag == 0 && results[i].status == ((tag - tags) % 2 ? CPAAS_OK : CPAAS_INVALID) && results[i].text.data;
            *tag = 1;
            cpaas_text_free(&results[i].text);
        }
    }
    CHECK(seen == CALLS && ok == CALLS && poll(&waiting, 1, 0) == 0);
    CHECK(cpaas_call_start(client, "sms", SMS, strlen(SMS), NULL, NULL, NULL) == CPAAS_BAD_NAME);
    CHECK(cpaas_call_start(NULL, "sms.send", SMS, strlen(SMS), NULL, NULL, NULL) == CPAAS_BAD_ARGUMENT);
    cpaas_client *other = client_of("{}"); /* results that were not polled are freed with their client */
    CHECK(cpaas_call_start(other, "sms.send", SMS, strlen(SMS), NULL, NULL, &number) == CPAAS_OK);
    CHECK(cpaas_cancel(other, number) == CPAAS_OK);
    cpaas_client_free(other);
}
