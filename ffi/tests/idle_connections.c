/* Tests idle connections while no thread drives the runtime. The library must not send on a connection that the provider has
 * closed, so that no outcome is unknown. It must close the connections of a freed client. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "check.h"
#include "silent_server.h"

static const char response[] =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 64\r\n\r\n"
    "{\"id\":\"m-1\",\"timestamp\":\"2024-05-01T10:00:00Z\",\"responseCode\":0}";

static int listener;
static atomic_int hangs_up, requests, client_closes, closed;

/* Accepts one connection at a time; a request arrives in one or two reads. */
static void *serve(void *unused) {
    char data[4096];
    for (int connection; (connection = accept(listener, NULL, NULL)) >= 0;) {
        size_t have = 0;
        for (ssize_t got; (got = read(connection, data + have, sizeof data - 1 - have)) >= 0;) {
            if (got == 0) {
                atomic_fetch_add(&client_closes, 1);
                break;
            }
            have += (size_t)got;
            data[have] = '\0';
            if (!strstr(data, SMS)) continue;
            atomic_fetch_add(&requests, 1);
            if (write(connection, response, sizeof response - 1) < 0) break;
            have = 0;
            if (atomic_load(&hangs_up)) break;
        }
        close(connection);
        atomic_fetch_add(&closed, 1);
    }
    return unused;
}

static int sent(cpaas_client *client) {
    cpaas_text out;
    cpaas_status status = cpaas_call(client, "sms.send", SMS, strlen(SMS), &out);
    if (status != CPAAS_OK) printf("%s\n", out.data ? out.data : cpaas_status_name(status));
    cpaas_text_free(&out);
    return status == CPAAS_OK;
}

int main(void) {
    enum { CALLS = 200 };
    char config[256];
    pthread_t server;
    int ok = 0;
    listener = silent_server(config, sizeof config);
    pthread_create(&server, NULL, serve, NULL);
    cpaas_client *client = client_of(config);

    atomic_store(&hangs_up, 1);
    for (int i = 0; i < CALLS; i++) {
        ok += sent(client);
        for (int wait = 0; wait < 60000 && atomic_load(&closed) <= i; wait++) usleep(1000);
        usleep(1000); /* until the close arrives */
    }
    CHECK(ok == CALLS && atomic_load(&requests) == CALLS);

    atomic_store(&hangs_up, 0);
    CHECK(sent(client) && sent(client));
    CHECK(atomic_load(&client_closes) == 0); /* the connection stays open for the next call */
    cpaas_client_free(client);
    for (int i = 0; i < 20000 && atomic_load(&client_closes) == 0; i++) usleep(5000);
    CHECK(atomic_load(&client_closes) == 1);

    cpaas_client *again = client_of(config); /* the library still works */
    CHECK(sent(again));
    cpaas_client_free(again);
    cpaas_shutdown();
    shutdown(listener, SHUT_RDWR);
    pthread_join(server, NULL);
    return checks_end();
}
