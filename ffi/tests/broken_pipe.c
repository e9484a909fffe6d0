/* A server that resets its connections must not end the program by SIGPIPE, and the program's own SIGPIPE must still work.
 * Usage: broken_pipe CERTIFICATE KEY: PEM files of a certificate for 127.0.0.1. Each case runs in a child process. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <sys/wait.h>

#include "check.h"
#include "silent_server.h"

static const char response[] =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 64\r\n\r\n"
    "{\"id\":\"m-1\",\"timestamp\":\"2024-05-01T10:00:00Z\",\"responseCode\":0}";

/* When the server ends the connection. */
enum phase { BEFORE, IN_REQUEST, DURING, AFTER, IDLE, PHASES };
static const char *const phases[] = {"before the response", "during the request", "during the response", "after the response", "while idle"};
/* How it ends the connection: with RST, or with FIN and RST once the client has received the FIN. */
enum ending { RST, FIN_RST, ENDINGS };

static int listener, tls;
static enum phase phase;
static enum ending ending;
static SSL_CTX *context;
/* Shared with the child processes. `idle` is 1 while a connection waits for `reset` after a whole response. */
static int to_server[2], from_server[2];

struct connection {
    int fd;
    SSL *ssl;
};

static ssize_t get(struct connection *connection, char *data, size_t size) {
    return connection->ssl ? SSL_read(connection->ssl, data, (int)size) : read(connection->fd, data, size);
}

static void put(struct connection *connection, const char *data, size_t size) {
    if (connection->ssl) {
        ignored((size_t)SSL_write(connection->ssl, data, (int)size));
    } else {
        ignored((size_t)write(connection->fd, data, size));
    }
}

static void end(struct connection *connection) {
    struct linger linger = {1, 0};
    if (ending == FIN_RST) {
        shutdown(connection->fd, SHUT_WR);
        usleep(20000);
    }
    setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    if (connection->ssl) SSL_free(connection->ssl);
    close(connection->fd);
    connection->fd = -1;
}

/* Serves one request. The caller ends the connection, except if it was idle. */
static void serve_connection(struct connection *connection) {
    static char data[65536];
    size_t have = 0;
    char byte = 0;
    for (ssize_t got; (got = get(connection, data + have, sizeof data - 1 - have)) > 0;) {
        have += (size_t)got;
        data[have] = '\0';
        if (phase == IN_REQUEST && have > 300) return;
        if (!strstr(data, "\r\n\r\n{")) continue;
        if (phase == BEFORE) return;
        put(connection, response, phase == DURING ? sizeof response - 20 : sizeof response - 1);
        if (phase == DURING || phase == AFTER) return;
        have = 0;
        ignored((size_t)write(from_server[1], "i", 1));
        ignored((size_t)read(to_server[0], &byte, 1));
        end(connection);
        ignored((size_t)write(from_server[1], "r", 1));
        return;
    }
}

static void *serve(void *unused) {
    for (struct connection connection = {0}; (connection.fd = accept(listener, NULL, NULL)) >= 0;) {
        connection.ssl = NULL;
        if (tls) {
            connection.ssl = SSL_new(context);
            SSL_set_fd(connection.ssl, connection.fd);
        }
        if (!tls || SSL_accept(connection.ssl) == 1) serve_connection(&connection);
        if (connection.fd >= 0) end(&connection);
    }
    return unused;
}

static char config[512];

/* Calls once. A large request is still being written when the server resets the connection. */
static void call(cpaas_client *client) {
    static char request[600000];
    cpaas_text out;
    memset(request, ' ', sizeof request);
    memcpy(request, SMS, strlen(SMS));
    memcpy(request + strlen(SMS) - 1, ",\"extra\":{\"padding\":\"", 21);
    memset(request + strlen(SMS) + 20, 'x', sizeof request - strlen(SMS) - 30);
    memcpy(request + sizeof request - 4, "\"}}", 3);
    size_t len = phase == IN_REQUEST ? sizeof request - 1 : strlen(SMS);
    cpaas_status status = cpaas_call(client, "sms.send", phase == IN_REQUEST ? request : SMS, len, &out);
    CHECK(status == CPAAS_OK || status == CPAAS_UNKNOWN || status == CPAAS_NOT_SENT || status == CPAAS_ACCEPTED_ID_UNKNOWN);
    if (status == CPAAS_INVALID) printf("%s\n", out.data);
    cpaas_text_free(&out);
}

/* The server resets the idle connection now. */
static void reset_idle(void) {
    char byte = 0;
    if (phase != IDLE) return;
    ignored((size_t)read(from_server[0], &byte, 1));
    ignored((size_t)write(to_server[1], "x", 1));
    ignored((size_t)read(from_server[0], &byte, 1));
    usleep(20000); /* until the reset arrives */
}

static atomic_int ended;

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)user_data, (void)status, (void)text, (void)len;
    atomic_store(&ended, 1);
}

static void calls(void) {
    cpaas_client *client = client_of(config);
    for (int i = 0; i < 3; i++) {
        call(client);
        reset_idle();
    }
    cpaas_client_free(client);
    cpaas_shutdown();
}

static void freed(void) {
    cpaas_client *client = client_of(config);
    call(client);
    reset_idle();
    cpaas_client_free(client);
    cpaas_client_free(client_of(config));
}

static void shut_down(void) {
    cpaas_client *client = client_of(config);
    call(client);
    reset_idle();
    cpaas_shutdown();
    cpaas_client_free(client);
}

static void asynchronous(void) {
    cpaas_client *client = client_of(config);
    CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, NULL, NULL) == CPAAS_OK);
    while (!atomic_load(&ended)) usleep(1000);
    reset_idle();
    usleep(50000);
    cpaas_client_free(client);
    cpaas_shutdown();
}

static atomic_int handled;

static void count(int signal) {
    (void)signal;
    atomic_fetch_add(&handled, 1);
}

/* The handler of the program does not run for connections of the library, and runs for the program's own SIGPIPE. */
static void own_handler(void) {
    sigset_t mask;
    signal(SIGPIPE, count);
    calls();
    CHECK(atomic_load(&handled) == 0);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    CHECK(sigismember(&mask, SIGPIPE) == 0);
    raise(SIGPIPE);
    CHECK(atomic_load(&handled) == 1);
}

static void blocked_and_pending(int is_pending_before) {
    sigset_t mask, pending;
    signal(SIGPIPE, count);
    sigemptyset(&mask);
    sigaddset(&mask, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &mask, NULL);
    if (is_pending_before) raise(SIGPIPE);
    calls();
    sigpending(&pending);
    CHECK(sigismember(&pending, SIGPIPE) == is_pending_before);
    pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
    CHECK(atomic_load(&handled) == is_pending_before);
}

static void own_pending(void) { blocked_and_pending(1); }
static void own_mask(void) { blocked_and_pending(0); }

/* A SIGPIPE that another process sends during a call is delivered. */
static void from_another_process(void) {
    signal(SIGPIPE, count);
    cpaas_client *client = client_of(config);
    pid_t pid = fork();
    if (pid == 0) {
        usleep(100000);
        kill(getppid(), SIGPIPE);
        _exit(0);
    }
    for (int i = 0; i < 1000 && atomic_load(&handled) == 0; i++) {
        call(client);
        reset_idle();
    }
    waitpid(pid, NULL, 0);
    CHECK(atomic_load(&handled) == 1);
    cpaas_client_free(client);
}

static pthread_t caller;
static atomic_int sent;

static void *send_to_caller(void *unused) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    usleep(100000);
    pthread_kill(caller, SIGPIPE);
    atomic_store(&sent, 1);
    return unused;
}

/* Whether the kernel reports a signal of `pthread_kill` as one. Some report it as one of `kill`. */
static int reports_threads(void) {
    sigset_t mask;
    siginfo_t info;
    struct timespec at_once = {0, 0};
    sigemptyset(&mask);
    sigaddset(&mask, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &mask, NULL);
    pthread_kill(pthread_self(), SIGPIPE);
    int received = sigtimedwait(&mask, &info, &at_once);
    pthread_sigmask(SIG_UNBLOCK, &mask, NULL);
    return received == SIGPIPE && info.si_code == SI_TKILL;
}

/* A SIGPIPE that another thread of the program sends during a call is delivered. */
static void from_another_thread(void) {
    pthread_t sender;
    if (!reports_threads()) return;
    signal(SIGPIPE, count);
    caller = pthread_self();
    cpaas_client *client = client_of(config);
    pthread_create(&sender, NULL, send_to_caller, NULL);
    do {
        call(client);
        reset_idle();
    } while (!atomic_load(&sent));
    pthread_join(sender, NULL);
    CHECK(atomic_load(&handled) == 1);
    cpaas_client_free(client);
}

static void log_line(void *user_data, uint32_t level, const char *text, size_t len) {
    int *ends = user_data;
    (void)level;
    errno = 0;
    CHECK(write(ends[1], text, len) < 0 && errno == EPIPE);
}

/* While the library runs, a write of the log function to a closed pipe fails with EPIPE. */
static void in_log_function(void) {
    int ends[2];
    CHECK(pipe(ends) == 0);
    close(ends[0]);
    CHECK(cpaas_log_callback(log_line, ends, CPAAS_LOG_DEBUG) == CPAAS_OK);
    calls();
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_OK);
}

static void in_child(const char *name, void (*run)(void)) {
    int status = 0, left = 0;
    char bytes[64];
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(60);
        checks_passed = checks_failed = 0;
        signal(SIGPIPE, SIG_DFL);
        run();
        fflush(stdout);
        _exit(checks_failed != 0);
    }
    waitpid(pid, &status, 0);
    int ok = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!ok) {
        printf("%s, %s, %s, %s: %s %d\n", name, tls ? "TLS" : "plain", phases[phase], ending == RST ? "RST" : "FIN and RST",
               WIFSIGNALED(status) ? "signal" : "status", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
    CHECK(ok);
    /* A connection that is still idle is released, so that the server accepts the next one. */
    usleep(1000);
    while (ioctl(from_server[0], FIONREAD, &left) == 0 && left > 0) {
        ignored((size_t)read(from_server[0], bytes, 1));
        if (*bytes == 'i') ignored((size_t)write(to_server[1], "x", 1));
        usleep(30000);
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*run)(void);
    } cases[] = {{"calls", calls}, {"free", freed}, {"shutdown", shut_down}, {"async", asynchronous}, {"own handler", own_handler},
                 {"own pending signal", own_pending}, {"own mask", own_mask}, {"another process", from_another_process},
                 {"another thread", from_another_thread}, {"log function", in_log_function}};
    pthread_t server;
    char base[256];
    signal(SIGPIPE, SIG_IGN); /* in the server; the children restore the default */
    context = SSL_CTX_new(TLS_server_method());
    if (argc != 3 || SSL_CTX_use_certificate_file(context, argv[1], SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_use_PrivateKey_file(context, argv[2], SSL_FILETYPE_PEM) != 1 || pipe(to_server) != 0 || pipe(from_server) != 0) {
        return 2;
    }
    listener = silent_server(base, sizeof base);
    const int port = atoi(strstr(base, "127.0.0.1:") + 10);
    pthread_create(&server, NULL, serve, NULL);
    for (tls = 0; tls < 2; tls++) {
        snprintf(config, sizeof config,
                 "{\"sms_url\":\"%s://127.0.0.1:%d\",\"sms_key\":\"k\",\"max_attempts\":1,\"accept_repeated_ids\":true,\"ca_bundle\":\"%s\"}",
                 tls ? "https" : "http", port, argv[1]);
        for (int p = 0; p < PHASES; p++) {
            for (int e = 0; e < ENDINGS; e++) {
                phase = (enum phase)p, ending = (enum ending)e;
                for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) in_child(cases[i].name, cases[i].run);
            }
        }
    }
    shutdown(listener, SHUT_RDWR);
    pthread_join(server, NULL);
    SSL_CTX_free(context);
    return checks_end();
}
