/* The log of a client: its own lines only, also while it is replaced, after cancelled calls, while the client is freed, also by the
 * function itself, and in the child of a fork. Needs a sandbox. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/wait.h>

#include "check.h"
#include "silent_server.h"

/* The lines that a function received. `mark` is in every line of its calls. */
typedef struct lines {
    const char *mark;
    atomic_int own, others, levels[5];
} lines;

static void line(void *user_data, uint32_t level, const char *text, size_t len) {
    lines *to = user_data;
    CHECK(level >= CPAAS_LOG_ERROR && level <= CPAAS_LOG_DEBUG && strlen(text) == len);
    atomic_fetch_add(strstr(text, to->mark) ? &to->own : &to->others, 1);
    atomic_fetch_add(&to->levels[level], 1);
}

static void sms_of(const char *reference, char *json, size_t size) {
    snprintf(json, size, "{\"from\":\"Acme\",\"to\":\"306912345678\",\"text\":\"Hi\",\"reference\":\"%s\"}", reference);
}

static cpaas_status send_sms(const cpaas_client *client, const char *reference) {
    char json[256];
    cpaas_text out;
    sms_of(reference, json, sizeof json);
    cpaas_status status = cpaas_call(client, "sms.send", json, strlen(json), &out);
    cpaas_text_free(&out);
    return status;
}

static sem_t ended;

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)text, (void)len;
    if (user_data) CHECK(status == CPAAS_OK && send_sms(user_data, "blue-nested") == CPAAS_OK); /* a call of another client */
    sem_post(&ended);
}

static void start(const cpaas_client *client, const char *reference, cpaas_client *other, uint64_t *call) {
    char json[256];
    sms_of(reference, json, sizeof json);
    CHECK(cpaas_call_async(client, "sms.send", json, strlen(json), NULL, done, other, call) == CPAAS_OK);
}

/* Interleaved calls of two clients: no line reaches the function of the other one, and all reach that of the process. */
static void separate(void) {
    enum { CALLS = 40 };
    lines red = {.mark = "reference=red"}, blue = {.mark = "reference=blue"}, all = {.mark = "reference="};
    cpaas_client *first = client_of("{}"), *second = client_of("{}");
    CHECK(cpaas_log_callback(line, &all, CPAAS_LOG_DEBUG) == CPAAS_OK);
    CHECK(cpaas_client_log(first, line, &red, CPAAS_LOG_DEBUG) == CPAAS_OK);
    CHECK(cpaas_client_log(second, line, &blue, CPAAS_LOG_DEBUG) == CPAAS_OK);
    for (int i = 0; i < CALLS; i++) {
        start(first, "red-1", i % 4 == 0 ? second : NULL, NULL);
        start(second, "blue-1", NULL, NULL);
        CHECK(send_sms(i % 2 ? first : second, i % 2 ? "red-2" : "blue-2") == CPAAS_OK);
    }
    for (int i = 0; i < 2 * CALLS; i++) sem_wait(&ended);
    CHECK(red.own == CALLS + CALLS / 2 && red.others == 0);
    CHECK(blue.own == CALLS + CALLS / 2 + CALLS / 4 && blue.others == 0);
    CHECK(all.own == red.own + blue.own && all.others == 0);

    setenv("CPAAS_SMS_ULR", "x", 1); /* a line of no call */
    cpaas_client_free(client_of("{}"));
    unsetenv("CPAAS_SMS_ULR");
    CHECK(all.others == 1 && red.others == 0 && blue.others == 0);
    cpaas_client_free(first);
    cpaas_client_free(second);
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_OK);
}

/* The level of a client and that of the process are independent. */
static void levels(void) {
    lines own = {.mark = "reference=own"}, all = {.mark = "reference="};
    cpaas_client *client = client_of("{}"), *other = client_of("{}");
    CHECK(cpaas_client_log(client, line, &own, CPAAS_LOG_DEBUG) == CPAAS_OK); /* without a function of the process */
    CHECK(send_sms(client, "own") == CPAAS_OK && own.levels[CPAAS_LOG_DEBUG] == 1);
    CHECK(send_sms(other, "own") == CPAAS_OK && own.own == 1);
    CHECK(cpaas_log_callback(line, &all, CPAAS_LOG_INFO) == CPAAS_OK);
    CHECK(send_sms(client, "own") == CPAAS_OK && own.own == 2 && all.own == 0);
    CHECK(cpaas_client_log(client, line, &own, CPAAS_LOG_INFO) == CPAAS_OK);
    CHECK(cpaas_log_callback(line, &all, CPAAS_LOG_DEBUG) == CPAAS_OK);
    CHECK(send_sms(client, "own") == CPAAS_OK && own.own == 2 && all.own == 1);
    cpaas_text out;
    const char *invalid = "{\"reference\":\"own\"}";
    CHECK(cpaas_call(client, "sms.send", invalid, strlen(invalid), &out) == CPAAS_INVALID);
    cpaas_text_free(&out);
    CHECK(own.levels[CPAAS_LOG_INFO] == 1 && all.levels[CPAAS_LOG_INFO] == 1);
    CHECK(cpaas_client_log(client, line, &own, CPAAS_LOG_ERROR) == CPAAS_OK);
    CHECK(cpaas_call(client, "sms.send", invalid, strlen(invalid), &out) == CPAAS_INVALID);
    cpaas_text_free(&out);
    CHECK(own.levels[CPAAS_LOG_INFO] == 1 && all.levels[CPAAS_LOG_INFO] == 2);
    CHECK(cpaas_client_log(client, NULL, NULL, 0) == CPAAS_OK && cpaas_log_callback(NULL, NULL, 0) == CPAAS_OK);
    CHECK(send_sms(client, "own") == CPAAS_OK && own.own == 3);
    cpaas_client_free(client);
    cpaas_client_free(other);
}

static atomic_int stop;

static void *calls(void *client) {
    while (!atomic_load(&stop)) CHECK(send_sms(client, "loop") == CPAAS_OK);
    return NULL;
}

/* A replaced function does not run any more: its lines are freed at once. */
static void replaced(void) {
    cpaas_client *client = client_of("{}");
    pthread_t threads[4];
    lines *current = NULL;
    int own = 0;
    atomic_store(&stop, 0);
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, calls, client);
    for (int i = 0; i < 200; i++) {
        lines *next = calloc(1, sizeof *next);
        next->mark = "reference=loop";
        CHECK(cpaas_client_log(client, line, next, CPAAS_LOG_DEBUG) == CPAAS_OK);
        if (current) own += current->own, CHECK(current->others == 0);
        free(current);
        current = next;
        usleep(500);
    }
    CHECK(cpaas_client_log(client, NULL, NULL, 0) == CPAAS_OK);
    free(current);
    atomic_store(&stop, 1);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    CHECK(own > 0);
    cpaas_client_free(client);
}

static void *one_call(void *client) {
    CHECK(send_sms(client, "gone") == CPAAS_UNKNOWN);
    return NULL;
}

/* Cancelled calls and calls of a freed client log to the client; after cpaas_client_free its function does not run. */
static void freed(void) {
    char config[256];
    int fd = silent_server(config, sizeof config);
    lines *gone = calloc(1, sizeof *gone), all = {.mark = "reference=gone"};
    gone->mark = "reference=gone";
    snprintf(strrchr(config, '}'), 32, ",\"timeout\":2}");
    cpaas_client *client = client_of(config);
    pthread_t thread;
    uint64_t call;
    CHECK(cpaas_log_callback(line, &all, CPAAS_LOG_DEBUG) == CPAAS_OK);
    CHECK(cpaas_client_log(client, line, gone, CPAAS_LOG_WARN) == CPAAS_OK);
    start(client, "gone-1", NULL, &call);
    int connections[7] = {accept(fd, NULL, NULL)}; /* the call is running */
    CHECK(cpaas_cancel(client, call) == CPAAS_OK);
    sem_wait(&ended);
    CHECK(gone->own == 1 && gone->levels[CPAAS_LOG_WARN] == 1);
    for (int i = 0; i < 5; i++) start(client, "gone-2", NULL, NULL);
    for (int i = 1; i < 6; i++) connections[i] = accept(fd, NULL, NULL);
    pthread_create(&thread, NULL, one_call, client);
    connections[6] = accept(fd, NULL, NULL);
    cpaas_client_free(client);
    for (int i = 0; i < 5; i++) sem_wait(&ended);
    CHECK(gone->own == 6 && gone->others == 0);
    free(gone);
    pthread_join(thread, NULL); /* its call logs to the process only */
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_OK && all.levels[CPAAS_LOG_WARN] == 7);
    for (int i = 0; i < 7; i++) close(connections[i]);
    close(fd);
}

static cpaas_client *logged;
static atomic_int refused;

static void line_that_calls(void *user_data, uint32_t level, const char *text, size_t len) {
    (void)level, (void)text, (void)len;
    CHECK(cpaas_client_log(logged, line, user_data, CPAAS_LOG_DEBUG) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_client_log(logged, NULL, NULL, 0) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_BAD_ARGUMENT);
    CHECK(send_sms(logged, "inner") == CPAAS_BAD_ARGUMENT);
    size_t written = 99;
    CHECK(cpaas_client_drain(logged, 600000, NULL, 0, &written) == CPAAS_BAD_ARGUMENT && written == 0);
    atomic_fetch_add(&refused, 1);
}

static void arguments(void) {
    lines none = {.mark = "reference="};
    cpaas_client *freed_client = client_of("{}");
    logged = client_of("{}");
    cpaas_client_free(freed_client);
    uint32_t unknown[] = {0, 5, UINT32_MAX};
    for (int i = 0; i < 3; i++) CHECK(cpaas_client_log(logged, line, &none, unknown[i]) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_client_log(NULL, line, &none, CPAAS_LOG_DEBUG) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_client_log(freed_client, line, &none, CPAAS_LOG_DEBUG) == CPAAS_BAD_HANDLE);
    CHECK(cpaas_client_log((cpaas_client *)(void *)&none, line, &none, CPAAS_LOG_DEBUG) == CPAAS_BAD_HANDLE);
    CHECK(send_sms(logged, "none") == CPAAS_OK && none.own == 0 && none.others == 0);
    CHECK(cpaas_client_log(logged, line_that_calls, &none, CPAAS_LOG_DEBUG) == CPAAS_OK);
    CHECK(send_sms(logged, "outer") == CPAAS_OK && refused == 1);
    cpaas_client_free(logged);
}

static void line_that_ends(void *user_data, uint32_t level, const char *text, size_t len) {
    size_t written = 99;
    (void)user_data, (void)level, (void)text, (void)len;
    CHECK(cpaas_client_drain(logged, 600000, NULL, 0, &written) == CPAAS_BAD_ARGUMENT && written == 0);
    cpaas_client_free(logged);
    atomic_fetch_add(&refused, 1);
}

/* A log function drains and frees the client whose asynchronous call logs: no thread waits for the call, which cannot end before. */
static void ended_in_log(void) {
    atomic_store(&refused, 0);
    logged = client_of("{}");
    CHECK(cpaas_client_log(logged, line_that_ends, NULL, CPAAS_LOG_DEBUG) == CPAAS_OK);
    alarm(60); /* a deadlock ends the process */
    start(logged, "ended", NULL, NULL);
    sem_wait(&ended);
    alarm(0);
    CHECK(refused >= 1);
    cpaas_client_free(logged); /* a freed client: does nothing */
}

static pthread_mutex_t logging = PTHREAD_MUTEX_INITIALIZER;
static sem_t in_log;

static void locked_line(void *user_data, uint32_t level, const char *text, size_t len) {
    sem_post(&in_log);
    pthread_mutex_lock(&logging);
    line(user_data, level, text, len);
    pthread_mutex_unlock(&logging);
}

static void *sent(void *client) {
    CHECK(send_sms(client, "fork") == CPAAS_OK);
    return NULL;
}

/* The forking thread holds a mutex that the function waits for on another thread. The child uses the log, and replaces it. */
static void forked(void) {
    pthread_t thread;
    int status = -1;
    lines parent = {.mark = "reference=fork"}, child = {.mark = "reference=fork"};
    cpaas_client *client = client_of("{}");
    CHECK(cpaas_client_log(client, locked_line, &parent, CPAAS_LOG_DEBUG) == CPAAS_OK);
    pthread_mutex_lock(&logging);
    pthread_create(&thread, NULL, sent, client);
    sem_wait(&in_log);
    int failed = checks_failed;
    alarm(30); /* a deadlock ends the process */
    pid_t pid = fork();
    pthread_mutex_unlock(&logging);
    if (pid == 0) {
        alarm(30);
        int before = parent.own;
        sent(client);
        CHECK(parent.own == before + 1);
        CHECK(cpaas_client_log(client, line, &child, CPAAS_LOG_DEBUG) == CPAAS_OK); /* waits for no thread of the parent */
        sent(client);
        CHECK(parent.own == before + 1 && child.own == 1 && child.others == 0);
        cpaas_client_free(client);
        _exit(checks_failed - failed);
    }
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    pthread_join(thread, NULL);
    CHECK(parent.own == 1 && child.own == 0);
    alarm(0);
    cpaas_client_free(client);
}

int main(void) {
    sem_init(&ended, 0, 0);
    sem_init(&in_log, 0, 0);
    separate();
    levels();
    replaced();
    freed();
    arguments();
    ended_in_log();
    forked();
    cpaas_shutdown();
    return checks_end();
}
