/* The limits of the library: calls, callback threads, descriptors, sizes. Needs a sandbox. Usage: limits NAME; each name runs in
 * a separate process. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#include "check.h"
#include "silent_server.h"

static atomic_int ended, running, most, released, of_resources, succeeded;

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)user_data, (void)len;
    atomic_fetch_add(&of_resources, text && strstr(text, "\"resources\"") != NULL);
    atomic_fetch_add(&succeeded, status == CPAAS_OK);
    atomic_fetch_add(&ended, 1);
}

static void wait_for(atomic_int *counter, int value) {
    for (int i = 0; i < 60000 && atomic_load(counter) < value; i++) usleep(2000);
    CHECK(atomic_load(counter) == value);
}

/* One call more than the limit is CPAAS_TOO_MANY_CALLS; a call that has ended no longer counts. */
static void calls(void) {
    char config[256];
    int fd = silent_server(config, sizeof config);
    uint64_t numbers[10];
    cpaas_limits limits = {0};
    CHECK(cpaas_set_limits(NULL) == CPAAS_BAD_ARGUMENT && cpaas_set_limits(&limits) == CPAAS_BAD_ARGUMENT);
    CHECK(CPAAS_DEFAULT_MAX_CALLS == 16384 && CPAAS_DEFAULT_MAX_CALLBACK_THREADS == 32);
    limits.size = sizeof limits;
    limits.max_calls = 10;
    CHECK(cpaas_set_limits(&limits) == CPAAS_OK);
    cpaas_client *client = client_of(config), *other = client_of(config);
    for (int i = 0; i < 10; i++) CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, NULL, &numbers[i]) == CPAAS_OK);
    CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, NULL, NULL) == CPAAS_TOO_MANY_CALLS);
    CHECK(cpaas_call_start(other, "sms.send", SMS, strlen(SMS), NULL, NULL, NULL) == CPAAS_TOO_MANY_CALLS);
    CHECK(cpaas_cancel(client, numbers[3]) == CPAAS_OK);
    wait_for(&ended, 1);
    for (int i = 0; i < 10000; i++) { /* a call ends shortly after its callback */
        if (cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, NULL, NULL) == CPAAS_OK) break;
        usleep(1000);
    }
    CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, NULL, NULL) == CPAAS_TOO_MANY_CALLS);
    cpaas_client_free(client);
    CHECK(atomic_load(&ended) == 11);
    CHECK(cpaas_call_start(other, "sms.send", SMS, strlen(SMS), NULL, NULL, NULL) == CPAAS_OK);
    cpaas_client_free(other);
    limits.max_calls = 0;
    CHECK(cpaas_set_limits(&limits) == CPAAS_OK);
    close(fd);
    cpaas_shutdown();
}

static void sleeping(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)user_data, (void)status, (void)text, (void)len;
    int now = atomic_fetch_add(&running, 1) + 1;
    for (int before = atomic_load(&most); now > before && !atomic_compare_exchange_weak(&most, &before, now);) continue;
    while (!atomic_load(&released)) usleep(1000);
    atomic_fetch_sub(&running, 1);
    atomic_fetch_add(&ended, 1);
}

/* 600 callbacks that block: at most 32 run at a time, and a call still resolves its host name. */
static void callbacks(void) {
    char config[256], *port = strrchr(getenv("CPAAS_SMS_URL"), ':');
    snprintf(config, sizeof config, "{\"sms_url\":\"http://localhost%s\"}", port);
    cpaas_client *client = client_of(config);
    for (int i = 0; i < 600; i++) CHECK(cpaas_call_async(client, "sms.send", "{}", 2, NULL, sleeping, NULL, NULL) == CPAAS_OK);
    for (int i = 0; i < 60000 && atomic_load(&running) < 32; i++) usleep(1000);
    CHECK(atomic_load(&running) == 32);
    cpaas_text out;
    cpaas_call_options options = {0};
    options.size = sizeof options;
    options.deadline_ms = 30000;
    CHECK(cpaas_call_with(client, "sms.send", SMS, strlen(SMS), &options, &out) == CPAAS_OK);
    cpaas_text_free(&out);
    atomic_store(&released, 1);
    cpaas_client_free(client);
    CHECK(atomic_load(&ended) == 600 && atomic_load(&most) == 32);
    cpaas_shutdown();
}

/* 10,000 calls with 256 descriptors: each ends with an outcome, and none fails for lack of descriptors. */
static void descriptors(void) {
    enum { CALLS = 10000 };
    struct rlimit files = {256, 256};
    CHECK(setrlimit(RLIMIT_NOFILE, &files) == 0);
    cpaas_client *client = client_of("{\"deadline\":600,\"timeout\":300}");
    for (int i = 0; i < CALLS; i++) {
        if (cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, NULL, NULL) != CPAAS_OK) CHECK(!"the call did not start");
    }
    wait_for(&ended, CALLS);
    CHECK(atomic_load(&of_resources) == 0 && atomic_load(&succeeded) == CALLS);
    cpaas_client_free(client);
    cpaas_shutdown();
}

static atomic_ullong streamed;

/* Responds to each request with a body that never ends. */
static void *stream(void *listener) {
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{\"id\":\"";
    static char more[65536];
    memset(more, 'a', sizeof more);
    for (int connection; (connection = accept(*(int *)listener, NULL, NULL)) >= 0; close(connection)) {
        char data[4096];
        if (recv(connection, data, sizeof data, 0) <= 0 || send(connection, head, sizeof head - 1, MSG_NOSIGNAL) < 0) continue;
        for (ssize_t sent; (sent = send(connection, more, sizeof more, MSG_NOSIGNAL)) > 0;) atomic_fetch_add(&streamed, (unsigned long long)sent);
    }
    return NULL;
}

static long peak(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* The body of the response never ends: the call ends at max_response_bytes (8 MiB), and its memory stays bounded. */
static void endless_body(void) {
    char config[256];
    pthread_t server;
    cpaas_text out;
    int fd = silent_server(config, sizeof config);
    pthread_create(&server, NULL, stream, &fd);
    cpaas_client *client = client_of(config);
    long before = peak();
    for (int i = 0; i < 5; i++) {
        CHECK(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out) == CPAAS_UNKNOWN);
        CHECK(out.data && strstr(out.data, "\"too_large\""));
        cpaas_text_free(&out);
    }
    printf("peak memory: %ld KiB more than before, %llu KiB streamed\n", peak() - before, atomic_load(&streamed) / 1024);
    CHECK(peak() - before < 64 * 1024);
    cpaas_client_free(client);
    shutdown(fd, SHUT_RDWR);
    pthread_join(server, NULL);
    cpaas_shutdown();
}

int main(int argc, char **argv) {
    const struct {
        const char *name;
        void (*run)(void);
    } all[] = {{"calls", calls}, {"callbacks", callbacks}, {"descriptors", descriptors}, {"endless_body", endless_body}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (argc == 2 && strcmp(argv[1], all[i].name) == 0) all[i].run();
    }
    return checks_end();
}
