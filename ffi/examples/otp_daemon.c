/* A daemon with one thread and epoll, which sends and verifies one-time passcodes and never blocks in a call. It reads the commands
 * `send NUMBER` and `check NUMBER CODE` from standard input, and prints `NUMBER sent`, `NUMBER verified` or another outcome.
 * Configuration: the environment (CPAAS_OTP_URL, CPAAS_ACCOUNT_SID, CPAAS_API_KEY). */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cpaas.h"

enum { USERS = 1000 };

typedef struct user {
    char number[24], id[128];
    int is_sending;
} user;

static user users[USERS];
static int count;

static user *user_of(const char *number) {
    for (int i = 0; i < count; i++) {
        if (strcmp(users[i].number, number) == 0) return &users[i];
    }
    if (count == USERS) return NULL;
    snprintf(users[count].number, sizeof users[count].number, "%s", number);
    return &users[count++];
}

/* Writes `{"name":"value",...}` for pairs of names and values that end with NULL; every value is escaped. */
static int json(char *to, size_t size, const char *const *pairs) {
    size_t len = 0;
    for (; pairs[0]; pairs += 2) {
        cpaas_text value;
        if (cpaas_json_string(pairs[1], strlen(pairs[1]), &value) != CPAAS_OK || !value.data) return 0;
        int written = snprintf(to + len, size - len, "%s\"%s\":%s", len ? "," : "{", pairs[0], value.data);
        cpaas_text_free(&value);
        if (written < 0 || (size_t)written >= size - len - 1) return 0;
        len += (size_t)written;
    }
    memcpy(to + len, "}", 2);
    return 1;
}

static void command(cpaas_client *client, const char *line) {
    char name[8] = "", number[24] = "", code[16] = "", request[1024];
    int words = sscanf(line, "%7s %23s %15s", name, number, code);
    user *to = words >= 2 ? user_of(number) : NULL;
    if (!to) return;
    to->is_sending = words == 2;
    const char *send[] = {"service", "login", "from", "Acme", "to", number, "body", "Your code is {code}", NULL};
    const char *check[] = {"service", "login", "requestId", to->id, "code", code, NULL};
    cpaas_status status = CPAAS_BAD_ARGUMENT;
    if (json(request, sizeof request, to->is_sending ? send : check)) {
        status = cpaas_call_start(client, to->is_sending ? "otp.send" : "otp.verify", request, strlen(request), NULL, to, NULL);
    }
    if (status != CPAAS_OK) printf("%s %s\n", number, cpaas_status_name(status));
}

static void results(cpaas_client *client) {
    cpaas_result ended[16];
    for (size_t n; (n = cpaas_poll(client, ended, 16)) > 0;) {
        for (size_t i = 0; i < n; i++) {
            user *to = ended[i].user_data;
            cpaas_text id = {NULL, 0};
            if (ended[i].status != CPAAS_OK) {
                printf("%s %s\n", to->number, cpaas_status_name(ended[i].status));
            } else if (to->is_sending && cpaas_json_get(ended[i].text.data, ended[i].text.len, "/requestID", &id) == CPAAS_OK) {
                snprintf(to->id, sizeof to->id, "%s", id.data);
                printf("%s sent\n", to->number);
            } else {
                printf("%s verified\n", to->number);
            }
            cpaas_text_free(&id);
            cpaas_text_free(&ended[i].text);
        }
    }
    fflush(stdout);
}

int main(void) {
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigprocmask(SIG_BLOCK, &stop, NULL);
    cpaas_client *client = NULL;
    cpaas_text out;
    cpaas_status status = cpaas_client_new("{}", 2, &client, &out);
    if (status != CPAAS_OK) fprintf(stderr, "%s\n", out.data ? out.data : cpaas_status_name(status));
    cpaas_text_free(&out);
    if (status != CPAAS_OK) return 1;

    int epoll = epoll_create1(EPOLL_CLOEXEC), fds[] = {STDIN_FILENO, cpaas_event_fd(client), signalfd(-1, &stop, SFD_CLOEXEC)};
    for (int i = 0; i < 3; i++) epoll_ctl(epoll, EPOLL_CTL_ADD, fds[i], &(struct epoll_event){.events = EPOLLIN, .data.fd = fds[i]});
    char lines[4096];
    size_t have = 0;
    for (struct epoll_event event; epoll_wait(epoll, &event, 1, -1) == 1;) {
        if (event.data.fd == fds[1]) results(client);
        if (event.data.fd == fds[2]) break;
        if (event.data.fd != fds[0]) continue;
        ssize_t got = read(fds[0], lines + have, sizeof lines - 1 - have);
        if (got <= 0) break;
        lines[have += (size_t)got] = '\0';
        for (char *end; (end = strchr(lines, '\n')) != NULL;) {
            *end = '\0';
            command(client, lines);
            memmove(lines, end + 1, strlen(end + 1) + 1);
        }
        have = strlen(lines) < sizeof lines - 1 ? strlen(lines) : 0;
    }
    cpaas_client_free(client); /* cancels the calls that are running */
    close(epoll);
    return 0;
}
