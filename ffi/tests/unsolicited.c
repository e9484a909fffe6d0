/* A response that no request caused decides about no later call: a rate limit would send its message again. */
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "check.h"
#include "silent_server.h"

static const char accepted[] =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 30\r\n\r\n"
    "{\"id\":\"m-1\",\"responseCode\":0} ";
static const char limited[] =
    "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\nRetry-After: 0\r\nContent-Length: 44\r\n\r\n"
    "{\"responseCode\":906,\"responseText\":\"slowly\"}";

/* When the first connection also carries a rate limit. */
enum moment { IN_THE_SAME_BYTES, AT_ONCE, WHILE_IDLE, MOMENTS };
static enum moment moment;
static atomic_int listener, requests;

static void put(int connection, const char *data, size_t size) {
    ignored((size_t)send(connection, data, size, MSG_NOSIGNAL));
}

static void respond(int connection, int is_first) {
    char both[sizeof accepted + sizeof limited];
    memcpy(both, accepted, sizeof accepted - 1);
    memcpy(both + sizeof accepted - 1, limited, sizeof limited);
    if (is_first && moment == IN_THE_SAME_BYTES) {
        put(connection, both, sizeof accepted + sizeof limited - 2);
        return;
    }
    put(connection, accepted, sizeof accepted - 1);
    if (!is_first) return;
    if (moment == WHILE_IDLE) usleep(50000);
    put(connection, limited, sizeof limited - 1);
}

/* Accepts one connection at a time, until the client has closed it. */
static void *serve(void *unused) {
    int is_first = 1, on = 1;
    for (int connection; (connection = accept(atomic_load(&listener), NULL, NULL)) >= 0; is_first = 0) {
        char data[4096];
        size_t have = 0;
        setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        for (ssize_t got; (got = read(connection, data + have, sizeof data - 1 - have)) > 0;) {
            have += (size_t)got;
            data[have] = '\0';
            if (!strstr(data, SMS)) continue;
            have = 0;
            atomic_fetch_add(&requests, 1);
            respond(connection, is_first);
        }
        close(connection);
    }
    return unused;
}

static cpaas_status ended_with;
static atomic_int ended;

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)user_data, (void)text, (void)len;
    ended_with = status;
    atomic_store(&ended, 1);
}

static cpaas_status blocking(cpaas_client *client) {
    cpaas_text out;
    cpaas_status status = cpaas_call(client, "sms.send", SMS, strlen(SMS), &out);
    cpaas_text_free(&out);
    return status;
}

static cpaas_status asynchronous(cpaas_client *client) {
    atomic_store(&ended, 0);
    CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, NULL, NULL) == CPAAS_OK);
    while (!atomic_load(&ended)) usleep(1000);
    return ended_with;
}

static void two_messages(cpaas_status (*call)(cpaas_client *)) {
    char config[512], retries[256];
    pthread_t server;
    listener = silent_server(config, sizeof config);
    /* With retries: a rate limit is the one response after which a message is sent again. */
    snprintf(retries, sizeof retries, "%.*s,\"max_attempts\":3,\"accept_repeated_ids\":true}",
             (int)(strstr(config, ",\"max_attempts\"") - config), config);
    atomic_store(&requests, 0);
    pthread_create(&server, NULL, serve, NULL);
    cpaas_client *client = client_of(retries);
    for (int message = 0; message < 2; message++) {
        CHECK(call(client) == CPAAS_OK);
        usleep(150000); /* nothing drives the runtime of the library meanwhile */
    }
    CHECK(atomic_load(&requests) == 2);
    cpaas_client_free(client);
    shutdown(atomic_load(&listener), SHUT_RDWR);
    pthread_join(server, NULL);
    close(atomic_load(&listener));
}

int main(void) {
    for (moment = 0; moment < MOMENTS; moment++) {
        two_messages(blocking);
        two_messages(asynchronous);
    }
    cpaas_shutdown();
    return checks_end();
}
