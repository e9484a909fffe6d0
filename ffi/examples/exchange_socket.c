/* Sends one SMS over a blocking socket of the program, without TLS. Configuration: CPAAS_SMS_URL (http://) and CPAAS_SMS_KEY. */
#include <netdb.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "cpaas.h"

/* Sends a request once, and reports its response or its failure. With HTTP/1.0, the response ends with the connection. */
static cpaas_status send_once(cpaas_exchange *exchange, const cpaas_step *step) {
    static char data[1 << 20];
    char host[256] = "", port[6] = "80"; /* of a name or an IPv4 address */
    if (step->body_len > sizeof data / 2) return cpaas_exchange_fail(exchange, CPAAS_SENT_NO, "resources"); /* the head has the other half */
    sscanf(step->host, "%255[^:]:%5[0-9]", host, port);
    struct addrinfo *address, hints = {.ai_socktype = SOCK_STREAM};
    if (getaddrinfo(host, port, &hints, &address) != 0) return cpaas_exchange_fail(exchange, CPAAS_SENT_NO, "dns");
    struct timeval limit = {step->wait_ms / 1000, step->wait_ms % 1000 * 1000};
    time_t deadline = time(NULL) + limit.tv_sec;
    int server = socket(address->ai_family, SOCK_STREAM, 0);
    setsockopt(server, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    int connected = connect(server, address->ai_addr, address->ai_addrlen) == 0;
    freeaddrinfo(address);
    if (!connected) return close(server), cpaas_exchange_fail(exchange, CPAAS_SENT_NO, "connect"); /* proof: nothing was written */
    int len = snprintf(data, sizeof data, "%s %s HTTP/1.0\r\nhost: %s\r\ncontent-length: %zu\r\n", step->method, step->target, step->host, step->body_len);
    for (const char *const *line = step->headers; *line; line++) len += snprintf(data + len, sizeof data - (size_t)len, "%s\r\n", *line);
    len += snprintf(data + len, sizeof data - (size_t)len, "\r\n%s", step->body ? step->body : "");
    ssize_t got = send(server, data, (size_t)len, MSG_NOSIGNAL) == len ? 1 : -1;
    size_t have = 0;
    for (; got > 0 && have < sizeof data - 1; have += got > 0 ? (size_t)got : 0) {
        int in_time = poll(&(struct pollfd){server, POLLIN, 0}, 1, (int)step->wait_ms) == 1 && time(NULL) <= deadline;
        got = in_time ? read(server, data + have, sizeof data - 1 - have) : -1;
    }
    close(server);
    data[have] = '\0';
    const char *end = strstr(data, "\r\n\r\n");
    cpaas_response response = {.size = sizeof response, .flags = got == 0 ? 0 : CPAAS_RESPONSE_CUT, .headers = data};
    if (!end || sscanf(data, "HTTP/%*s %u", &response.http_status) != 1) return cpaas_exchange_fail(exchange, CPAAS_SENT_MAYBE, "reset");
    response.headers_len = (size_t)((response.body = end + 4) - data);
    response.body_len = have - response.headers_len;
    return cpaas_exchange_respond(exchange, &response);
}

int main(void) {
    const char *request = "{\"from\": \"Acme\", \"to\": \"306912345678\", \"text\": \"Your table is ready\"}";
    cpaas_client *client; cpaas_exchange *exchange = NULL; cpaas_text out;
    cpaas_status status = cpaas_client_new("{}", 2, &client, &out);
    if (status == CPAAS_OK) status = cpaas_exchange_new(client, "sms.send", request, strlen(request), NULL, &exchange, &out);
    for (cpaas_step step = {.size = sizeof step}; status == CPAAS_OK && (status = cpaas_exchange_step(exchange, &step)) == CPAAS_OK;) {
        if (step.kind == CPAAS_STEP_END) break;
        if (step.kind == CPAAS_STEP_SEND) status = send_once(exchange, &step);
        else poll(NULL, 0, (int)step.wait_ms);
    }
    if (status == CPAAS_OK) status = cpaas_exchange_end(exchange, &out);
    printf("%s %s\n", cpaas_status_name(status), out.data ? out.data : "");
    cpaas_exchange_free(exchange);
    cpaas_client_free(client);
    return cpaas_text_free(&out), status == CPAAS_OK ? 0 : 1;
}
