/* A correct program that shares data with the library's threads only by the rules of cpaas.h, without locks of its own: ThreadSanitizer,
 * helgrind and DRD must report nothing. Needs a sandbox. Usage: tools_clean [CALLS of each thread] */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "check.h"
#include "silent_server.h"

enum { THREADS = 8 };

/* The members are plain: the library orders the threads that access them. */
typedef struct message {
    char to[16], id[128];
    int text_len, runs;
    cpaas_status status;
} message;

typedef struct worker {
    pthread_t thread;
    cpaas_client *client;
    message **messages;
    int first, count, refused, taken;
    cpaas_completion done;
} worker;

static int calls;

static message *new_message(int number) {
    message *new = calloc(1, sizeof *new);
    snprintf(new->to, sizeof new->to, "30691%07d", number);
    new->text_len = (int)strlen(new->to);
    return new;
}

static void ended(message *of, cpaas_status status, const char *text, size_t len) {
    cpaas_sent sent = {.size = sizeof sent};
    if (text && cpaas_sent_read(text, len, &sent) == CPAAS_OK) memcpy(of->id, sent.id, sizeof of->id);
    of->status = status;
    of->runs += of->text_len == (int)strlen(of->to);
}

static void done(void *user_data, cpaas_status status, const char *text, size_t len) { ended(user_data, status, text, len); }

static void *start(void *argument) {
    worker *of = argument;
    for (int i = of->first; i < of->first + of->count; i++) {
        message *new = of->messages[i] = new_message(i);
        cpaas_sms sms = {.size = sizeof sms, .from = "Acme", .to = new->to, .text = "Hi"};
        cpaas_text out;
        of->refused += cpaas_sms_start(of->client, &sms, NULL, of->done, new, NULL, &out) != CPAAS_OK;
        cpaas_text_free(&out);
    }
    return NULL;
}

static void *poll_all(void *argument) {
    worker *of = argument;
    cpaas_result results[4];
    while (of->taken < of->count) {
        size_t count = cpaas_poll(of->client, results, 4);
        for (size_t i = 0; i < count; i++) {
            ended(results[i].user_data, results[i].status, results[i].text.data, results[i].text.len);
            cpaas_text_free(&results[i].text);
        }
        of->taken += (int)count;
        if (count == 0) usleep(1000);
    }
    return NULL;
}

static void expect(message **messages, int count, cpaas_status status) {
    int right = 0;
    for (int i = 0; i < count; i++) {
        right += messages[i]->runs == 1 && messages[i]->status == status && (status != CPAAS_OK || messages[i]->id[0]);
        free(messages[i]);
    }
    CHECK(right == count);
}

/* Threads start calls; callbacks, a polling thread, cpaas_client_drain or cpaas_client_free end them. */
static void started_by_threads(cpaas_completion by, int polls, int drains) {
    int count = THREADS * calls;
    message **messages = calloc((size_t)count, sizeof *messages);
    worker workers[THREADS], poller = {.client = client_of("{}"), .count = count};
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.client = poller.client, .messages = messages, .first = i * calls, .count = calls, .done = by};
        pthread_create(&workers[i].thread, NULL, start, &workers[i]);
    }
    if (polls) pthread_create(&poller.thread, NULL, poll_all, &poller);
    int refused = 0;
    for (int i = 0; i < THREADS; i++) pthread_join(workers[i].thread, NULL), refused += workers[i].refused;
    CHECK(refused == 0);
    if (polls) pthread_join(poller.thread, NULL);
    if (drains) {
        cpaas_result results[3];
        for (cpaas_status status = CPAAS_TOO_SMALL; status == CPAAS_TOO_SMALL;) {
            size_t written;
            status = cpaas_client_drain(poller.client, 600000, results, 3, &written);
            for (size_t i = 0; i < written; i++) {
                ended(results[i].user_data, results[i].status, results[i].text.data, results[i].text.len);
                cpaas_text_free(&results[i].text);
            }
        }
    }
    cpaas_client_free(poller.client);
    if (polls || drains) {
        expect(messages, count, CPAAS_OK);
    } else { /* cpaas_client_free cancelled some of them */
        int once = 0;
        for (int i = 0; i < count; i++) once += messages[i]->runs == 1, free(messages[i]);
        CHECK(once == count);
    }
    free(messages);
}

/* What a thread writes before cpaas_cancel is visible to the callback of a call that only the cancellation ends. */
typedef struct cancelled_call {
    int reason, seen;
} cancelled_call;

static void cancelled(void *user_data, cpaas_status status, const char *text, size_t len) {
    cancelled_call *of = user_data;
    (void)status, (void)text, (void)len;
    of->seen = of->reason;
}

static void cancels(void) {
    char config[256];
    int server = silent_server(config, sizeof config);
    cpaas_client *client = client_of(config);
    cancelled_call *call = calloc(1, sizeof *call);
    uint64_t number;
    size_t written;
    cpaas_text out;
    CHECK(cpaas_call_start_with(client, "sms.send", SMS, strlen(SMS), NULL, cancelled, call, &number, &out) == CPAAS_OK);
    usleep(100000);
    call->reason = 7;
    CHECK(cpaas_cancel(client, number) == CPAAS_OK);
    CHECK(cpaas_client_drain(client, 600000, NULL, 0, &written) == CPAAS_OK && call->seen == 7);
    free(call);
    cpaas_client_free(client);
    close(server);
}

/* A table that one thread builds and gives to the suppression function while others send. */
typedef struct table {
    cpaas_client *client;
    char suppressed[16];
    int asked[THREADS]; /* one for each sending thread */
    int milliseconds, slept;
} table;

static int32_t is_suppressed(void *user_data, const char *number, size_t len) {
    table *of = user_data;
    if (len == 12 && number[11] >= '0' && number[11] < '0' + THREADS) of->asked[number[11] - '0']++;
    if (of->milliseconds) usleep((useconds_t)of->milliseconds * 1000), of->slept++;
    return strcmp(number, of->suppressed) == 0;
}

typedef struct sender {
    pthread_t thread;
    table *table;
    int index, accepted;
} sender;

static void *send_until_suppressed(void *argument) {
    sender *of = argument;
    char to[16];
    snprintf(to, sizeof to, "30691234567%d", of->index);
    cpaas_sms sms = {.size = sizeof sms, .from = "Acme", .to = to, .text = "Hi"};
    cpaas_status status = CPAAS_OK;
    for (int i = 0; i < 1000 && status == CPAAS_OK; i++) {
        cpaas_text out;
        status = cpaas_sms_send(of->table->client, &sms, NULL, NULL, &out);
        of->accepted += status == CPAAS_OK;
        cpaas_text_free(&out);
        if (of->index != 0 && i >= calls) break; /* only the number of thread 0 is suppressed */
    }
    return NULL;
}

static void *set_suppression(void *argument) {
    table *of = argument;
    snprintf(of->suppressed, sizeof of->suppressed, "306912345670");
    if (cpaas_client_suppression(of->client, is_suppressed, of) != CPAAS_OK) abort();
    return NULL;
}

static void suppresses(void) {
    table *shared = calloc(1, sizeof *shared);
    sender senders[THREADS];
    pthread_t setter;
    shared->client = client_of("{}");
    for (int i = 0; i < THREADS; i++) {
        senders[i] = (sender){.table = shared, .index = i};
        pthread_create(&senders[i].thread, NULL, send_until_suppressed, &senders[i]);
    }
    pthread_create(&setter, NULL, set_suppression, shared);
    pthread_join(setter, NULL);
    for (int i = 0; i < THREADS; i++) pthread_join(senders[i].thread, NULL);
    CHECK(shared->asked[0] == 1 && senders[0].accepted < 1000);
    /* The call ends at its deadline, and the function ends later, before cpaas_shutdown returns. */
    cpaas_sms sms = {.size = sizeof sms, .from = "Acme", .to = "306912345671", .text = "Hi"};
    cpaas_call_options options = {.size = sizeof options, .deadline_ms = 200};
    cpaas_text out;
    shared->milliseconds = 1000;
    CHECK(cpaas_sms_send(shared->client, &sms, &options, NULL, &out) == CPAAS_INVALID);
    cpaas_text_free(&out);
    cpaas_client_free(shared->client);
    cpaas_shutdown();
    CHECK(shared->slept == 1);
    free(shared);
}

/* Adds to a number, also to read it: helgrind takes an atomic load or store for an access without a lock. It does not order other accesses. */
static int added(atomic_int *to, int number) { return atomic_fetch_add_explicit(to, number, memory_order_relaxed); }

/* What a log function receives. It runs on several threads at once, so it counts with an atomic operation; the other members are plain. */
typedef struct lines {
    char mark[16];
    atomic_int count;
    int of_one_thread;
} lines;

static void count_line(void *user_data, uint32_t level, const char *text, size_t len) {
    lines *to = user_data;
    if (level < CPAAS_LOG_ERROR || strlen(text) != len || strcmp(to->mark, "written first") != 0) abort();
    added(&to->count, 1);
}

static void count_of_one_thread(void *user_data, uint32_t level, const char *text, size_t len) {
    (void)level, (void)text, (void)len;
    ((lines *)user_data)->of_one_thread++;
    added(&((lines *)user_data)->count, 1);
}

static void set_log(const cpaas_client *client, cpaas_log log, lines *to) {
    if ((client ? cpaas_client_log(client, log, to, CPAAS_LOG_DEBUG) : cpaas_log_callback(log, to, CPAAS_LOG_DEBUG)) != CPAAS_OK) abort();
}

typedef struct logging {
    pthread_t thread;
    cpaas_client *client;
    atomic_int ends;
} logging;

static void *send_and_log(void *argument) {
    logging *of = argument;
    cpaas_sms sms = {.size = sizeof sms, .from = "Acme", .to = "306912345678", .text = "Hi"};
    do {
        cpaas_text out;
        if (cpaas_sms_send(of->client, &sms, NULL, NULL, &out) != CPAAS_OK) abort();
        cpaas_text_free(&out);
    } while (!added(&of->ends, 0));
    return NULL;
}

/* The log function of a client or of the process is replaced while calls log; what it uses is freed as soon as it is replaced. */
static void logs(int of_client) {
    cpaas_client *client = client_of("{}");
    const cpaas_client *logged = of_client ? client : NULL;
    logging threads[THREADS];
    lines *now = NULL;
    int total = 0;
    for (int i = 0; i < THREADS; i++) {
        threads[i] = (logging){.client = client};
        pthread_create(&threads[i].thread, NULL, send_and_log, &threads[i]);
    }
    for (int i = 0; i < 3 * calls; i++) {
        lines *before = now;
        now = calloc(1, sizeof *now);
        snprintf(now->mark, sizeof now->mark, "written first");
        set_log(logged, count_line, now);
        if (before) total += before->count, before->mark[0] = '\0';
        free(before);
        usleep(20000);
    }
    for (int i = 0; i < THREADS; i++) added(&threads[i].ends, 1);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i].thread, NULL);
    set_log(logged, NULL, NULL);
    CHECK(total + now->count > 0);
    free(now);

    /* A function that only one thread calls may write without a lock. After it was removed, its lines are read while that thread runs. */
    lines *one = calloc(1, sizeof *one);
    logging thread = {.client = client};
    set_log(logged, count_of_one_thread, one);
    pthread_create(&thread.thread, NULL, send_and_log, &thread);
    while (added(&one->count, 0) == 0) usleep(1000);
    set_log(logged, NULL, NULL);
    CHECK(one->of_one_thread > 0);
    free(one);
    added(&thread.ends, 1);
    pthread_join(thread.thread, NULL);
    cpaas_client_free(client);
}

int main(int argc, char **argv) {
    calls = argc > 1 ? atoi(argv[1]) : 4;
    started_by_threads(done, 0, 1);
    started_by_threads(NULL, 1, 0);
    started_by_threads(NULL, 0, 1);
    started_by_threads(done, 0, 0);
    cancels();
    suppresses();
    logs(0);
    logs(1);
    cpaas_shutdown();
    return checks_end();
}
