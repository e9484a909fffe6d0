/* Receives callbacks with libmicrohttpd: reports, inbound messages, events. The file callbacks.json contains the
 * configuration of the receiver. The program reads the file again when it has changed, so that an edit rotates the keys.
 * Build: cc receive.c -lcpaas -lcjson -lmicrohttpd. Usage: receive [PORT] */
#include <arpa/inet.h>
#include <cjson/cJSON.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cpaas.h"

enum { MAX_BODY = 1 << 20 };

typedef struct call {
    char *url; /* unmodified, with the query */
    char *body;
    size_t len;
    int seen, too_large;
} call;

static void *begin(void *context, const char *url, struct MHD_Connection *connection) {
    (void)context, (void)connection;
    call *state = calloc(1, sizeof *state);
    if (state) state->url = strdup(url);
    return state;
}

static void end(void *context, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode why) {
    (void)context, (void)connection, (void)why;
    call *done = *state;
    if (done) free(done->url), free(done->body), free(done);
}

/* Returns the receiver. Replaces it first if the file has changed; if the new configuration is invalid, the old receiver stays.
 * The new receiver does not know which events are done: a repeat that arrives after a rotation is processed again. */
static cpaas_receiver *receiver(void) {
    static cpaas_receiver *current;
    static struct stat seen;
    static char config[65536];
    struct stat now;
    if (stat("callbacks.json", &now) != 0) return current;
    if (current && now.st_ino == seen.st_ino && now.st_size == seen.st_size && now.st_mtim.tv_sec == seen.st_mtim.tv_sec &&
        now.st_mtim.tv_nsec == seen.st_mtim.tv_nsec) {
        return current;
    }
    FILE *file = fopen("callbacks.json", "rb");
    size_t len = file ? fread(config, 1, sizeof config, file) : 0;
    if (file) fclose(file);
    cpaas_receiver *fresh = NULL;
    cpaas_text out;
    if (cpaas_receiver_new(config, len, &fresh, &out) == CPAAS_OK && cpaas_receiver_lease(fresh, 90) == CPAAS_OK) {
        cpaas_receiver_free(current);
        current = fresh;
        seen = now;
    } else {
        cpaas_receiver_free(fresh);
        fprintf(stderr, "callbacks.json: %s\n", out.data ? out.data : "");
    }
    cpaas_text_free(&out);
    return current;
}

/* Returns a member of an event, or `?`. The sender chose it, so bytes that may change the terminal become `?`. */
static const char *printable(const cJSON *event, const char *name) {
    char *text = cJSON_GetStringValue(cJSON_GetObjectItem(event, name));
    for (char *at = text; at && *at; at++) {
        if (*at < ' ' || *at > '~') *at = '?';
    }
    return text ? text : "?";
}

/* Prints one line for each event. A program of yours stores the event here. Returns whether that succeeded. */
static int process(const char *json) {
    cJSON *result = cJSON_Parse(json), *event = cJSON_GetObjectItem(result, "event");
    const char *kind = cJSON_GetStringValue(cJSON_GetObjectItem(event, "kind"));
    int printed = -1;
    if (kind && strstr(kind, "_report")) {
        printed = printf("%s %s %s\n", kind, printable(event, "message_id"), printable(event, "status"));
    } else if (kind) {
        printed = puts(kind);
    }
    cJSON_Delete(result);
    return printed >= 0 && fflush(stdout) == 0;
}

static unsigned int receive(const call *from, const char *method, const char *content_type, cpaas_text *retry_after) {
    cpaas_receiver *with = receiver();
    cpaas_callback_request request = {.size = sizeof request, .method = method, .url = from->url};
    request.content_type = content_type; /* NULL if there is none */
    request.body = from->body, request.body_len = from->len;
    cpaas_text out, state = {NULL, 0}, lease = {NULL, 0};
    cpaas_status status = cpaas_receiver_receive_request(with, &request, (uint64_t)time(NULL), &out);
    unsigned int response = status == CPAAS_CALLBACK_REJECTED || status == CPAAS_BAD_UTF8 ? 403 : 500;
    if (status != CPAAS_OK) { /* for the log only; the response does not contain the reason */
        fprintf(stderr, "%s %s\n", cpaas_status_name(status), out.data ? out.data : "");
    } else if (cpaas_json_get(out.data, out.len, "/state", &state) != CPAAS_OK ||
               cpaas_json_get(out.data, out.len, "/lease", &lease) != CPAAS_OK) {
        fprintf(stderr, "no memory\n");
    } else if (strcmp(state.data, "busy") == 0) { /* another request is processing the event */
        response = cpaas_json_get(out.data, out.len, "/retry_after", retry_after) == CPAAS_OK ? 503 : 500;
    } else if (strcmp(state.data, "done") == 0 || process(out.data)) {
        cpaas_receiver_done(with, lease.data, lease.len);
        response = 200;
    } else { /* the provider repeats the callback */
        cpaas_receiver_free_lease(with, lease.data, lease.len);
    }
    cpaas_text_free(&lease);
    cpaas_text_free(&state);
    cpaas_text_free(&out);
    return response;
}

static void append(call *to, const char *data, size_t len) {
    char *grown = to->len + len > MAX_BODY ? NULL : realloc(to->body, to->len + len);
    if (!grown) {
        to->too_large = 1;
        return;
    }
    memcpy(grown + to->len, data, len);
    to->body = grown;
    to->len += len;
}

static enum MHD_Result respond(void *context, struct MHD_Connection *connection, const char *path, const char *method,
                               const char *version, const char *data, size_t *len, void **state) {
    (void)context, (void)path, (void)version;
    call *current = *state;
    if (!current || !current->url) return MHD_NO;
    if (!current->seen++) return MHD_YES; /* the headers; the body follows */
    if (*len > 0) {
        append(current, data, *len);
        *len = 0;
        return MHD_YES;
    }
    const char *type = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "content-type");
    cpaas_text retry_after = {NULL, 0};
    unsigned int status = current->too_large ? 403 : receive(current, method, type, &retry_after);
    struct MHD_Response *empty = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    if (retry_after.data) MHD_add_response_header(empty, "Retry-After", retry_after.data);
    cpaas_text_free(&retry_after);
    enum MHD_Result queued = MHD_queue_response(connection, status, empty);
    MHD_destroy_response(empty);
    return queued;
}

int main(int argc, char **argv) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons((uint16_t)atoi(argc > 1 ? argv[1] : "8000"));
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGINT);
    sigprocmask(SIG_BLOCK, &stop, NULL);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, respond, NULL, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_URI_LOG_CALLBACK, begin, NULL, MHD_OPTION_NOTIFY_COMPLETED, end, NULL, MHD_OPTION_END);
    if (!daemon) return 1;
    int signal;
    sigwait(&stop, &signal);
    MHD_stop_daemon(daemon);
    return 0;
}
