/* The heap of a program that keeps many asynchronous calls running: it grows by the calls that run, and gives their memory back. Prints what is in
 * use. Usage: heap_window CALLS WINDOW, CALLS for callbacks and as many for polled results, at most WINDOW at a time */
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "../benches/server.h"
#include "check.h"

#define TUNABLES "GLIBC_TUNABLES"

enum { KIB = 1024, TOLERANCE = 256 * KIB, FIRST_CALLS = 9000, FEW = 128 };

static atomic_size_t accepted;
static atomic_int held;

/* Lets the calls of a window end, so that their results wait in the library. */
static void let_end(unsigned window) { usleep(200 * window); }

static size_t heap(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

static unsigned long resident_kib(void) {
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*u %lu", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return pages * (unsigned long)sysconf(_SC_PAGESIZE) / KIB;
}

/* Starts a call. A call that has ended counts until its callback has returned, so the limit of the process may be reached for a moment. */
static int started(cpaas_client *client, cpaas_completion done, void *user_data) {
    cpaas_sms sms = {.size = sizeof sms, .from = "Acme", .to = "306912345678", .text = "Your table is ready"};
    cpaas_text out;
    cpaas_status status = cpaas_sms_start(client, &sms, NULL, done, user_data, NULL, &out);
    cpaas_text_free(&out);
    CHECK(status == CPAAS_OK || status == CPAAS_TOO_MANY_CALLS);
    return status == CPAAS_OK;
}

static void done(void *free_places, cpaas_status status, const char *text, size_t len) {
    (void)text, (void)len;
    while (atomic_load(&held)) usleep(1000);
    atomic_fetch_add(&accepted, status == CPAAS_OK);
    sem_post(free_places);
}

static void by_callback(cpaas_client *client, size_t calls, unsigned window) {
    sem_t free_places;
    sem_init(&free_places, 0, window);
    atomic_store(&held, 1);
    for (size_t i = 0; i < calls; i++) {
        if (i == window) let_end(window), atomic_store(&held, 0);
        sem_wait(&free_places);
        while (!started(client, done, &free_places)) usleep(1000);
    }
    atomic_store(&held, 0);
    for (unsigned i = 0; i < window; i++) sem_wait(&free_places);
    sem_destroy(&free_places);
}

static void by_poll(cpaas_client *client, size_t calls, unsigned window) {
    struct pollfd ready = {cpaas_event_fd(client), POLLIN, 0};
    cpaas_result results[64];
    for (size_t begun = 0, ended = 0; ended < calls;) {
        while (begun < calls && begun - ended < window && started(client, NULL, NULL)) begun++;
        if (ended == 0) let_end(window);
        poll(&ready, 1, 1000);
        size_t count = cpaas_poll(client, results, sizeof results / sizeof *results);
        for (size_t i = 0; i < count; i++) {
            atomic_fetch_add(&accepted, results[i].status == CPAAS_OK);
            cpaas_text_free(&results[i].text);
        }
        ended += count;
    }
}

/* Runs the calls, and returns the heap in use. */
static size_t after(const char *what, void (*run)(cpaas_client *, size_t, unsigned), cpaas_client *client, size_t calls, unsigned window) {
    size_t before = atomic_load(&accepted);
    run(client, calls, window);
    size_t used = heap();
    CHECK(atomic_load(&accepted) - before == calls);
    printf("%-34s %7zu KiB in use, %7lu KiB resident\n", what, used / KIB, resident_kib());
    return used;
}

/* The first calls fill what has a limit of its own, such as the ids that the client remembers. */
static void check(const char *name, void (*run)(cpaas_client *, size_t, unsigned), const char *config, size_t calls, unsigned window) {
    cpaas_client *client = client_of(config);
    puts(name);
    size_t start = after("9,000 calls, 128 at a time", run, client, FIRST_CALLS, FEW);
    size_t first = after("the first window", run, client, window, window);
    size_t end = after("all calls", run, client, calls - FIRST_CALLS - window, window);
    CHECK(first <= start + TOLERANCE && end <= start + TOLERANCE && end <= first + TOLERANCE);
    cpaas_client_free(client);
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    if (!getenv(TUNABLES)) { /* without caches of threads, whose freed memory counts as in use */
        setenv(TUNABLES, "glibc.malloc.tcache_count=0", 1);
        execv("/proc/self/exe", argv);
    }
    size_t calls = strtoul(argv[1], NULL, 10);
    unsigned window = (unsigned)strtoul(argv[2], NULL, 10);
    char config[200]; /* few connections, which end while they are idle: their number changes the heap */
    pid_t server;
    int port = server_start(&server);
    snprintf(config, sizeof config, "{\"sms_url\":\"http://127.0.0.1:%d\",\"sms_key\":\"k\",\"deadline\":600,\"timeout\":600,\"max_connections\":8}",
             port);
    check("callbacks", by_callback, config, calls, window);
    check("polled results", by_poll, config, calls, window);
    cpaas_shutdown();
    kill(server, SIGKILL);
    return checks_end();
}
