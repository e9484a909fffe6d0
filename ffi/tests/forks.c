/* Forks before and after the first use of the library, and while other threads use it and the shared client. Parent and children
 * then use the same client. Needs a sandbox. */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "silent_server.h"

static cpaas_client *shared;
static atomic_int stop;

static int sends(void) {
    cpaas_text out;
    cpaas_status status = cpaas_call(shared, "sms.send", SMS, strlen(SMS), &out);
    if (status != CPAAS_OK) printf("%s %s\n", cpaas_status_name(status), out.data ? out.data : "");
    cpaas_text_free(&out);
    return status == CPAAS_OK;
}

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)text, (void)len;
    atomic_store((atomic_int *)user_data, (int)status + 1);
}

static cpaas_receiver *receiver;
static char suppressed_number[] = "306900000001";
static atomic_int lines;

static void log_line(void *user_data, uint32_t level, const char *text, size_t len) {
    (void)user_data, (void)level, (void)text, (void)len;
    atomic_fetch_add(&lines, 1);
}

static int32_t is_suppressed(void *user_data, const char *number, size_t len) {
    (void)len;
    return strcmp(number, user_data) == 0;
}

/* The log function, the suppression function and the receiver of the parent work in the child too. */
static int uses_inherited(void) {
    const char *suppressed = "{\"from\":\"Acme\",\"to\":\"306900000001\",\"text\":\"Hi\"}";
    const char *request = "{\"method\":\"POST\",\"url\":\"/sms\",\"headers\":{},\"body\":\"\"}";
    cpaas_text out;
    int before = atomic_load(&lines);
    int ok = cpaas_call(shared, "sms.send", suppressed, strlen(suppressed), &out) == CPAAS_INVALID && json_is(out.data, "/problems/0/code", "suppressed");
    cpaas_text_free(&out);
    ok &= atomic_load(&lines) > before;
    ok &= cpaas_receiver_receive(receiver, request, strlen(request), 1, &out) == CPAAS_CALLBACK_REJECTED;
    cpaas_text_free(&out);
    return ok;
}

/* The child makes a call, an asynchronous call and its own client, frees both clients and exits. */
static int child(void) {
    atomic_int status = 0;
    int ok = sends() && sends() && uses_inherited();
    ok &= cpaas_call_async(shared, "sms.send", SMS, strlen(SMS), NULL, done, &status, NULL) == CPAAS_OK;
    for (int i = 0; i < 12000 && atomic_load(&status) == 0; i++) usleep(10000);
    ok &= atomic_load(&status) == CPAAS_OK + 1;
    cpaas_client *own = client_of("{}");
    cpaas_client_free(own);
    cpaas_client_free(shared);
    cpaas_shutdown();
    return ok ? 0 : 1;
}

static void fork_once(int uses_library) {
    pid_t pid = fork();
    if (pid == 0) {
        alarm(180); /* a child that hangs fails the test */
        if (uses_library) _exit(child());
        cpaas_client_free(shared);
        cpaas_shutdown();
        _exit(0);
    }
    int status = -1;
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void *busy(void *unused) {
    while (!atomic_load(&stop)) {
        cpaas_client *client = client_of("{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"k\"}");
        cpaas_text out;
        CHECK(cpaas_prepare(client, "sms.send", SMS, strlen(SMS), &out) == CPAAS_OK);
        cpaas_text_free(&out);
        cpaas_client_free(client);
    }
    return unused;
}

/* Uses the shared client and changes its stores, so that many forks happen in the middle of both. */
static void *busy_with_shared(void *unused) {
    while (!atomic_load(&stop)) {
        cpaas_text out;
        CHECK(cpaas_prepare(shared, "sms.send", SMS, strlen(SMS), &out) == CPAAS_OK);
        cpaas_text_free(&out);
        CHECK(cpaas_client_guard(shared, "{}", 2, &out) == CPAAS_OK);
        cpaas_text_free(&out);
        CHECK(cpaas_client_suppression(shared, is_suppressed, suppressed_number) == CPAAS_OK);
    }
    return unused;
}

int main(void) {
    pthread_t threads[4];
    fork_once(0); /* before any use */
    shared = client_of("{}");
    fork_once(0);
    const char *config = "{\"audience\":\"shop\",\"public_url\":\"https://shop.example/hooks\",\"inbound_keys\":[{\"kid\":\"k1\",\"secret\":\"a secret of thirty-two bytes or more\"}]}";
    cpaas_text out;
    CHECK(cpaas_receiver_new(config, strlen(config), &receiver, &out) == CPAAS_OK);
    cpaas_text_free(&out);
    CHECK(cpaas_client_suppression(shared, is_suppressed, suppressed_number) == CPAAS_OK);
    CHECK(cpaas_log_callback(log_line, NULL, CPAAS_LOG_DEBUG) == CPAAS_OK);
    fork_once(1);
    CHECK(sends());
    fork_once(1);
    fork_once(0);
    CHECK(sends());
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, i < 2 ? busy : busy_with_shared, NULL);
    for (int i = 0; i < 200; i++) fork_once(i % 10 == 0);
    atomic_store(&stop, 1);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    CHECK(sends());
    cpaas_client_free(shared);
    cpaas_receiver_free(receiver);
    cpaas_shutdown();
    return checks_end();
}
