/* Sends one SMS to each number, all at once, in one thread with epoll and the multi interface of libcurl. The library opens no
 * connection and starts no thread for it. Configuration: CPAAS_SMS_URL, CPAAS_SMS_KEY. Usage: exchange_epoll NUMBER… */
#include <curl/curl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "cpaas.h"

enum { MAX_RESPONSE = 1 << 20 };

typedef struct buffer {
    char *data;
    size_t len;
} buffer;

typedef struct message {
    const char *number;
    cpaas_exchange *exchange;
    int64_t wake; /* when its next step is due */
    CURL *transfer; /* of the request in progress, or NULL */
    size_t body_len;
    int is_https;
    struct curl_slist *lines;
    buffer headers, body;
} message;

static CURLM *multi;
static int epoll, running, failed;
static int64_t curl_due = INT64_MAX;

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int on_socket(CURL *transfer, curl_socket_t fd, int what, void *unused, void *known) {
    struct epoll_event event = {.data.fd = fd};
    (void)transfer, (void)unused, (void)known;
    if (what & CURL_POLL_IN) event.events |= EPOLLIN; /* CURL_POLL_INOUT contains both */
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    if (what == CURL_POLL_REMOVE) return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL), 0;
    if (epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event) != 0) epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    return 0;
}

static int on_timer(CURLM *unused, long timeout_ms, void *user_data) {
    (void)unused, (void)user_data;
    curl_due = timeout_ms < 0 ? INT64_MAX : now_ms() + timeout_ms;
    return 0;
}

static size_t append(char *data, size_t size, size_t count, void *user_data) {
    buffer *to = user_data;
    size_t len = size * count;
    char *grown = len <= MAX_RESPONSE - to->len ? realloc(to->data, to->len + len + 1) : NULL;
    if (!grown) return 0; /* the transfer fails, and its response counts as cut */
    memcpy(grown + to->len, data, len);
    to->data = grown;
    to->len += len;
    return len;
}

static void stop(message *of) {
    if (!of->transfer) return;
    curl_multi_remove_handle(multi, of->transfer);
    curl_easy_cleanup(of->transfer);
    curl_slist_free_all(of->lines);
    free(of->headers.data);
    free(of->body.data);
    of->transfer = NULL;
    of->lines = NULL;
    of->headers = of->body = (buffer){0};
}

/* libcurl sends a request again if a kept connection was closed. A new connection for each request rules that out, and makes the times
 * in `sent` those of this request. */
static void start(message *of, const cpaas_step *step) {
    CURL *transfer = of->transfer = curl_easy_init();
    for (const char *const *line = step->headers; *line; line++) of->lines = curl_slist_append(of->lines, *line);
    of->lines = curl_slist_append(of->lines, "Expect:");
    of->body_len = step->body_len;
    of->is_https = strncasecmp(step->url, "https:", 6) == 0;
    curl_easy_setopt(transfer, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(transfer, CURLOPT_FORBID_REUSE, 1L);
    curl_easy_setopt(transfer, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(transfer, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(transfer, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(transfer, CURLOPT_URL, step->url);
    curl_easy_setopt(transfer, CURLOPT_HTTPHEADER, of->lines);
    if (step->body) {
        curl_easy_setopt(transfer, CURLOPT_POSTFIELDS, step->body);
        curl_easy_setopt(transfer, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)step->body_len);
    }
    curl_easy_setopt(transfer, CURLOPT_CUSTOMREQUEST, step->method);
    curl_easy_setopt(transfer, CURLOPT_HEADERFUNCTION, append);
    curl_easy_setopt(transfer, CURLOPT_HEADERDATA, &of->headers);
    curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(transfer, CURLOPT_WRITEDATA, &of->body);
    curl_easy_setopt(transfer, CURLOPT_PRIVATE, of);
    curl_multi_add_handle(multi, transfer);
}

/* Proof that nothing was sent: there was no connection, or no TLS. */
static uint32_t sent(const message *of) {
    curl_off_t connected = 0, encrypted = 0;
    curl_easy_getinfo(of->transfer, CURLINFO_CONNECT_TIME_T, &connected);
    curl_easy_getinfo(of->transfer, CURLINFO_APPCONNECT_TIME_T, &encrypted);
    return connected == 0 || (of->is_https && encrypted == 0) ? CPAAS_SENT_NO : CPAAS_SENT_MAYBE;
}

static const char *reason_of(CURLcode code) {
    switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST: return "dns";
    case CURLE_COULDNT_RESOLVE_PROXY: return "proxy";
    case CURLE_COULDNT_CONNECT: return "connect";
    case CURLE_PEER_FAILED_VERIFICATION: return "certificate";
    case CURLE_SSL_CONNECT_ERROR: return "tls";
    case CURLE_OPERATION_TIMEDOUT: return "timeout";
    default: return "reset";
    }
}

static void report(message *of, CURLcode code) {
    long http_status = 0;
    curl_off_t uploaded = 0;
    curl_easy_getinfo(of->transfer, CURLINFO_RESPONSE_CODE, &http_status);
    curl_easy_getinfo(of->transfer, CURLINFO_SIZE_UPLOAD_T, &uploaded);
    if (http_status < 100) {
        if (cpaas_exchange_fail(of->exchange, sent(of), reason_of(code)) != CPAAS_OK) fprintf(stderr, "%s: no request\n", of->number);
        return;
    }
    cpaas_response response = {.size = sizeof response, .http_status = (uint32_t)http_status};
    response.headers = of->headers.data, response.headers_len = of->headers.len;
    response.body = of->body.data, response.body_len = of->body.len;
    if (code != CURLE_OK) response.flags |= CPAAS_RESPONSE_CUT;
    if ((size_t)uploaded < of->body_len) response.flags |= CPAAS_RESPONSE_EARLY;
    if (cpaas_exchange_respond(of->exchange, &response) != CPAAS_OK) fprintf(stderr, "%s: no request\n", of->number);
}

/* Reports the request in progress, which ended with `code`, and does what comes next. */
static void advance(message *of, CURLcode code) {
    cpaas_step step = {.size = sizeof step};
    if (of->transfer) {
        report(of, code);
        stop(of);
    }
    if (cpaas_exchange_step(of->exchange, &step) != CPAAS_OK) step.kind = CPAAS_STEP_END;
    of->wake = now_ms() + step.wait_ms;
    if (step.kind == CPAAS_STEP_SEND) start(of, &step);
    if (step.kind != CPAAS_STEP_END) return;
    cpaas_text out;
    cpaas_status status = cpaas_exchange_end(of->exchange, &out);
    printf("%s %s %s\n", of->number, cpaas_status_name(status), out.data ? out.data : "");
    cpaas_text_free(&out);
    cpaas_exchange_free(of->exchange);
    of->wake = INT64_MAX;
    running--;
    failed += status != CPAAS_OK;
}

static void begin(cpaas_client *client, message *of, const char *number) {
    char request[256];
    cpaas_text text, out;
    of->number = number;
    if (cpaas_json_string(number, strlen(number), &text) == CPAAS_OK) {
        snprintf(request, sizeof request, "{\"from\": \"Acme\", \"to\": %s, \"text\": \"Your table is ready\"}", text.data);
        cpaas_status status = cpaas_exchange_new(client, "sms.send", request, strlen(request), NULL, &of->exchange, &out);
        if (status != CPAAS_OK) printf("%s %s\n", number, out.data ? out.data : "");
        cpaas_text_free(&out);
    }
    cpaas_text_free(&text);
    of->wake = of->exchange ? now_ms() : INT64_MAX;
    running += of->exchange != NULL;
    failed += of->exchange == NULL;
}

int main(int argc, char **argv) {
    cpaas_client *client = NULL;
    cpaas_text out;
    cpaas_status status = cpaas_client_new("{}", 2, &client, &out);
    if (status != CPAAS_OK) fprintf(stderr, "%s\n", out.data ? out.data : cpaas_status_name(status));
    cpaas_text_free(&out);
    message *messages = calloc((size_t)argc, sizeof *messages);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    multi = curl_multi_init();
    epoll = epoll_create1(EPOLL_CLOEXEC);
    if (status != CPAAS_OK || !messages || !multi || epoll < 0) return 2;
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    for (int i = 1; i < argc; i++) begin(client, &messages[i], argv[i]);

    while (running > 0) {
        int64_t now = now_ms(), due = curl_due;
        int left = 0;
        for (int i = 1; i < argc; i++) {
            if (messages[i].wake <= now) advance(&messages[i], CURLE_OPERATION_TIMEDOUT);
            if (messages[i].wake < due) due = messages[i].wake;
        }
        if (curl_due < due) due = curl_due; /* a transfer may have begun */
        if (running == 0) break;
        now = now_ms();
        struct epoll_event event;
        int ready = epoll_wait(epoll, &event, 1, due <= now ? 0 : (int)(due - now));
        if (ready == 1) {
            int what = (event.events & EPOLLIN ? CURL_CSELECT_IN : 0) | (event.events & EPOLLOUT ? CURL_CSELECT_OUT : 0);
            curl_multi_socket_action(multi, event.data.fd, what | (event.events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0), &left);
        } else if (curl_due <= now_ms()) {
            curl_due = INT64_MAX;
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &left);
        }
        for (CURLMsg *ended; (ended = curl_multi_info_read(multi, &left)) != NULL;) {
            char *of = NULL;
            if (ended->msg != CURLMSG_DONE) continue;
            curl_easy_getinfo(ended->easy_handle, CURLINFO_PRIVATE, &of);
            advance((message *)(void *)of, ended->data.result);
        }
    }
    curl_multi_cleanup(multi);
    curl_global_cleanup();
    close(epoll);
    free(messages);
    cpaas_client_free(client);
    return failed == 0 ? 0 : 1;
}
