/* Cancels many calls at once: every callback runs exactly once with the actual outcome, and cpaas_client_free waits for
 * all of them. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "silent_server.h"

enum { CALLS = 2000, ROUNDS = 20 };

typedef struct started_call {
    atomic_int runs;
    atomic_int status;
    uint64_t number;
} started_call;

static started_call started_calls[CALLS];
static pthread_t starter;
static cpaas_client *shared;

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    started_call *of = user_data;
    if (pthread_equal(pthread_self(), starter)) CHECK(!"the callback runs on the thread that started the call");
    if (text && strlen(text) == len) atomic_store(&of->status, (int)status + 1);
    atomic_fetch_add(&of->runs, 1);
}

static void *cancel_all(void *step) {
    for (size_t i = 0; i < CALLS; i += (size_t)(uintptr_t)step) cpaas_cancel(shared, started_calls[i].number);
    return NULL;
}

/* Starts calls to a server that never responds, cancels them from several threads and frees the client. Expects as many
 * unknown outcomes as requests were written; without a server (`server` is -1), none. */
static void cancel_round(const char *config, int server, int cancel) {
    pthread_t threads[3];
    memset(started_calls, 0, sizeof started_calls);
    shared = client_of(config);
    for (int i = 0; i < CALLS; i++) {
        cpaas_status status = cpaas_call_async(shared, "sms.send", SMS, strlen(SMS), NULL, done, &started_calls[i], &started_calls[i].number);
        if (status != CPAAS_OK) CHECK(status == CPAAS_OK);
    }
    for (uintptr_t i = 0; cancel && i < 3; i++) pthread_create(&threads[i], NULL, cancel_all, (void *)(i + 1));
    for (int i = 0; cancel && i < 3; i++) pthread_join(threads[i], NULL);
    cpaas_client_free(shared);
    int once = 0, unknown = 0, not_sent = 0;
    for (int i = 0; i < CALLS; i++) {
        int status = atomic_load(&started_calls[i].status) - 1;
        once += atomic_load(&started_calls[i].runs) == 1;
        unknown += status == CPAAS_UNKNOWN;
        not_sent += status == CPAAS_NOT_SENT;
    }
    CHECK(once == CALLS);
    CHECK(unknown + not_sent == CALLS);
    CHECK(unknown == (server < 0 ? 0 : requests_at(server)));
}

static void inner(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)text, (void)len;
    atomic_fetch_add((atomic_int *)user_data, status == CPAAS_INVALID);
}

static atomic_int inner_runs, outer_runs;

/* A callback may call the library: make a call, start an asynchronous call, cancel, count, create and free another client. */
static void outer(void *user_data, cpaas_status status, const char *text, size_t len) {
    cpaas_client *client = *(cpaas_client **)user_data, *other = client_of("{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"k\"}");
    cpaas_segment_count count;
    cpaas_text out;
    int ok = status == CPAAS_INVALID && text && len > 0;
    ok &= cpaas_call(client, "sms.send", "{}", 2, &out) == CPAAS_INVALID;
    cpaas_text_free(&out);
    ok &= cpaas_call_async(client, "sms.send", "{}", 2, NULL, inner, &inner_runs, NULL) == CPAAS_OK;
    ok &= cpaas_cancel(client, 1) == CPAAS_OK && cpaas_count_segments("Hi", 2, &count) == CPAAS_OK;
    cpaas_client_free(other);
    cpaas_shutdown(); /* not allowed here, so it does nothing */
    atomic_fetch_add(&outer_runs, ok);
}

static void calls_inside_callbacks(void) {
    cpaas_client *client = client_of("{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"k\"}");
    for (int i = 0; i < 50; i++) CHECK(cpaas_call_async(client, "sms.send", "{}", 2, NULL, outer, &client, NULL) == CPAAS_OK);
    /* The callbacks use the client to their end. */
    for (int i = 0; i < 12000 && (atomic_load(&inner_runs) < 50 || atomic_load(&outer_runs) < 50); i++) usleep(10000);
    cpaas_client_free(client);
    CHECK(atomic_load(&outer_runs) == 50);
    CHECK(atomic_load(&inner_runs) == 50);
}

static void free_own_client(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)status, (void)text, (void)len;
    cpaas_client_free(*(cpaas_client **)user_data);
    atomic_fetch_add(&outer_runs, 1);
}

/* A callback must not free its own client; the library neither crashes nor hangs. */
static void client_freed_in_its_callback(void) {
    cpaas_client *client = client_of("{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"k\"}");
    atomic_store(&outer_runs, 0);
    CHECK(cpaas_call_async(client, "sms.send", "{}", 2, NULL, free_own_client, &client, NULL) == CPAAS_OK);
    for (int i = 0; i < 12000 && atomic_load(&outer_runs) < 1; i++) usleep(10000);
    CHECK(atomic_load(&outer_runs) == 1);
    CHECK(cpaas_cancel(client, 1) == CPAAS_BAD_HANDLE);
}

/* Clients whose callbacks free each other, which ends in at most 5 s: the callback of client i frees client (i + 1) % n. */
enum { RING = 3, RING_SECONDS = 5 };
static cpaas_client *ring[RING];
static int ring_size;
static pthread_barrier_t all_in_callbacks;

static void free_next(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)status, (void)text, (void)len;
    pthread_barrier_wait(&all_in_callbacks);
    cpaas_client_free(ring[((uintptr_t)user_data + 1) % (uintptr_t)ring_size]);
    atomic_fetch_add(&outer_runs, 1);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void clients_freed_in_a_ring(int size) {
    ring_size = size;
    atomic_store(&outer_runs, 0);
    pthread_barrier_init(&all_in_callbacks, NULL, (unsigned)size);
    for (int i = 0; i < size; i++) ring[i] = client_of("{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"k\"}");
    for (int i = 0; i < size; i++) CHECK(cpaas_call_async(ring[i], "sms.send", "{}", 2, NULL, free_next, (void *)(uintptr_t)i, NULL) == CPAAS_OK);
    double limit = seconds() + RING_SECONDS;
    while (seconds() < limit && atomic_load(&outer_runs) < size) usleep(1000);
    CHECK(atomic_load(&outer_runs) == size);
    for (int i = 0; i < size; i++) CHECK(cpaas_cancel(ring[i], 1) == CPAAS_BAD_HANDLE);
    pthread_barrier_destroy(&all_in_callbacks);
}

static void free_other(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)status, (void)text, (void)len;
    cpaas_client_free(user_data);
    atomic_fetch_add(&outer_runs, 1);
}

/* The callback of one client frees another one, whose callback waits for the only thread. */
static void client_freed_on_the_only_thread(const char *config) {
    memset(started_calls, 0, sizeof started_calls);
    cpaas_limits limits = {.size = sizeof limits, .max_callback_threads = 1};
    cpaas_client *first = client_of(config), *second = client_of(config);
    atomic_store(&outer_runs, 0);
    CHECK(cpaas_set_limits(&limits) == CPAAS_OK);
    CHECK(cpaas_call_async(second, "sms.send", SMS, strlen(SMS), NULL, done, &started_calls[0], NULL) == CPAAS_OK);
    CHECK(cpaas_call_async(first, "sms.send", "{}", 2, NULL, free_other, second, NULL) == CPAAS_OK);
    for (int i = 0; i < 6000 && atomic_load(&started_calls[0].runs) < 1; i++) usleep(10000);
    CHECK(atomic_load(&outer_runs) == 1 && atomic_load(&started_calls[0].runs) == 1);
    cpaas_client_free(first);
    limits.max_callback_threads = 32;
    CHECK(cpaas_set_limits(&limits) == CPAAS_OK);
}

/* Shuts the library down while calls run. Expects that each callback still runs exactly once. */
static void shut_down(const char *config) {
    memset(started_calls, 0, sizeof started_calls);
    shared = client_of(config);
    for (int i = 0; i < 100; i++) {
        CHECK(cpaas_call_async(shared, "sms.send", SMS, strlen(SMS), NULL, done, &started_calls[i], NULL) == CPAAS_OK);
    }
    cpaas_shutdown();
    cpaas_client_free(shared);
    int once = 0;
    for (int i = 0; i < 100; i++) once += atomic_load(&started_calls[i].runs) == 1 && atomic_load(&started_calls[i].status) > 0;
    CHECK(once == 100);
}

int main(int argc, char **argv) {
    char config[256];
    int rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
    int fd = silent_server(config, sizeof config);
    starter = pthread_self();
    for (int i = 0; i < rounds; i++) cancel_round(config, fd, i % 2 == 0);
    cancel_round("{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"k\",\"max_attempts\":1}", -1, 1);
    calls_inside_callbacks();
    client_freed_in_its_callback();
    for (int size = 1; size <= RING; size++) clients_freed_in_a_ring(size);
    shut_down(config);
    cpaas_shutdown();
    client_freed_on_the_only_thread(config);
    close(fd);
    cpaas_shutdown();
    return checks_end();
}
