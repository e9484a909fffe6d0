/* Effects of the library on its process: signals, threads that cannot be started, forks while the log function runs, exits.
 * Needs a sandbox and its ready line in READY_LINE. Usage: process_effects NAME; each name runs in a separate process. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "silent_server.h"

static atomic_int no_threads, created;

/* Replaces pthread_create in this program and in the library: counts the threads, and fails if `no_threads` is set. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (atomic_load(&no_threads)) return EAGAIN;
    atomic_fetch_add(&created, 1);
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    return real(thread, attributes, run, argument);
}

static atomic_int ended;

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    (void)text, (void)len;
    atomic_store((atomic_int *)user_data, (int)status + 1);
    atomic_fetch_add(&ended, 1);
}

static void sends(cpaas_client *client) {
    atomic_int status = 0;
    cpaas_text out;
    CHECK(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out) == CPAAS_OK);
    cpaas_text_free(&out);
    CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, &status, NULL) == CPAAS_OK);
    for (int i = 0; i < 12000 && atomic_load(&status) == 0; i++) usleep(5000);
    CHECK(atomic_load(&status) == CPAAS_OK + 1);
}

/* Counts the other threads; adds those with an unblocked signal to `open`. */
static int threads(int *open) {
    DIR *tasks = opendir("/proc/self/task");
    int count = 0;
    for (struct dirent *task; (task = readdir(tasks));) {
        char path[300], line[256];
        if (task->d_name[0] == '.' || atoi(task->d_name) == (int)getpid()) continue;
        snprintf(path, sizeof path, "/proc/self/task/%s/status", task->d_name);
        FILE *file = fopen(path, "r");
        unsigned long long blocked = 0;
        while (file && fgets(line, sizeof line, file)) sscanf(line, "SigBlk: %llx", &blocked);
        if (file) fclose(file);
        const unsigned long long all = ~((1ull << (SIGKILL - 1)) | (1ull << (SIGSTOP - 1)) | (3ull << 31)); /* 32, 33: glibc's own */
        count++;
        *open += (blocked & all) != all;
    }
    closedir(tasks);
    return count;
}

static void signals(void) {
    cpaas_client *client = client_of("{}");
    int open = 0;
    sends(client);
    CHECK(threads(&open) > 0);
    CHECK(open == 0);
    /* The program blocks SIGTERM after the library has started its threads, and reads it from a descriptor. */
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &term, NULL);
    int fd = signalfd(-1, &term, SFD_CLOEXEC);
    struct signalfd_siginfo info;
    kill(getpid(), SIGTERM);
    CHECK(read(fd, &info, sizeof info) == (ssize_t)sizeof info && info.ssi_signo == SIGTERM);
    sends(client);
    close(fd);
    cpaas_client_free(client);
    cpaas_shutdown();
}

/* Without threads, cpaas_client_new fails. A client that was created with threads needs no further thread to resolve a name. */
static void without_threads(void) {
    cpaas_client *client = (cpaas_client *)1;
    cpaas_text out;
    atomic_store(&no_threads, 1);
    CHECK(cpaas_client_new("{}", 2, &client, &out) == CPAAS_NO_THREAD && client == NULL);
    cpaas_text_free(&out);
    if (client) return;
    atomic_store(&no_threads, 0);
    CHECK(cpaas_client_new("{}", 2, &client, &out) == CPAAS_OK);
    cpaas_text_free(&out);
    atomic_store(&no_threads, 1);
    char *address = strdup(getenv("CPAAS_SMS_URL")), config[256], *port = strrchr(address, ':');
    snprintf(config, sizeof config, "{\"sms_url\":\"http://localhost%s\"}", port);
    cpaas_client *named = client_of(config);
    CHECK(cpaas_call(named, "sms.send", SMS, strlen(SMS), &out) == CPAAS_OK);
    cpaas_text_free(&out);
    CHECK(cpaas_call_async(named, "sms.send", SMS, strlen(SMS), NULL, done, &ended, NULL) == CPAAS_NO_THREAD);
    atomic_store(&no_threads, 0);
    sends(named);
    cpaas_client_free(named);
    cpaas_client_free(client);
    free(address);
    cpaas_shutdown();
}

static pthread_mutex_t logging = PTHREAD_MUTEX_INITIALIZER;
static sem_t in_log;

static void locked_line(void *user_data, uint32_t level, const char *text, size_t len) {
    (void)user_data, (void)level, (void)text, (void)len;
    sem_post(&in_log);
    pthread_mutex_lock(&logging);
    pthread_mutex_unlock(&logging);
}

static void *one_call(void *client) {
    cpaas_text out;
    CHECK(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out) == CPAAS_OK);
    cpaas_text_free(&out);
    return NULL;
}

/* The forking thread holds a mutex that the log function waits for on another thread. The fork must not deadlock. */
static void fork_with_log(void) {
    pthread_t thread;
    int status = -1;
    sem_init(&in_log, 0, 0);
    cpaas_client *client = client_of("{}");
    CHECK(cpaas_log_callback(locked_line, NULL, CPAAS_LOG_DEBUG) == CPAAS_OK);
    pthread_mutex_lock(&logging);
    pthread_create(&thread, NULL, one_call, client);
    sem_wait(&in_log);
    alarm(30); /* a deadlock ends the process */
    pid_t pid = fork();
    pthread_mutex_unlock(&logging);
    if (pid == 0) {
        alarm(30);
        cpaas_log_callback(NULL, NULL, 0); /* does not wait for a thread of the parent */
        one_call(client);
        _exit(checks_failed);
    }
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    pthread_join(thread, NULL);
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_OK);
    cpaas_client_free(client);
    cpaas_shutdown();
}

/* The ready line of the sandbox contains a configuration for cpaas_client_new. */
static void ready_line(void) {
    const char *config = strstr(getenv("READY_LINE"), "\"config\":") + 9;
    size_t len = (size_t)(strchr(config, '}') + 1 - config);
    cpaas_client *client = NULL;
    cpaas_text out;
    unsetenv("CPAAS_SMS_URL");
    unsetenv("CPAAS_SMS_KEY");
    CHECK(cpaas_client_new(config, len, &client, &out) == CPAAS_OK);
    cpaas_text_free(&out);
    if (client) sends(client);
    cpaas_client_free(client);
    cpaas_shutdown();
}

/* A process that exits while calls, callbacks and threads of the library run ends with status 0. */
static void exits(void) {
    char config[256];
    int fd = silent_server(config, sizeof config), ok = 0;
    for (unsigned i = 0; i < 300; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            static atomic_int statuses[8];
            cpaas_client *client = client_of(config);
            alarm(60);
            for (int call = 0; call < 8; call++) {
                ignored(cpaas_call_async(client, "sms.send", call % 2 ? SMS : "{}", call % 2 ? strlen(SMS) : 2, NULL, done, &statuses[call], NULL));
            }
            usleep(i % 30 * 100);
            exit(0); /* no free, no shutdown */
        }
        int status = -1;
        ok += waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    CHECK(ok == 300);
    close(fd);
}

int main(int argc, char **argv) {
    const struct {
        const char *name;
        void (*run)(void);
    } all[] = {{"signals", signals}, {"without_threads", without_threads}, {"fork_with_log", fork_with_log}, {"ready_line", ready_line}, {"exits", exits}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (argc == 2 && strcmp(argv[1], all[i].name) == 0) all[i].run();
    }
    return checks_end();
}
