/* The limits of the library: calls, callback threads, descriptors, sizes, events of a receiver. Needs a sandbox. Usage: limits NAME; each name runs in
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

/* Receives the report of a message. Returns whether its state is `expected`; `lease`, if not NULL, receives its lease. */
static int arrives(const cpaas_receiver *receiver, const char *url, const char *id, const char *expected, cpaas_text *lease) {
    char request[1024];
    cpaas_text out;
    snprintf(request, sizeof request, "{\"method\":\"GET\",\"url\":\"%s&msgid=%s&status=sent&reference=r\"}", url, id);
    int ok = cpaas_receiver_receive(receiver, request, strlen(request), 1700000000, &out) == CPAAS_OK;
    ok = ok && json_is(out.data, "/state", expected);
    if (strcmp(expected, "busy") == 0) ok = ok && json_is(out.data, "/status", "503") && json_is(out.data, "/retry_after", "1");
    if (lease) ok = ok && cpaas_json_get(out.data, out.len, "/lease", lease) == CPAAS_OK;
    cpaas_text_free(&out);
    return ok;
}

/* A receiver full of events that are being processed is busy for 1 s; of events that are done it forgets the oldest. */
static void events(void) {
    const char *config = "{\"audience\":\"shop\",\"public_url\":\"https://shop.example/hooks\",\"delivery_keys\":[{\"kid\":\"k1\","
                         "\"secret\":\"a secret of thirty-two bytes or more\"}]}";
    const char *mint = "{\"source\":\"sms_report\",\"reference\":\"r\"}";
    static cpaas_text leases[CPAAS_RECEIVER_MEMORY];
    cpaas_receiver *receiver;
    cpaas_text out, url;
    char id[16];
    CHECK(cpaas_receiver_new(config, strlen(config), &receiver, &out) == CPAAS_OK);
    CHECK(cpaas_receiver_lease(receiver, 86400) == CPAAS_OK);
    CHECK(cpaas_token_mint(config, strlen(config), mint, strlen(mint), 1700000000, &out) == CPAAS_OK);
    CHECK(cpaas_json_get(out.data, out.len, "/url", &url) == CPAAS_OK);
    cpaas_text_free(&out);
    uint32_t claimed = 0, recorded = 0;
    for (uint32_t i = 0; i < CPAAS_RECEIVER_MEMORY; i++) {
        snprintf(id, sizeof id, "%u", i);
        claimed += arrives(receiver, url.data, id, "new", &leases[i]) != 0;
    }
    CHECK(claimed == CPAAS_RECEIVER_MEMORY);
    CHECK(arrives(receiver, url.data, "more", "busy", NULL));
    CHECK(arrives(receiver, url.data, "", "new", NULL)); /* without an id */
    for (uint32_t i = 0; i < CPAAS_RECEIVER_MEMORY; i++) {
        recorded += cpaas_receiver_done(receiver, leases[i].data, leases[i].len) == CPAAS_OK;
        cpaas_text_free(&leases[i]);
    }
    CHECK(recorded == CPAAS_RECEIVER_MEMORY);
    CHECK(arrives(receiver, url.data, "0", "done", NULL));
    CHECK(arrives(receiver, url.data, "more", "new", &leases[0]));
    CHECK(cpaas_receiver_done(receiver, leases[0].data, leases[0].len) == CPAAS_OK);
    CHECK(arrives(receiver, url.data, "1", "done", NULL) && arrives(receiver, url.data, "more", "done", NULL));
    CHECK(arrives(receiver, url.data, "0", "new", NULL));
    cpaas_text_free(&leases[0]);
    cpaas_text_free(&url);
    cpaas_receiver_free(receiver);
}

int main(int argc, char **argv) {
    const struct {
        const char *name;
        void (*run)(void);
    } all[] = {{"calls", calls}, {"callbacks", callbacks}, {"descriptors", descriptors}, {"endless_body", endless_body}, {"events", events}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (argc == 2 && strcmp(argv[1], all[i].name) == 0) all[i].run();
    }
    return checks_end();
}
