/* What the page c.md says about stacks, signal handlers, and threads that end inside the library. Needs a sandbox.
 * Usage: process_limits stack BYTES | tls_stack BYTES | signal | cancel | exit | cancel_disabled */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "silent_server.h"

static cpaas_client *client;
static char deep[4096];

/* A call over HTTP, a call with a struct, a deeply nested request and a count. */
static void *use_library(void *argument) {
    cpaas_text out;
    cpaas_segment_count count;
    cpaas_sms sms = {.size = sizeof sms, .from = "Acme", .to = "306912345678", .text = "Hi"};
    (void)argument;
    CHECK(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out) == CPAAS_OK);
    cpaas_text_free(&out);
    CHECK(cpaas_sms_send(client, &sms, NULL, NULL, &out) == CPAAS_OK);
    cpaas_text_free(&out);
    CHECK(cpaas_validate("sms.send", deep, strlen(deep), &out) == CPAAS_OK);
    cpaas_text_free(&out);
    CHECK(cpaas_count_segments("a", 1, &count) == CPAAS_OK);
    return NULL;
}

/* A request over TLS, to a server whose response is not that of the provider. */
static void *use_tls(void *argument) {
    cpaas_call_options options = {.size = sizeof options, .deadline_ms = 3000};
    cpaas_text out;
    (void)argument;
    cpaas_status status = cpaas_call_with(client, "sms.send", SMS, strlen(SMS), &options, &out);
    CHECK(status == CPAAS_UNKNOWN || status == CPAAS_REJECTED);
    if (status == CPAAS_NOT_SENT) puts(out.data);
    cpaas_text_free(&out);
    return NULL;
}

static void stack(size_t bytes, void *(*use)(void *)) {
    pthread_attr_t attributes;
    pthread_t thread;
    client = client_of("{}");
    memset(deep, '[', 1000);
    pthread_attr_init(&attributes);
    CHECK(pthread_attr_setstacksize(&attributes, bytes) == 0 && pthread_create(&thread, &attributes, use, NULL) == 0);
    pthread_join(thread, NULL);
    cpaas_client_free(client);
}

static atomic_int handled;

static void handler(int number) {
    (void)number;
    if (cpaas_version()[0] && cpaas_version_number() == CPAAS_VERSION_NUMBER && cpaas_abi_version() == CPAAS_ABI_VERSION &&
        strcmp(cpaas_status_name(CPAAS_OK), "CPAAS_OK") == 0) {
        atomic_fetch_add(&handled, 1);
    }
}

static void *signal_main(void *main_thread) {
    for (int i = 0; i < 500; i++) pthread_kill(*(pthread_t *)main_thread, SIGUSR1), usleep(200);
    return NULL;
}

static void in_signal_handler(void) {
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    pthread_t thread, self = pthread_self();
    client = client_of("{}");
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&thread, NULL, signal_main, &self);
    for (int i = 0; i < 20; i++) use_library(NULL);
    pthread_join(thread, NULL);
    CHECK(atomic_load(&handled) > 0);
    cpaas_client_free(client);
}

static void *blocking_call(void *is_disabled) {
    cpaas_text out;
    if (is_disabled) pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    cpaas_status status = cpaas_call(client, "sms.send", SMS, strlen(SMS), &out);
    cpaas_text_free(&out);
    return status == CPAAS_UNKNOWN ? &client : NULL;
}

static void leaves(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)user_data, (void)status, (void)text, (void)len;
    pthread_exit(NULL);
}

/* In a child process: cancels a thread inside a call, or exits in a callback. Returns how the child ended. */
static int child(int cancels, int is_disabled) {
    pid_t pid = fork();
    if (pid == 0) {
        char config[256];
        struct rlimit none = {0, 0};
        cpaas_text out;
        pthread_t thread;
        void *result = NULL;
        setrlimit(RLIMIT_CORE, &none), alarm(60);
        if (silent_server(config, sizeof config) < 0) _exit(2);
        snprintf(config + strlen(config) - 1, 32, ",\"deadline\":3}");
        client = client_of(config);
        if (!cancels) {
            if (cpaas_call_start_with(client, "sms.send", "{}", 2, NULL, leaves, NULL, NULL, &out) != CPAAS_OK) _exit(3);
            sleep(5);
            _exit(4);
        }
        pthread_create(&thread, NULL, blocking_call, is_disabled ? &client : NULL);
        usleep(500000);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        _exit(result == &client ? 0 : 5);
    }
    int code = -1;
    waitpid(pid, &code, 0);
    return code;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "stack") == 0 && argc > 2) stack(strtoul(argv[2], NULL, 10), use_library);
    if (strcmp(what, "tls_stack") == 0 && argc > 2) stack(strtoul(argv[2], NULL, 10), use_tls);
    if (strcmp(what, "signal") == 0) in_signal_handler();
    if (strcmp(what, "cancel") == 0) CHECK(WTERMSIG(child(1, 0)) == SIGABRT);
    if (strcmp(what, "exit") == 0) CHECK(WTERMSIG(child(0, 0)) == SIGABRT);
    if (strcmp(what, "cancel_disabled") == 0) CHECK(child(1, 1) == 0);
    return checks_end();
}
