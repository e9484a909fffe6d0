/* The connections of a client: three quarters of `max_connections` carry a request at the same time, and no more than `max_connections` are open. */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../benches/server.h"
#include "check.h"

enum { CALLS = 2000, MAX_CONNECTIONS = 128, CARRYING = 96, MOST = 1024 };

static atomic_int open_now, most_open, waiting, most_waiting, responds, stops, ended, accepted;

static void raise_to(atomic_int *most, int now) {
    for (int before = atomic_load(most); now > before && !atomic_compare_exchange_weak(most, &before, now);) continue;
}

/* Counts connections, and those whose request waits for a response, which comes only after `responds` is set. */
static void *count_connections(void *listener) {
    static struct pollfd all[MOST];
    static struct {
        char data[2048];
        size_t len;
        int is_waiting;
    } received[MOST];
    unsigned ids = 0;
    nfds_t count = 1;
    all[0] = (struct pollfd){*(int *)listener, POLLIN, 0};
    while (!atomic_load(&stops)) {
        poll(all, count, 5);
        if ((all[0].revents & POLLIN) && count < MOST) {
            all[count] = (struct pollfd){accept(*(int *)listener, NULL, NULL), POLLIN, 0};
            memset(&received[count++], 0, sizeof *received);
            raise_to(&most_open, atomic_fetch_add(&open_now, 1) + 1);
        }
        for (nfds_t i = 1; i < count; i++) {
            char *data = received[i].data;
            if (all[i].revents) {
                ssize_t got = recv(all[i].fd, data + received[i].len, sizeof received->data - 1 - received[i].len, 0);
                if (got <= 0) {
                    close(all[i].fd);
                    atomic_fetch_sub(&open_now, 1);
                    all[i] = all[--count], received[i] = received[count], i--;
                    continue;
                }
                received[i].len += (size_t)got;
                data[received[i].len] = '\0';
                if (is_request(data, received[i].len)) {
                    received[i].is_waiting = 1, received[i].len = 0;
                    raise_to(&most_waiting, atomic_fetch_add(&waiting, 1) + 1);
                }
            }
            if (received[i].is_waiting && atomic_load(&responds)) {
                received[i].is_waiting = 0;
                atomic_fetch_sub(&waiting, 1);
                CHECK(respond(all[i].fd, 1, ++ids));
            }
        }
    }
    return NULL;
}

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)user_data, (void)text, (void)len;
    atomic_fetch_add(&accepted, status == CPAAS_OK);
    atomic_fetch_add(&ended, 1);
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    char config[160];
    pthread_t server;
    CHECK(bind(fd, (struct sockaddr *)&address, len) == 0 && listen(fd, MOST) == 0 && getsockname(fd, (struct sockaddr *)&address, &len) == 0);
    pthread_create(&server, NULL, count_connections, &fd);
    snprintf(config, sizeof config, "{\"sms_url\":\"http://127.0.0.1:%d\",\"sms_key\":\"k\",\"deadline\":120,\"timeout\":120}", ntohs(address.sin_port));
    cpaas_client *client = client_of(config);
    cpaas_sms sms = {.size = sizeof sms, .from = "Acme", .to = "306912345678", .text = "Hi"};
    for (int i = 0; i < CALLS; i++) {
        cpaas_text out;
        CHECK(cpaas_sms_start(client, &sms, NULL, done, NULL, NULL, &out) == CPAAS_OK);
        cpaas_text_free(&out);
    }
    for (int i = 0; i < 6000 && atomic_load(&waiting) < CARRYING; i++) usleep(10000);
    sleep(1); /* a further call would arrive */
    CHECK(atomic_load(&waiting) == CARRYING);
    CHECK(atomic_load(&open_now) == CARRYING);
    atomic_store(&responds, 1);
    for (int i = 0; i < 12000 && atomic_load(&ended) < CALLS; i++) usleep(10000);
    CHECK(atomic_load(&accepted) == CALLS);
    printf("at most %d requests at a time, at most %d connections open\n", atomic_load(&most_waiting), atomic_load(&most_open));
    CHECK(atomic_load(&most_waiting) == CARRYING && atomic_load(&most_open) <= MAX_CONNECTIONS);
    cpaas_client_free(client);
    cpaas_shutdown();
    atomic_store(&stops, 1);
    pthread_join(server, NULL);
    close(fd);
    return checks_end();
}
