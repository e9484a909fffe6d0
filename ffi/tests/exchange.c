/* Exchanges: the program is the network, and the test is the provider. Runs with libcpaas, and with libcpaas-core, where it is compiled
 * with WITHOUT_HTTP. No sandbox, no socket. Usage: exchange [THOUSANDS]; with an argument it does not fork. */
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

#define SMS "{\"from\":\"Acme\",\"to\":\"306912345678\",\"text\":\"Hi \xc3\xa9\"}"
#define CONFIG "{\"sms_url\":\"http://sms.example:8080/v1\",\"sms_key\":\"key-7f3a\",\"otp_url\":\"https://otp.example\",\"account_sid\":\"AC1\"," \
               "\"api_key\":\"api-7f3a\",\"accept_repeated_ids\":true,\"timeout\":300,\"deadline\":900}" /* long, for memory checkers */
#define ACCEPTED "{\"id\":\"m-1\",\"responseCode\":0}"
#define LIMIT "{\"name\":\"n\",\"buckets\":[{\"name\":\"b\",\"max\":\"1\",\"interval\":\"1\"}],\"description\":\"d\"}"

static cpaas_client *client;
static const cpaas_call_options once = {.size = sizeof once, .max_attempts = 1};

static cpaas_exchange *begin_with(const char *operation, const char *request, const cpaas_call_options *options) {
    cpaas_exchange *exchange = NULL;
    cpaas_text out;
    cpaas_status status = cpaas_exchange_new(client, operation, request, strlen(request), options, &exchange, &out);
    if (status != CPAAS_OK) printf("%s %s\n", cpaas_status_name(status), out.data ? out.data : "");
    CHECK(status == CPAAS_OK && exchange && NONE);
    return exchange;
}

static cpaas_exchange *begin(void) { return begin_with("sms.send", SMS, &once); }

static cpaas_step next(cpaas_exchange *exchange) {
    cpaas_step step;
    memset(&step, 0x5a, sizeof step);
    step.size = sizeof step;
    CHECK(cpaas_exchange_step(exchange, &step) == CPAAS_OK);
    return step;
}

static uint32_t kind(cpaas_exchange *exchange) { return next(exchange).kind; }

/* Passes the waits until another step. */
static cpaas_step after_waits(cpaas_exchange *exchange) {
    cpaas_step step = next(exchange);
    for (int i = 0; i < 100 && step.kind == CPAAS_STEP_WAIT; i++) {
        usleep(step.wait_ms * 1000);
        step = next(exchange);
    }
    return step;
}

static cpaas_status respond_with(cpaas_exchange *exchange, uint32_t http_status, uint32_t flags, const char *headers, const char *body) {
    cpaas_response response = {.size = sizeof response, .http_status = http_status, .flags = flags};
    response.headers = headers, response.headers_len = headers ? strlen(headers) : 0;
    response.body = body, response.body_len = body ? strlen(body) : 0;
    return cpaas_exchange_respond(exchange, &response);
}

static cpaas_status respond(cpaas_exchange *exchange, uint32_t http_status, const char *body) {
    return respond_with(exchange, http_status, 0, "content-type: application/json\r\n", body);
}

/* The exchange has ended with this status, and with this value at a pointer of its output. Frees it. */
static void ends(cpaas_exchange *exchange, cpaas_status expected, const char *pointer, const char *value) {
    cpaas_text out, again;
    CHECK(kind(exchange) == CPAAS_STEP_END);
    cpaas_status status = cpaas_exchange_end(exchange, &out);
    if (status != expected || !out.data || (pointer && !json_is(out.data, pointer, value)))
        printf("%s %s, expected %s\n", cpaas_status_name(status), out.data ? out.data : "", cpaas_status_name(expected));
    CHECK(status == expected && out.data && (!pointer || json_is(out.data, pointer, value)));
    CHECK(cpaas_exchange_end(exchange, &again) == expected && again.data && strcmp(again.data, out.data) == 0);
    CHECK(out.data && !strstr(out.data, "-7f3a") && !strstr(out.data, "ca_bundle")); /* keys, and a setting of connections of the library */
    cpaas_text_free(&out);
    cpaas_text_free(&again);
    cpaas_exchange_free(exchange);
    CHECK(cpaas_exchange_step(exchange, &(cpaas_step){.size = sizeof(cpaas_step)}) == CPAAS_BAD_HANDLE);
    cpaas_exchange_free(exchange);
}

static int has_header(const cpaas_step *step, const char *line) {
    for (const char *const *found = step->headers; *found; found++) {
        if (strcmp(*found, line) == 0) return 1;
    }
    return 0;
}

static int is_empty(const cpaas_step *step) {
    return !step->method && !step->url && !step->host && !step->target && !step->headers && !step->body && step->body_len == 0
        && step->new_connection == 0;
}

static void accepted(void) {
    cpaas_exchange *exchange = begin_with("sms.send", SMS, NULL);
    cpaas_step step = next(exchange);
    CHECK(step.kind == CPAAS_STEP_SEND && step.wait_ms > 200000 && step.wait_ms <= 300000 && step.size == sizeof step);
    CHECK(strcmp(step.method, "POST") == 0 && strcmp(step.url, "http://sms.example:8080/v1/sms") == 0);
    CHECK(strcmp(step.host, "sms.example:8080") == 0 && strcmp(step.target, "/v1/sms") == 0);
    CHECK(has_header(&step, "content-type: application/json") && strstr(step.body, "\"text\":\"Hi \xc3\xa9\""));
    CHECK(step.new_connection == 0);
    CHECK(strlen(step.body) == step.body_len && json_is(step.body, "/to", "306912345678"));
    cpaas_step second = next(exchange); /* the request is returned once */
    CHECK(second.kind == CPAAS_STEP_RECEIVE && is_empty(&second) && second.wait_ms <= step.wait_ms && second.wait_ms > 100000);
    CHECK(respond(exchange, 200, ACCEPTED) == CPAAS_OK);
    CHECK(respond(exchange, 200, "{\"id\":\"m-2\",\"responseCode\":0}") == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_exchange_fail(exchange, CPAAS_SENT_NO, "connect") == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_exchange_cancel(exchange, CPAAS_SENT_NO) == CPAAS_OK);
    cpaas_step last = next(exchange);
    CHECK(last.kind == CPAAS_STEP_END && is_empty(&last) && last.wait_ms == 0);
    CHECK(strcmp(step.host, "sms.example:8080") == 0 && step.body[step.body_len] == '\0'); /* valid until it is freed */
    ends(exchange, CPAAS_OK, "/id", "m-1");
}

static void other_requests(void) {
    cpaas_exchange *verifying = begin_with("otp.verify", "{\"service\":\"login\",\"requestId\":\"OTP1\",\"code\":\"123456\"}", &once);
    cpaas_step own = next(verifying);
    CHECK(own.kind == CPAAS_STEP_SEND && own.new_connection == 1);
    cpaas_exchange_free(verifying);
    cpaas_exchange *exchange = begin_with("otp.get", "{\"sid\":\"OTP1\"}", &once);
    cpaas_step step = next(exchange);
    CHECK(step.kind == CPAAS_STEP_SEND && strcmp(step.method, "GET") == 0 && !step.body && step.body_len == 0);
    CHECK(strcmp(step.host, "otp.example") == 0 && strncmp(step.target, "/2fa/", 5) == 0);
    CHECK(respond(exchange, 403, NULL) == CPAAS_OK);
    ends(exchange, CPAAS_REJECTED, "/status", "403");
    exchange = begin_with("raw", "{\"method\":\"POST\",\"family\":\"sms\",\"path\":\"/x\",\"query\":{\"a\":\"b c\"}}", &once);
    step = next(exchange);
    CHECK(strcmp(step.target, "/v1/x?a=b%20c") == 0 || strcmp(step.target, "/v1/x?a=b+c") == 0);
    CHECK(step.body && step.body_len == 0); /* a POST without content has the length 0 */
    CHECK(respond(exchange, 200, "{}") == CPAAS_OK);
    ends(exchange, CPAAS_OK, "/status", "200");
    const char *headers[] = {"x-run", "7", NULL};
    cpaas_call_options options = once;
    options.headers = headers;
    exchange = begin_with("sms.send", SMS, &options);
    step = next(exchange);
    CHECK(has_header(&step, "x-run: 7"));
    cpaas_exchange_free(exchange);
    ends(begin_with("sms.send", "{}", NULL), CPAAS_INVALID, "/outcome", "invalid");
    ends(begin_with("sms.send", "[", NULL), CPAAS_INVALID, "/outcome", "invalid");
}

static void failures(void) {
    static const struct { uint32_t sent; const char *reason, *shown; cpaas_status status; } cases[] = {
        {CPAAS_SENT_NO, "dns", "dns", CPAAS_NOT_SENT}, {CPAAS_SENT_NO, "connect", "connect", CPAAS_NOT_SENT},
        {CPAAS_SENT_NO, "tls", "tls", CPAAS_NOT_SENT}, {CPAAS_SENT_NO, "certificate", "tls", CPAAS_NOT_SENT},
        {CPAAS_SENT_NO, "proxy", "proxy", CPAAS_NOT_SENT}, {CPAAS_SENT_NO, "timeout", "timeout", CPAAS_NOT_SENT},
        {CPAAS_SENT_NO, "reset", "reset", CPAAS_NOT_SENT}, {CPAAS_SENT_NO, "resources", "resources", CPAAS_NOT_SENT},
        {CPAAS_SENT_MAYBE, "reset", "reset", CPAAS_UNKNOWN}, {CPAAS_SENT_MAYBE, "timeout", "timeout", CPAAS_UNKNOWN},
        {CPAAS_SENT_MAYBE, "decode", "decode", CPAAS_UNKNOWN}, {CPAAS_SENT_MAYBE, "certificate", "tls", CPAAS_UNKNOWN},
        {CPAAS_SENT_MAYBE, "dns", "dns", CPAAS_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cpaas_exchange *exchange = begin();
        CHECK(kind(exchange) == CPAAS_STEP_SEND);
        CHECK(cpaas_exchange_fail(exchange, cases[i].sent, cases[i].reason) == CPAAS_OK);
        ends(exchange, cases[i].status, "/reason", cases[i].shown);
    }
    cpaas_exchange *exchange = begin_with("sms.send", SMS, NULL); /* a send is not repeated without proof */
    CHECK(kind(exchange) == CPAAS_STEP_SEND && cpaas_exchange_fail(exchange, CPAAS_SENT_MAYBE, "reset") == CPAAS_OK);
    ends(exchange, CPAAS_UNKNOWN, "/attempts", "1");
    exchange = begin_with("sms.send", SMS, NULL);
    CHECK(kind(exchange) == CPAAS_STEP_SEND && cpaas_exchange_fail(exchange, CPAAS_SENT_NO, "certificate") == CPAAS_OK);
    ends(exchange, CPAAS_NOT_SENT, "/attempts", "1");
}

/* With proof, the same request is tried again after a wait, in which no report fits. */
static void attempts(void) {
    cpaas_exchange *exchange = begin_with("sms.send", SMS, NULL);
    cpaas_step first = next(exchange), wait, second;
    CHECK(first.kind == CPAAS_STEP_SEND && cpaas_exchange_fail(exchange, CPAAS_SENT_NO, "connect") == CPAAS_OK);
    wait = next(exchange);
    CHECK(wait.kind == CPAAS_STEP_WAIT && wait.wait_ms > 0 && wait.wait_ms <= 5000 && is_empty(&wait));
    CHECK(respond(exchange, 200, ACCEPTED) == CPAAS_BAD_ARGUMENT && cpaas_exchange_fail(exchange, CPAAS_SENT_NO, "dns") == CPAAS_BAD_ARGUMENT);
    CHECK(next(exchange).wait_ms <= wait.wait_ms);
    BAD_CALL(cpaas_exchange_end(exchange, &out), CPAAS_BAD_ARGUMENT);
    second = after_waits(exchange);
    CHECK(second.kind == CPAAS_STEP_SEND && second.body != first.body && strcmp(second.body, first.body) == 0);
    CHECK(respond(exchange, 200, ACCEPTED) == CPAAS_OK);
    ends(exchange, CPAAS_OK, "/id", "m-1");
}

static void passed_times(void) {
    cpaas_call_options quick = {.size = sizeof quick, .max_attempts = 1, .timeout_ms = 500};
    cpaas_exchange *exchange = begin_with("sms.send", SMS, &quick);
    cpaas_step step = next(exchange);
    CHECK(step.kind == CPAAS_STEP_SEND && step.wait_ms > 0 && step.wait_ms <= 500);
    usleep((step.wait_ms + 1) * 1000);
    CHECK(kind(exchange) == CPAAS_STEP_END);
    CHECK(respond(exchange, 200, ACCEPTED) == CPAAS_BAD_ARGUMENT); /* the response is too late */
    ends(exchange, CPAAS_UNKNOWN, "/reason", "timeout");
    exchange = begin_with("sms.send", SMS, &quick); /* the time passes before the program asks for the request */
    usleep(520000);
    ends(exchange, CPAAS_NOT_SENT, "/sent", "no");
    exchange = begin_with("sms.send", SMS, &quick); /* a report after the time, but before the next step */
    CHECK(kind(exchange) == CPAAS_STEP_SEND);
    usleep(520000);
    CHECK(respond(exchange, 200, ACCEPTED) == CPAAS_OK);
    ends(exchange, CPAAS_OK, "/id", "m-1");
    cpaas_call_options deadline = {.size = sizeof deadline, .deadline_ms = 500};
    exchange = begin_with("sms.send", SMS, &deadline);
    step = next(exchange);
    CHECK(step.kind == CPAAS_STEP_SEND && step.wait_ms <= 500);
    usleep((step.wait_ms + 1) * 1000);
    ends(exchange, CPAAS_UNKNOWN, "/reason", "deadline");
}

static void cancelled(void) {
    cpaas_exchange *exchange = begin();
    CHECK(cpaas_exchange_cancel(exchange, CPAAS_SENT_MAYBE) == CPAAS_OK); /* the program has not received the request */
    ends(exchange, CPAAS_NOT_SENT, "/reason", "cancelled");
    exchange = begin();
    CHECK(kind(exchange) == CPAAS_STEP_SEND && cpaas_exchange_cancel(exchange, CPAAS_SENT_NO) == CPAAS_OK);
    CHECK(respond(exchange, 200, ACCEPTED) == CPAAS_BAD_ARGUMENT);
    ends(exchange, CPAAS_NOT_SENT, "/sent", "no");
    exchange = begin();
    CHECK(kind(exchange) == CPAAS_STEP_SEND && cpaas_exchange_cancel(exchange, CPAAS_SENT_MAYBE) == CPAAS_OK);
    CHECK(cpaas_exchange_cancel(exchange, CPAAS_SENT_NO) == CPAAS_OK); /* no effect */
    ends(exchange, CPAAS_UNKNOWN, "/sent", "maybe");
    exchange = begin_with("sms.send", SMS, NULL);
    CHECK(kind(exchange) == CPAAS_STEP_SEND && cpaas_exchange_fail(exchange, CPAAS_SENT_NO, "connect") == CPAAS_OK);
    CHECK(kind(exchange) == CPAAS_STEP_WAIT && cpaas_exchange_cancel(exchange, CPAAS_SENT_MAYBE) == CPAAS_OK);
    ends(exchange, CPAAS_NOT_SENT, "/sent", "no");
}

static void responses(void) {
    cpaas_exchange *exchange = begin();
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond(exchange, 200, "{\"responseCode\":904}") == CPAAS_OK);
    ends(exchange, CPAAS_REJECTED, "/code", "904");
    exchange = begin();
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond(exchange, 503, "") == CPAAS_OK);
    ends(exchange, CPAAS_UNKNOWN, "/status", "503");
    exchange = begin();
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond_with(exchange, 200, CPAAS_RESPONSE_EARLY, NULL, ACCEPTED) == CPAAS_OK);
    ends(exchange, CPAAS_UNKNOWN, "/sent", "maybe");
    exchange = begin();
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond_with(exchange, 200, CPAAS_RESPONSE_CUT, NULL, "") == CPAAS_OK);
    ends(exchange, CPAAS_UNKNOWN, "/reason", "reset");
    exchange = begin(); /* a rejection is one even if its body is cut */
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond_with(exchange, 200, CPAAS_RESPONSE_CUT, NULL, "{\"responseCode\":904,\"respo") == CPAAS_OK);
    ends(exchange, CPAAS_REJECTED, "/code", "904");
    exchange = begin(); /* but not of an early response */
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond_with(exchange, 200, 3, NULL, "{\"responseCode\":904,\"respo") == CPAAS_OK);
    ends(exchange, CPAAS_UNKNOWN, "/reason", "reset");
    const char *crowded = "{\"code\":429,\"message\":\"Too many\",\"requestID\":null}";
    const char *lines = "HTTP/1.1 100 Continue\r\nretry-after: 9\r\n\r\nHTTP/1.1 429 Too Many Requests\r\nno colon\r\n: \r\nX-Bytes: \xff\xfe\r\nRETRY-AFTER:  7 \r\n\r\n";
    exchange = begin_with("otp.send", "{\"service\":\"s\",\"from\":\"Acme\",\"to\":\"306912345678\",\"body\":\"{code}\"}", &once);
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond_with(exchange, 429, 0, lines, crowded) == CPAAS_OK);
    ends(exchange, CPAAS_REJECTED, "/retry_after_ms", "7000");
    exchange = begin_with("otp.verify", "{\"service\":\"s\",\"requestId\":\"OTP1\",\"code\":\"12\"}", &once);
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond(exchange, 200, "{\"code\":400,\"message\":\"Invalid\",\"requestID\":\"OTP1\"}") == CPAAS_OK);
    ends(exchange, CPAAS_NOT_VERIFIED, "/code", "400");
    static const struct { uint32_t http_status; const char *body; cpaas_status expected; } verifications[] = {
        {200, "{\"code\":200,\"message\":\"OK\",\"requestID\":\"OTP1\"}", CPAAS_OK},
        {202, "{\"code\":200,\"message\":\"OK\",\"requestID\":\"OTP1\"}", CPAAS_UNKNOWN},
        {429, "{\"code\":200,\"message\":\"OK\",\"requestID\":\"OTP1\"}", CPAAS_UNKNOWN},
        {503, "{\"code\":200,\"message\":\"OK\",\"requestID\":\"OTP1\"}", CPAAS_UNKNOWN},
        {200, "{\"code\":200,\"message\":\"Invalid\",\"requestID\":\"OTP1\"}", CPAAS_UNKNOWN},
        {200, "{\"code\":200,\"message\":\"OK\",\"requestID\":\"OTP1\",\"valid\":false}", CPAAS_UNKNOWN},
        {200, "{\"code\":200,\"message\":\"OK\",\"requestID\":\"OTP1\",\"status\":\"invalid\"}", CPAAS_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof verifications / sizeof *verifications; i++) {
        exchange = begin_with("otp.verify", "{\"service\":\"s\",\"requestId\":\"OTP1\",\"code\":\"12\"}", &once);
        CHECK(kind(exchange) == CPAAS_STEP_SEND && respond(exchange, verifications[i].http_status, verifications[i].body) == CPAAS_OK);
        if (kind(exchange) == CPAAS_STEP_SEND) CHECK(respond(exchange, 404, "") == CPAAS_OK); /* the record of the passcode */
        ends(exchange, verifications[i].expected, NULL, NULL);
    }
    exchange = begin_with("sms.send", SMS, NULL); /* an early rate limit may belong to another request */
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond_with(exchange, 429, CPAAS_RESPONSE_EARLY, NULL, "{\"responseCode\":906,\"responseText\":\"slow\"}") == CPAAS_OK);
    ends(exchange, CPAAS_UNKNOWN, "/attempts", "1");
}

/* A body of 10 MB is larger than max_response_bytes. */
static void large_responses(void) {
    size_t len = 10000000;
    char *body = malloc(len + 1);
    memset(body, ' ', len);
    memcpy(body, "{\"id\":\"m-1\"", 11);
    memcpy(body + len - 20, ",\"responseCode\":0}  ", 21);
    cpaas_exchange *exchange = begin();
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond(exchange, 200, body) == CPAAS_OK);
    ends(exchange, CPAAS_UNKNOWN, "/reason", "too_large");
    body[8 << 20] = '\0'; /* as large as the limit: whole, and not JSON */
    exchange = begin();
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond(exchange, 200, body) == CPAAS_OK);
    ends(exchange, CPAAS_UNKNOWN, "/reason", "decode");
    free(body);
    cpaas_client *outer = client;
    client = client_of("{\"sms_url\":\"http://sms.example\",\"sms_key\":\"key-7f3a\",\"max_response_bytes\":29}");
    exchange = begin();
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond(exchange, 200, ACCEPTED) == CPAAS_OK && strlen(ACCEPTED) == 29);
    ends(exchange, CPAAS_OK, "/id", "m-1");
    exchange = begin();
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond(exchange, 200, "{\"id\":\"m-2\",\"responseCode\":0} ") == CPAAS_OK);
    ends(exchange, CPAAS_ACCEPTED_ID_UNKNOWN, "/reason", "too_large"); /* the beginning shows that it was accepted */
    cpaas_client_free(client);
    client = outer;
    cpaas_text out;
    const char *none = "{\"max_response_bytes\":0}";
    CHECK(cpaas_client_new(none, strlen(none), &outer, &out) == CPAAS_INVALID && !outer);
    cpaas_text_free(&out);
}

static void bad_input(void) {
    cpaas_exchange *exchange = (cpaas_exchange *)1, *invalid[] = {(cpaas_exchange *)1, (cpaas_exchange *)(16 * 100000), (cpaas_exchange *)4097, (cpaas_exchange *)UINTPTR_MAX};
    BAD_NAMED(cpaas_exchange_new(NULL, "sms.send", SMS, strlen(SMS), NULL, &exchange, &out), CPAAS_BAD_ARGUMENT, "client");
    CHECK(exchange == NULL);
    BAD_NAMED(cpaas_exchange_new((cpaas_client *)(16 * 100000), "sms.send", SMS, strlen(SMS), NULL, &exchange, &out), CPAAS_BAD_HANDLE, "client");
    BAD_NAMED(cpaas_exchange_new(client, "sms", SMS, strlen(SMS), NULL, &exchange, &out), CPAAS_BAD_NAME, "operation");
    BAD_NAMED(cpaas_exchange_new(client, NULL, SMS, strlen(SMS), NULL, &exchange, &out), CPAAS_BAD_ARGUMENT, "operation");
    BAD_NAMED(cpaas_exchange_new(client, "sms.send", NULL, 4, NULL, &exchange, &out), CPAAS_BAD_ARGUMENT, "request");
    BAD_NAMED(cpaas_exchange_new(client, "sms.send", INVALID_UTF8, 2, NULL, &exchange, &out), CPAAS_BAD_UTF8, "request");
    BAD_NAMED(cpaas_exchange_new(client, "sms.send", SMS, strlen(SMS), NULL, NULL, &out), CPAAS_BAD_ARGUMENT, "exchange");
    BAD_NAMED(cpaas_exchange_new(client, "sms.send", SMS, strlen(SMS), &(cpaas_call_options){.size = 7}, &exchange, &out), CPAAS_BAD_ARGUMENT, "options");
    CHECK(cpaas_exchange_new(client, "sms.send", SMS, strlen(SMS), NULL, &exchange, NULL) == CPAAS_BAD_ARGUMENT && exchange == NULL);
    for (size_t i = 0; i < 5; i++) {
        cpaas_exchange *handle = i < 4 ? invalid[i] : NULL;
        cpaas_status expected = i < 4 ? CPAAS_BAD_HANDLE : CPAAS_BAD_ARGUMENT;
        cpaas_step step = {.size = sizeof step, .kind = 7, .wait_ms = 7, .url = "x"};
        CHECK(cpaas_exchange_step(handle, &step) == expected && step.kind == 0 && step.wait_ms == 0 && is_empty(&step));
        CHECK(respond(handle, 200, ACCEPTED) == expected && cpaas_exchange_fail(handle, CPAAS_SENT_NO, "dns") == expected);
        CHECK(cpaas_exchange_cancel(handle, CPAAS_SENT_NO) == expected);
        BAD_NAMED(cpaas_exchange_end(handle, &out), expected, "exchange");
        cpaas_exchange_free(handle);
    }
    exchange = begin();
    CHECK(respond(exchange, 200, ACCEPTED) == CPAAS_BAD_ARGUMENT); /* before the program has the request */
    CHECK(cpaas_exchange_step(exchange, NULL) == CPAAS_BAD_ARGUMENT);
    for (size_t i = 0; i < 4; i++) {
        static const size_t sizes[] = {0, 8, sizeof(cpaas_step) - 1, SIZE_MAX};
        cpaas_step step = {.size = sizes[i], .kind = 7};
        CHECK(cpaas_exchange_step(exchange, &step) == CPAAS_BAD_ARGUMENT && step.kind == 7); /* an invalid struct is not written */
        cpaas_response response = {.size = i == 2 ? sizeof response - 1 : sizes[i], .http_status = 200};
        CHECK(cpaas_exchange_respond(exchange, &response) == CPAAS_BAD_ARGUMENT);
    }
    struct { cpaas_step step; uint64_t later; } larger = {{.size = sizeof larger}, 7}; /* of a later header */
    CHECK(cpaas_exchange_step(exchange, &larger.step) == CPAAS_OK && larger.step.kind == CPAAS_STEP_SEND && larger.later == 7);
    static const uint32_t statuses[] = {0, 99, 1000, 99999, UINT32_MAX};
    for (size_t i = 0; i < 5; i++) CHECK(respond(exchange, statuses[i], ACCEPTED) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_exchange_respond(exchange, NULL) == CPAAS_BAD_ARGUMENT);
    CHECK(respond_with(exchange, 200, 4, NULL, ACCEPTED) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_exchange_respond(exchange, &(cpaas_response){.size = sizeof(cpaas_response), .http_status = 200, .body_len = 4}) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_exchange_respond(exchange, &(cpaas_response){.size = sizeof(cpaas_response), .http_status = 200, .headers_len = 4}) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_exchange_respond(exchange, &(cpaas_response){.size = sizeof(cpaas_response), .http_status = 200, .body = "x", .body_len = SIZE_MAX}) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_exchange_fail(exchange, 0, "dns") == CPAAS_BAD_ARGUMENT && cpaas_exchange_fail(exchange, 3, "dns") == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_exchange_fail(exchange, CPAAS_SENT_NO, NULL) == CPAAS_BAD_ARGUMENT && cpaas_exchange_fail(exchange, CPAAS_SENT_NO, INVALID_UTF8) == CPAAS_BAD_UTF8);
    CHECK(cpaas_exchange_fail(exchange, CPAAS_SENT_NO, "decode") == CPAAS_BAD_ARGUMENT);
    static const char *const reasons[] = {"", "DNS", "validation", "config", "cancelled", "http", "mismatch", "other", "not_verified", "runtime", "deadline", "too_large"};
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) CHECK(cpaas_exchange_fail(exchange, CPAAS_SENT_MAYBE, reasons[i]) == CPAAS_BAD_NAME);
    CHECK(cpaas_exchange_cancel(exchange, 0) == CPAAS_BAD_ARGUMENT && cpaas_exchange_cancel(exchange, 3) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_exchange_end(exchange, NULL) == CPAAS_BAD_ARGUMENT);
    CHECK(kind(exchange) == CPAAS_STEP_RECEIVE && respond(exchange, 200, ACCEPTED) == CPAAS_OK); /* none of them changed the exchange */
    ends(exchange, CPAAS_OK, "/id", "m-1");
}

/* After a lost response, the program reads the provider's records too: they show the object of a create, and prove a cancellation. */
static void records(void) {
    cpaas_exchange *exchange = begin_with("otp.limits.create", LIMIT, &once);
    cpaas_step step = next(exchange);
    CHECK(step.kind == CPAAS_STEP_SEND && strcmp(step.method, "POST") == 0 && cpaas_exchange_fail(exchange, CPAAS_SENT_MAYBE, "reset") == CPAAS_OK);
    step = after_waits(exchange);
    CHECK(step.kind == CPAAS_STEP_SEND && strcmp(step.method, "GET") == 0 && strstr(step.target, "/2fa/limits"));
    CHECK(respond(exchange, 200, "{\"code\":200,\"message\":\"OK\",\"data\":{\"result\":[{\"sid\":\"LM1\",\"name\":\"n\",\"buckets\":\"[{\\\"name\\\":\\\"b\\\",\\\"max\\\":"
                                 "\\\"1\\\",\\\"interval\\\":\\\"1\\\"}]\",\"description\":\"d\"}],\"pageSize\":50,\"total\":1,\"page\":0,\"numPages\":1}}") == CPAAS_OK);
    ends(exchange, CPAAS_UNKNOWN, "/evidence", "the provider's records contain a record with this name and the same content: LM1");
    exchange = begin_with("otp.cancel", "{\"requestId\":\"OTP1\"}", &once);
    CHECK(kind(exchange) == CPAAS_STEP_SEND && cpaas_exchange_fail(exchange, CPAAS_SENT_MAYBE, "reset") == CPAAS_OK);
    step = after_waits(exchange);
    CHECK(step.kind == CPAAS_STEP_SEND && strcmp(step.target, "/2fa/search/OTP1") == 0);
    CHECK(respond(exchange, 200, "{\"sid\":\"OTP1\",\"status\":\"cancelled\"}") == CPAAS_OK);
    ends(exchange, CPAAS_OK, "/requestID", "OTP1");
}

/* A client that is freed does not end its exchanges. */
static void freed_client(void) {
    cpaas_client *outer = client;
    client = client_of(CONFIG);
    cpaas_exchange *exchange = begin();
    cpaas_client_free(client);
    client = outer;
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond(exchange, 200, ACCEPTED) == CPAAS_OK);
    ends(exchange, CPAAS_OK, "/id", "m-1");
}

static pthread_t asked_on;
static cpaas_exchange *of_store;

static int32_t is_suppressed(void *user_data, const char *number, size_t len) {
    cpaas_step step = {.size = sizeof step};
    asked_on = pthread_self();
    CHECK(cpaas_exchange_step(of_store, &step) == CPAAS_BAD_ARGUMENT);
    return len == 12 && strcmp(number, user_data) == 0;
}

/* The stores of the client are consulted on the calling thread. */
static void stores(void) {
    char stopped[] = "306912345678";
    of_store = begin();
    CHECK(cpaas_client_suppression(client, is_suppressed, stopped) == CPAAS_OK);
    ends(begin(), CPAAS_INVALID, "/problems/0/code", "suppressed");
    CHECK(pthread_equal(asked_on, pthread_self()));
    stopped[11] = '9';
    cpaas_exchange *exchange = begin();
    CHECK(kind(exchange) == CPAAS_STEP_SEND);
    cpaas_exchange_free(exchange);
    CHECK(cpaas_client_suppression(client, NULL, NULL) == CPAAS_OK);
    cpaas_exchange_free(of_store);
    cpaas_client *outer = client;
    cpaas_text out;
    client = client_of(CONFIG);
    const char *guard = "{\"recipient_limits\":[[1,60]]}", *otp = "{\"service\":\"s\",\"from\":\"Acme\",\"to\":\"306912345678\",\"body\":\"{code}\"}";
    CHECK(cpaas_client_guard(client, guard, strlen(guard), &out) == CPAAS_OK);
    cpaas_text_free(&out);
    exchange = begin_with("otp.send", otp, &once);
    CHECK(kind(exchange) == CPAAS_STEP_SEND && respond(exchange, 200, "{\"code\":200,\"message\":\"OK\",\"requestID\":\"OTP1\"}") == CPAAS_OK);
    ends(exchange, CPAAS_OK, "/requestID", "OTP1");
    ends(begin_with("otp.send", otp, &once), CPAAS_INVALID, "/outcome", "invalid");
    cpaas_client_free(client);
    client = outer;
}

static atomic_int ended_steps, given_requests;
static int rounds_of_thread = 3000;

static void *hammer(void *exchange) {
    for (int i = 0; i < rounds_of_thread; i++) {
        cpaas_step step = {.size = sizeof step};
        cpaas_status status = cpaas_exchange_step(exchange, &step);
        if (status != CPAAS_OK && status != CPAAS_BAD_ARGUMENT) CHECK(!"another status for two threads");
        if (status == CPAAS_OK && step.kind == CPAAS_STEP_SEND) atomic_fetch_add(&given_requests, 1);
        if (status == CPAAS_OK && step.kind == CPAAS_STEP_END) atomic_fetch_add(&ended_steps, 1);
        if (i > rounds_of_thread / 3 && respond(exchange, 200, ACCEPTED) == CPAAS_PANIC) CHECK(!"an internal error");
    }
    return NULL;
}

/* Threads that use an exchange at a time get a status, and one of them gets its request. */
static void two_threads(void) {
    pthread_t threads[4];
    cpaas_exchange *exchange = begin();
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, hammer, exchange) == 0);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    CHECK(atomic_load(&given_requests) == 1 && atomic_load(&ended_steps) > 0);
    ends(exchange, CPAAS_OK, "/id", "m-1");
}

#ifndef WITHOUT_HTTP
static cpaas_exchange *of_log;
static pthread_t other;
static atomic_int refused;

static void *responds(void *exchange) {
    atomic_store(&refused, respond(exchange, 200, ACCEPTED) == CPAAS_BAD_ARGUMENT && cpaas_exchange_cancel(exchange, CPAAS_SENT_NO) == CPAAS_BAD_ARGUMENT);
    return NULL;
}

static char logged[4096];

/* Runs inside a report: another thread cannot use the exchange meanwhile. */
static void log_line(void *user_data, uint32_t level, const char *text, size_t len) {
    (void)user_data, (void)level;
    if (strlen(logged) + len + 2 < sizeof logged) strcat(strcat(logged, text), "\n");
    if (!of_log) return;
    BAD_CALL(cpaas_exchange_end(of_log, &out), CPAAS_BAD_ARGUMENT);
    CHECK(pthread_create(&other, NULL, responds, of_log) == 0 && pthread_join(other, NULL) == 0);
}

static void logs(void) {
    CHECK(cpaas_client_log(client, log_line, NULL, CPAAS_LOG_DEBUG) == CPAAS_OK);
    of_log = begin();
    CHECK(kind(of_log) == CPAAS_STEP_SEND && respond(of_log, 200, ACCEPTED) == CPAAS_OK);
    CHECK(atomic_load(&refused) == 1 && strstr(logged, "call ended") && strstr(logged, "operation=sms.send") && strstr(logged, "ending=accepted"));
    CHECK(!strstr(logged, "-7f3a") && !strstr(logged, "30691"));
    cpaas_exchange *exchange = of_log;
    of_log = NULL;
    ends(exchange, CPAAS_OK, "/id", "m-1");
    logged[0] = '\0';
    exchange = begin();
    CHECK(kind(exchange) == CPAAS_STEP_SEND);
    cpaas_exchange_free(exchange);
    CHECK(strstr(logged, "abandoned") && strstr(logged, "sent=maybe"));
    logged[0] = '\0';
    cpaas_exchange_free(begin()); /* the program never received its request */
    CHECK(strstr(logged, "abandoned") && strstr(logged, "sent=no"));
    CHECK(cpaas_client_log(client, NULL, NULL, 0) == CPAAS_OK);
}
#endif

/* The child of a fork cannot use the exchanges of its parent; its own ones work, and so does that of the parent afterwards. */
static void forks(void) {
    cpaas_exchange *exchange = begin();
    CHECK(kind(exchange) == CPAAS_STEP_SEND);
    pid_t pid = fork();
    if (pid == 0) {
        alarm(60);
        cpaas_step step = {.size = sizeof step};
        int ok = cpaas_exchange_step(exchange, &step) == CPAAS_BAD_HANDLE && respond(exchange, 200, ACCEPTED) == CPAAS_BAD_HANDLE;
        cpaas_exchange_free(exchange);
        cpaas_exchange *own = begin();
        ok &= kind(own) == CPAAS_STEP_SEND && respond(own, 200, ACCEPTED) == CPAAS_OK;
        ends(own, CPAAS_OK, "/id", "m-1");
        _exit(ok && checks_failed == 0 ? 0 : 1);
    }
    int status = -1;
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(respond(exchange, 200, ACCEPTED) == CPAAS_OK);
    ends(exchange, CPAAS_OK, "/id", "m-1");
}

static int entries(const char *folder) {
    DIR *opened = opendir(folder);
    int count = 0;
    while (readdir(opened)) count++;
    closedir(opened);
    return count;
}

/* Exchanges need neither a thread nor a descriptor: 10,000 of them, 1,000 at a time. */
static void thousands(int rounds) {
    static cpaas_exchange *open[1000];
    int threads = entries("/proc/self/task"), descriptors = entries("/proc/self/fd"), good = 0;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 1000; i++) {
            open[i] = begin();
            good += kind(open[i]) == CPAAS_STEP_SEND;
        }
        CHECK(entries("/proc/self/task") == threads && entries("/proc/self/fd") == descriptors);
        for (int i = 0; i < 1000; i++) {
            cpaas_text out = {NULL, 0};
            if (i % 3 < 2) good += (i % 3 ? respond(open[i], 200, ACCEPTED) : cpaas_exchange_fail(open[i], CPAAS_SENT_NO, "dns")) == CPAAS_OK;
            if (i % 3 < 2) good += kind(open[i]) == CPAAS_STEP_END && cpaas_exchange_end(open[i], &out) == (i % 3 ? CPAAS_OK : CPAAS_NOT_SENT);
            cpaas_text_free(&out);
            cpaas_exchange_free(open[i]);
        }
    }
    CHECK(good == rounds * (1000 + 2 * 667));
    CHECK(entries("/proc/self/task") == threads && entries("/proc/self/fd") == descriptors);
    printf("%d exchanges: %d threads and %d descriptors before, at the same time and after\n", rounds * 1000, threads - 2, descriptors - 3);
}

int main(int argc, char **argv) {
#ifdef WITHOUT_HTTP
    CHECK(entries("/proc/self/task") == 3); /* with `.` and `..` */
#endif
    if (argc > 1) rounds_of_thread = 300;
    client = client_of(CONFIG);
    accepted();
    other_requests();
    failures();
    attempts();
    passed_times();
    cancelled();
    responses();
    large_responses();
    bad_input();
    records();
    freed_client();
    stores();
    two_threads();
#ifndef WITHOUT_HTTP
    logs();
#endif
    if (argc == 1) forks(); /* the child keeps what its parent shares with it, which memory checkers report */
    thousands(argc > 1 ? atoi(argv[1]) : 10);
#ifdef WITHOUT_HTTP
    CHECK(entries("/proc/self/task") == 3);
#endif
    cpaas_client_free(client);
    cpaas_client_free(client);
    return checks_end();
}
