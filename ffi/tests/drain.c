/* cpaas_client_drain: every user_data is returned exactly once, whatever happened to its call. Needs a sandbox. */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "silent_server.h"

enum { CALLS = 2000 };

static atomic_int returned[CALLS]; /* how often the user_data of a call was returned */
static atomic_int wrong;           /* results with another status than expected */

static void expect_cancelled(void *user_data, cpaas_status status) {
    atomic_fetch_add((atomic_int *)user_data, 1);
    if (status != CPAAS_UNKNOWN && status != CPAAS_NOT_SENT) atomic_fetch_add(&wrong, 1);
}

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)text, (void)len;
    expect_cancelled(user_data, status);
}

static void take(cpaas_result *results, size_t count) {
    for (size_t i = 0; i < count; i++) {
        expect_cancelled(results[i].user_data, results[i].status);
        if (!results[i].text.data || results[i].call == 0) atomic_fetch_add(&wrong, 1);
        cpaas_text_free(&results[i].text);
    }
}

static void start(cpaas_client *client, int calls, int callback_of_each) {
    memset(returned, 0, sizeof returned);
    atomic_store(&wrong, 0);
    for (int i = 0; i < calls; i++) {
        cpaas_completion by = callback_of_each && i % callback_of_each == 0 ? done : NULL;
        cpaas_text out;
        cpaas_status status = cpaas_call_start_with(client, "sms.send", SMS, strlen(SMS), NULL, by, &returned[i], NULL, &out);
        if (status != CPAAS_OK) CHECK(status == CPAAS_OK);
    }
}

static void expect_each_once(int calls) {
    int once = 0;
    for (int i = 0; i < CALLS; i++) once += atomic_load(&returned[i]) == (i < calls);
    CHECK(once == CALLS && atomic_load(&wrong) == 0);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Drains with an array of `capacity` until nothing is left; returns the number of calls of cpaas_client_drain. */
static int drain_all(cpaas_client *client, size_t capacity) {
    cpaas_result results[64];
    size_t written = 99;
    int rounds = 0;
    for (cpaas_status status = CPAAS_TOO_SMALL; status == CPAAS_TOO_SMALL; rounds++) {
        status = cpaas_client_drain(client, 100, results, capacity, &written);
        CHECK(status == CPAAS_OK || (status == CPAAS_TOO_SMALL && written == capacity));
        take(results, written);
    }
    return rounds;
}

/* A server that never responds. */
static void cancelled(const char *config, size_t capacity, int callback_of_each) {
    cpaas_client *client = client_of(config);
    struct pollfd readable = {cpaas_event_fd(client), POLLIN, 0};
    cpaas_result result;
    size_t written = 99;
    cpaas_text out;
    start(client, CALLS, callback_of_each);
    CHECK(cpaas_client_drain(client, 0, NULL, 0, &written) == CPAAS_TOO_SMALL && written == 0);
    CHECK(poll(&readable, 1, 0) == 1); /* results are left */
    BAD_NAMED(cpaas_call_start_with(client, "sms.send", SMS, strlen(SMS), NULL, done, &returned[0], NULL, &out), CPAAS_BAD_HANDLE, "client");
    CHECK(cpaas_call_start_with(client, "sms.send", SMS, strlen(SMS), NULL, NULL, NULL, NULL, &out) == CPAAS_BAD_HANDLE);
    CHECK(out.data && strstr(out.data, "must not be drained"));
    cpaas_text_free(&out);
    CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, NULL, NULL) == CPAAS_BAD_HANDLE);
    CHECK(cpaas_call_start(client, "sms.send", SMS, strlen(SMS), NULL, NULL, NULL) == CPAAS_BAD_HANDLE);
    size_t polled = CALLS - (callback_of_each ? (size_t)(CALLS / callback_of_each) : 0);
    CHECK(drain_all(client, capacity) == (int)((polled + capacity - 1) / capacity));
    expect_each_once(CALLS);
    CHECK(poll(&readable, 1, 0) == 0 && cpaas_poll(client, &result, 1) == 0);
    double before = now();
    CHECK(cpaas_client_drain(client, 60000, &result, 1, &written) == CPAAS_OK && written == 0 && now() - before < 1); /* nothing runs */
    cpaas_client_free(client);
    CHECK(cpaas_client_drain(client, 0, &result, 1, &written) == CPAAS_BAD_HANDLE);
    expect_each_once(CALLS);
}

/* Calls that end within the timeout have their own outcome, and the function returns when the last one ends. */
static void ended(void) {
    enum { ENDED = 50 };
    cpaas_client *client = client_of("{}");
    cpaas_result results[ENDED];
    size_t written = 0;
    int tags[ENDED] = {0}, ok = 0;
    cpaas_text out;
    for (int i = 0; i < ENDED; i++) CHECK(cpaas_call_start_with(client, "sms.send", SMS, strlen(SMS), NULL, NULL, &tags[i], NULL, &out) == CPAAS_OK);
    double before = now();
    CHECK(cpaas_client_drain(client, 60000, results, ENDED, &written) == CPAAS_OK && written == ENDED && now() - before < 30);
    for (size_t i = 0; i < written; i++) {
        ok += results[i].status == CPAAS_OK && ++*(int *)results[i].user_data == 1;
        cpaas_text_free(&results[i].text);
    }
    CHECK(ok == ENDED);
    CHECK(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out) == CPAAS_OK); /* a blocking call is still possible */
    cpaas_text_free(&out);
    cpaas_client_free(client);
}

typedef struct shared {
    cpaas_client *client, *other;
    atomic_int stop, drained;
    cpaas_status status;
} shared;

static void *drainer(void *argument) {
    drain_all(((shared *)argument)->client, 5);
    return NULL;
}

static void *poller(void *argument) {
    shared *with = argument;
    cpaas_result results[3];
    while (!atomic_load(&with->stop)) take(results, cpaas_poll(with->client, results, 3));
    return NULL;
}

static void several_threads(const char *config) {
    pthread_t threads[3];
    shared with = {.client = client_of(config)};
    start(with.client, CALLS, 4);
    pthread_create(&threads[0], NULL, drainer, &with);
    pthread_create(&threads[1], NULL, drainer, &with);
    pthread_create(&threads[2], NULL, poller, &with);
    pthread_join(threads[0], NULL), pthread_join(threads[1], NULL);
    atomic_store(&with.stop, 1);
    pthread_join(threads[2], NULL);
    expect_each_once(CALLS);
    cpaas_client_free(with.client);
}

static void drain_own(void *user_data, cpaas_status status, const char *text, size_t len) {
    shared *with = user_data;
    size_t written = 99;
    (void)status, (void)text, (void)len;
    cpaas_result results[8];
    double before = now();
    with->status = cpaas_client_drain(with->client, 60000, results, 8, &written);
    CHECK(now() - before < 10); /* it does not wait for this callback */
    take(results, written);
    atomic_store(&with->drained, 1);
}

static void drain_other(void *user_data, cpaas_status status, const char *text, size_t len) {
    shared *with = user_data;
    (void)status, (void)text, (void)len;
    drain_all(with->other, 8);
    atomic_store(&with->drained, 1);
}

static void in_callbacks(const char *config) {
    shared with = {.client = client_of(config), .other = client_of(config)};
    cpaas_text out;
    uint64_t call;
    start(with.client, 5, 0);
    CHECK(cpaas_call_start_with(with.client, "sms.send", "{}", 2, NULL, drain_own, &with, &call, &out) == CPAAS_OK);
    for (int wait = 0; wait < 12000 && !atomic_load(&with.drained); wait++) usleep(5000);
    CHECK(atomic_load(&with.drained) && (with.status == CPAAS_OK || with.status == CPAAS_TOO_SMALL));
    drain_all(with.client, 8); /* from outside: the rest */
    expect_each_once(5);
    cpaas_client_free(with.client);

    with.client = client_of(config);
    atomic_store(&with.drained, 0);
    start(with.other, 20, 0);
    CHECK(cpaas_call_start_with(with.client, "sms.send", "{}", 2, NULL, drain_other, &with, &call, &out) == CPAAS_OK);
    cpaas_client_free(with.client); /* waits for the callback */
    CHECK(atomic_load(&with.drained));
    expect_each_once(20);
    cpaas_client_free(with.other);
}

/* The child of a fork has no calls: the parent returns the user_data. */
static void in_child(const char *config) {
    cpaas_client *client = client_of(config);
    cpaas_result result;
    start(client, 10, 0);
    pid_t child = fork();
    if (child == 0) {
        size_t written = 99;
        alarm(60);
        _exit(cpaas_client_drain(client, 60000, &result, 1, &written) == CPAAS_OK && written == 0 ? 0 : 1);
    }
    int code = -1;
    CHECK(waitpid(child, &code, 0) == child && code == 0);
    drain_all(client, 8);
    expect_each_once(10);
    cpaas_client_free(client);
}

static void bad_arguments(const char *config) {
    cpaas_client *client = client_of(config);
    cpaas_result result;
    size_t written = 99;
    CHECK(cpaas_client_drain(NULL, 0, &result, 1, &written) == CPAAS_BAD_ARGUMENT && written == 0);
    written = 99;
    CHECK(cpaas_client_drain((const cpaas_client *)(16 * 100000), 0, &result, 1, &written) == CPAAS_BAD_HANDLE && written == 0);
    CHECK(cpaas_client_drain(client, 0, &result, 1, NULL) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_client_drain(client, 0, NULL, 1, &written) == CPAAS_BAD_ARGUMENT);
    start(client, 1, 0); /* the client is not drained */
    drain_all(client, 1);
    expect_each_once(1);
    cpaas_client_free(client);
}

int main(void) {
    char config[256];
    int server = silent_server(config, sizeof config);
    cancelled(config, 7, 0);
    cancelled(config, 64, 3);
    CHECK(requests_at(server) >= 0);
    ended();
    several_threads(config);
    in_callbacks(config);
    in_child(config);
    bad_arguments(config);
    close(server);
    cpaas_shutdown();
    return checks_end();
}
