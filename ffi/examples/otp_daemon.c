/* A daemon with one thread and epoll, which sends and verifies one-time passcodes and never blocks in a call. It reads the commands
 * `send NUMBER` and `check NUMBER CODE` from standard input, and prints `NUMBER sent`, `NUMBER verified` or another outcome;
 * a check before its number has got a passcode is `NUMBER not sent`.
 * SIGTERM and the end of the input end it; then every call that is running gets its line too.
 * Configuration: the environment (CPAAS_OTP_URL, CPAAS_ACCOUNT_SID, CPAAS_API_KEY). */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cpaas.h"

enum { USERS = 1000 };

typedef struct user user;

/* The user_data of a call: whose it is, and whether it verifies. Two calls of a user may run at once and end in any order. */
typedef struct purpose {
    user *to;
    int is_check;
} purpose;

struct user {
    char number[24], id[128]; /* the id of the last passcode that was sent; empty before */
    purpose send, check;
};

static user users[USERS];
static int count;

static user *user_of(const char *number) {
    for (int i = 0; i < count; i++) {
        if (strcmp(users[i].number, number) == 0) return &users[i];
    }
    if (count == USERS) return NULL;
    user *to = &users[count++];
    snprintf(to->number, sizeof to->number, "%s", number);
    to->send = (purpose){.to = to};
    to->check = (purpose){.to = to, .is_check = 1};
    return to;
}

static void command(cpaas_client *client, const char *line) {
    char name[8] = "", number[24] = "", code[16] = "";
    int words = sscanf(line, "%7s %23s %15s", name, number, code);
    int is_send = words == 2 && strcmp(name, "send") == 0, is_check = words == 3 && strcmp(name, "check") == 0;
    user *to = is_send || is_check ? user_of(number) : NULL;
    if (!to) {
        printf("%s\n", is_send || is_check ? "too many numbers" : "unknown command");
        return;
    }
    if (is_check && !to->id[0]) {
        printf("%s not sent\n", number);
        return;
    }
    cpaas_status status;
    cpaas_text out;
    if (is_send) {
        cpaas_otp otp = {.size = sizeof otp, .service = "login", .from = "Acme", .to = number, .body = "Your code is {code}"};
        status = cpaas_otp_start(client, &otp, NULL, NULL, &to->send, NULL, &out);
    } else {
        cpaas_otp_check check = {.size = sizeof check, .service = "login", .request_id = to->id, .code = code};
        status = cpaas_otp_verify_start(client, &check, NULL, NULL, &to->check, NULL, &out);
    }
    if (status != CPAAS_OK) printf("%s %s %s\n", number, cpaas_status_name(status), out.data ? out.data : "");
    cpaas_text_free(&out);
}

static void print(cpaas_result *ended) {
    const purpose *of = ended->user_data;
    cpaas_sent sent = {.size = sizeof sent};
    cpaas_status status = ended->status;
    if (status == CPAAS_OK && !of->is_check) status = cpaas_sent_read(ended->text.data, ended->text.len, &sent);
    if (status != CPAAS_OK) {
        printf("%s %s\n", of->to->number, cpaas_status_name(status));
    } else if (of->is_check) {
        printf("%s verified\n", of->to->number);
    } else {
        memcpy(of->to->id, sent.id, sizeof of->to->id);
        printf("%s sent\n", of->to->number);
    }
    cpaas_text_free(&ended->text);
}

static void results(cpaas_client *client) {
    cpaas_result ended[16];
    for (size_t n; (n = cpaas_poll(client, ended, 16)) > 0;) {
        for (size_t i = 0; i < n; i++) print(&ended[i]);
    }
    fflush(stdout);
}

/* Waits at most 2 s for the calls that are running, cancels the rest, and prints the outcome of each: no user waits for a line that
 * never comes. */
static void last_results(cpaas_client *client) {
    cpaas_result ended[16];
    for (cpaas_status status = CPAAS_TOO_SMALL; status == CPAAS_TOO_SMALL;) {
        size_t n;
        status = cpaas_client_drain(client, 2000, ended, 16, &n);
        for (size_t i = 0; i < n; i++) print(&ended[i]);
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
        fflush(stdout);
        have = strlen(lines) < sizeof lines - 1 ? strlen(lines) : 0;
    }
    last_results(client);
    cpaas_client_free(client);
    close(epoll);
    return 0;
}
