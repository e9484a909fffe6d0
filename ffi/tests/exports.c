/* Calls the functions of the header, except those of typed_calls.c, receivers.c and polled_results.c, with valid and
 * invalid arguments. Needs CPAAS_SMS_URL and CPAAS_SMS_KEY of a sandbox. */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "check.h"
#include "silent_server.h"

void check_text_exports(void); /* exports_text.c */

static cpaas_client *invalid_handles[] = {(cpaas_client *)1, (cpaas_client *)(16 * 100000), (cpaas_client *)4097, (cpaas_client *)UINTPTR_MAX};

static void operations_and_codes(void) {
    CHECK(strcmp(cpaas_version(), CPAAS_VERSION) == 0);
    CHECK(strcmp(cpaas_status_name(CPAAS_UNKNOWN), "CPAAS_UNKNOWN") == 0);
    CHECK(strcmp(cpaas_status_name(CPAAS_NO_THREAD), "CPAAS_NO_THREAD") == 0);
    CHECK(strcmp(cpaas_status_name(7), "CPAAS_?") == 0 && strcmp(cpaas_status_name(UINT32_MAX), "CPAAS_?") == 0);
    WITH_OUTPUT(cpaas_operations(&out), CPAAS_OK);
    cpaas_text table;
    CHECK(cpaas_operations(&table) == CPAAS_OK);
    CHECK(strstr(table.data, "\"id\":\"webhooks.messenger_b.set\",\"family\":\"messenger_b\",\"method\":\"POST\",\"path\":\"/"));
    cpaas_text_free(&table);
    CHECK(cpaas_operations(NULL) == CPAAS_BAD_ARGUMENT);
    cpaas_text words;
    CHECK(cpaas_provider_code("sms", 904, &words) == CPAAS_OK);
    CHECK(strstr(words.data, "\"meaning\":\"the sender is invalid or not allowed\"") != NULL);
    cpaas_text_free(&words);
    WITH_OUTPUT(cpaas_provider_code("report", 911, &out), CPAAS_OK);
    CHECK(cpaas_provider_code("sms", 1, &words) == CPAAS_NOT_FOUND && cpaas_provider_code("post", 904, &words) == CPAAS_NOT_FOUND);
    BAD_CALL(cpaas_provider_code(NULL, 904, &out), CPAAS_BAD_ARGUMENT);
    cpaas_text_free(NULL);
}

static void versions(void) {
    CHECK(cpaas_version_number() == CPAAS_VERSION_NUMBER);
    CHECK(CPAAS_VERSION_NUMBER == CPAAS_VERSION_MAJOR * 10000 + CPAAS_VERSION_MINOR * 100 + CPAAS_VERSION_PATCH);
    CHECK(cpaas_abi_version() == CPAAS_ABI_VERSION && CPAAS_ABI_VERSION == 1);
    CHECK(sizeof(cpaas_status) == 4);
    CHECK(cpaas_set_limits(NULL) == CPAAS_BAD_ARGUMENT); /* limits.c tests valid limits */
    CHECK(CPAAS_NOT_VERIFIED == 6 && strcmp(cpaas_status_name(CPAAS_NOT_VERIFIED), "CPAAS_NOT_VERIFIED") == 0);
}

/* A report of at most `limit` problems says how many more there are. */
static void limited_reports(void) {
    char list[4200] = "{\"destinations\":[1";
    cpaas_text whole, limited;
    while (strlen(list) < 4100) strcat(list, ",1");
    strcat(list, "]}");
    WITH_OUTPUT(cpaas_validate_limited("sms.send", SMS, strlen(SMS), 0, &out), CPAAS_OK);
    CHECK(cpaas_validate("sms.send", "{}", 2, &whole) == CPAAS_OK && cpaas_validate_limited("sms.send", "{}", 2, 3, &limited) == CPAAS_OK);
    CHECK(strcmp(whole.data, limited.data) == 0);
    cpaas_text_free(&whole);
    cpaas_text_free(&limited);
    CHECK(cpaas_validate_limited("sms.send", "{}", 2, 2, &limited) == CPAAS_OK && strstr(limited.data, "\"more\":1}") != NULL);
    cpaas_text_free(&limited);
    CHECK(cpaas_validate_limited("messages.send_bulk", list, strlen(list), 0, &limited) == CPAAS_OK);
    CHECK(strcmp(limited.data, "{\"ok\":false,\"errors\":[],\"warnings\":[],\"more\":2042}") == 0);
    cpaas_text_free(&limited);
    BAD_CALL(cpaas_validate_limited("sms.sent", SMS, strlen(SMS), 1, &out), CPAAS_BAD_NAME);
    BAD_CALL(cpaas_validate_limited(NULL, SMS, strlen(SMS), 1, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_validate_limited("sms.send", NULL, 0, 1, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_validate_limited("sms.send", INVALID_UTF8, 2, 1, &out), CPAAS_BAD_UTF8);
    BAD_CALL(cpaas_validate_limited(INVALID_UTF8, SMS, strlen(SMS), 1, &out), CPAAS_BAD_UTF8);
    CHECK(cpaas_validate_limited("sms.send", SMS, strlen(SMS), 1, NULL) == CPAAS_BAD_ARGUMENT);
}

static void validation_and_markup(void) {
    WITH_OUTPUT(cpaas_validate("sms.send", SMS, strlen(SMS), &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_validate("sms.send", "[", 1, &out), CPAAS_OK);
    BAD_CALL(cpaas_validate("sms.sent", SMS, strlen(SMS), &out), CPAAS_BAD_NAME);
    BAD_CALL(cpaas_validate(NULL, SMS, strlen(SMS), &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_validate("sms.send", NULL, 0, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_validate("sms.send", INVALID_UTF8, 2, &out), CPAAS_BAD_UTF8);
    BAD_CALL(cpaas_validate(INVALID_UTF8, SMS, strlen(SMS), &out), CPAAS_BAD_UTF8);
    CHECK(cpaas_validate("sms.send", SMS, strlen(SMS), NULL) == CPAAS_BAD_ARGUMENT);
    limited_reports();
    const char *report = "{\"ok\":true,\"errors\":[],\"warnings\":[]}";
    WITH_OUTPUT(cpaas_problem_details(report, strlen(report), NULL, 0, &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_problem_details(report, strlen(report), "{}", 2, &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_problem_details("{\"errors\":[{}],\"warnings\":[]}", 29, NULL, 0, &out), CPAAS_BAD_TEXT);
    WITH_OUTPUT(cpaas_problem_details("[", 1, NULL, 0, &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_problem_details(report, strlen(report), "[]", 2, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_problem_details(report, strlen(report), NULL, 1, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_problem_details(NULL, 1, NULL, 0, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_problem_details(INVALID_UTF8, 2, NULL, 0, &out), CPAAS_BAD_UTF8);
    BAD_CALL(cpaas_problem_details(report, strlen(report), INVALID_UTF8, 2, &out), CPAAS_BAD_UTF8);
    WITH_OUTPUT(cpaas_check("file", "{\"bytes\":1}", 11, &out), CPAAS_OK);
    BAD_CALL(cpaas_check("files", "{}", 2, &out), CPAAS_BAD_NAME);
    WITH_OUTPUT(cpaas_markup_parse("<b>x</b>", 8, "Html", &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_markup_parse("<b>x", 4, "Html", &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_markup_parse("x", 1, "html", &out), CPAAS_BAD_NAME);
    WITH_OUTPUT(cpaas_markup_escape("a_b", 3, "MarkdownV2", &out), CPAAS_OK);
    BAD_CALL(cpaas_markup_escape("x", 1, NULL, &out), CPAAS_BAD_ARGUMENT);
}

static void callbacks(void) {
    const char *config = "{\"audience\":\"shop\",\"public_url\":\"https://shop.example/hooks\",\"delivery_keys\":[{\"kid\":"
                         "\"k1\",\"secret\":\"a secret of thirty-two bytes or more\"}],\"endpoints\":[{\"path\":\"/sms\","
                         "\"sources\":[\"sms_report\"]}]}";
    const char *mint = "{\"source\":\"sms_report\",\"reference\":\"r\"}";
    const char *request = "{\"method\":\"GET\",\"url\":\"/hooks/sms?msgid=m\",\"headers\":{},\"body\":\"\"}";
    size_t len = strlen(config);
    WITH_OUTPUT(cpaas_token_mint(config, len, mint, strlen(mint), 1700000000, &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_token_mint(config, len, "{\"source\":\"inbound_sms\"}", 24, 1700000000, &out), CPAAS_CALLBACK_REJECTED);
    WITH_OUTPUT(cpaas_token_mint("{}", 2, mint, strlen(mint), 1700000000, &out), CPAAS_BAD_TEXT);
    WITH_OUTPUT(cpaas_receive(config, len, request, strlen(request), 1700000000, &out), CPAAS_CALLBACK_REJECTED);
    WITH_OUTPUT(cpaas_receive(config, len, "[]", 2, 1700000000, &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_receive(NULL, 0, "[]", 2, 1700000000, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_receive(INVALID_UTF8, 2, "[]", 2, 1700000000, &out), CPAAS_BAD_UTF8);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ended;
static cpaas_status last;

static void done(void *user_data, cpaas_status status, const char *text, size_t len) {
    pthread_mutex_lock(&lock);
    CHECK(text && strlen(text) == len);
    last = status;
    ended++;
    *(int *)user_data += 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static cpaas_status await(int count) {
    pthread_mutex_lock(&lock);
    while (ended < count) pthread_cond_wait(&changed, &lock);
    cpaas_status status = last;
    pthread_mutex_unlock(&lock);
    return status;
}

static void blocking_calls(cpaas_client *client) {
    size_t len = strlen(SMS);
    WITH_OUTPUT(cpaas_call(client, "sms.send", SMS, len, &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_call(client, "sms.send", "{}", 2, &out), CPAAS_INVALID);
    WITH_OUTPUT(cpaas_call(client, "sms.send", "x", 1, &out), CPAAS_INVALID);
    BAD_CALL(cpaas_call(client, "sms", SMS, len, &out), CPAAS_BAD_NAME);
    BAD_CALL(cpaas_call(client, NULL, SMS, len, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_call(client, "sms.send", NULL, len, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_call(client, "sms.send", INVALID_UTF8, 2, &out), CPAAS_BAD_UTF8);
    BAD_CALL(cpaas_call(NULL, "sms.send", SMS, len, &out), CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_call(client, "sms.send", SMS, len, NULL) == CPAAS_BAD_ARGUMENT);
}

static void options_of_calls(cpaas_client *client) {
    cpaas_call_options options = {0};
    const char *bad_number = "{\"from\":\"A\",\"to\":\"1\",\"text\":\"x\"}";
    size_t len = strlen(SMS);
    BAD_CALL(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_BAD_ARGUMENT);
    options.size = sizeof options;
    options.timeout_ms = 60000;
    options.deadline_ms = 90000;
    options.max_attempts = 1;
    options.retry_unknown = 2;
    options.validation = CPAAS_VALIDATION_WARN;
    WITH_OUTPUT(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_OK);
    options.validation = CPAAS_VALIDATION_OFF;
    WITH_OUTPUT(cpaas_call_with(client, "sms.send", bad_number, strlen(bad_number), &options, &out), CPAAS_REJECTED);
    options.validation = 4;
    BAD_CALL(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_BAD_ARGUMENT);
    options.validation = CPAAS_VALIDATION_STRICT;
    options.reserved = 1;
    BAD_CALL(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_BAD_ARGUMENT);
    options.reserved = 0;
    options.retry_unknown = 3;
    BAD_CALL(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_BAD_ARGUMENT);
}

static void asynchronous_calls(cpaas_client *client) {
    cpaas_call_options options = {0};
    int runs = 0;
    uint64_t number = 0;
    size_t len = strlen(SMS);
    CHECK(cpaas_call_async(client, "sms.send", SMS, len, NULL, done, &runs, &number) == CPAAS_OK && number > 0);
    CHECK(await(1) == CPAAS_OK && runs == 1);
    CHECK(cpaas_cancel(client, number) == CPAAS_OK);
    CHECK(cpaas_call_async(client, "sms.send", "{}", 2, NULL, done, &runs, NULL) == CPAAS_OK);
    CHECK(await(2) == CPAAS_INVALID && runs == 2);
    CHECK(cpaas_call_async(client, "sms.send", SMS, len, &options, done, &runs, NULL) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_call_async(client, "sms.send", SMS, len, NULL, NULL, &runs, NULL) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_call_async(client, "sms", SMS, len, NULL, done, &runs, NULL) == CPAAS_BAD_NAME);
    CHECK(cpaas_cancel(NULL, 1) == CPAAS_BAD_ARGUMENT);
}

static void own_http(cpaas_client *client) {
    size_t len = strlen(SMS);
    WITH_OUTPUT(cpaas_prepare(client, "sms.send", SMS, len, &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_prepare(client, "sms.send", "{}", 2, &out), CPAAS_INVALID);
    cpaas_client *keyless = client_of("{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"\"}");
    cpaas_text refused;
    CHECK(cpaas_call(keyless, "sms.send", SMS, len, &refused) == CPAAS_INVALID);
    CHECK(strstr(refused.data, "\"sent\":\"no\",\"reason\":\"config\"") && strstr(refused.data, "CPAAS_SMS_KEY"));
    cpaas_text_free(&refused);
    WITH_OUTPUT(cpaas_prepare(keyless, "sms.send", SMS, len, &out), CPAAS_INVALID);
    cpaas_client_free(keyless);
    BAD_CALL(cpaas_prepare(client, "sms", SMS, len, &out), CPAAS_BAD_NAME);
    WITH_OUTPUT(cpaas_client_validate(client, "sms.send", SMS, len, &out), CPAAS_OK);
    BAD_CALL(cpaas_client_validate(client, "sms", SMS, len, &out), CPAAS_BAD_NAME);
    BAD_CALL(cpaas_client_validate(client, "sms.send", NULL, 0, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_client_validate(NULL, "sms.send", SMS, len, &out), CPAAS_BAD_ARGUMENT);
    const char *response = "{\"id\":\"m\",\"responseCode\":0}";
    WITH_OUTPUT(cpaas_parse(client, "sms.send", 200, NULL, 0, response, strlen(response), &out), CPAAS_OK);
    CHECK(cpaas_parse(client, "sms.send", 503, "{\"Retry-After\":\"7\"}", 19, NULL, 0, &refused) == CPAAS_UNKNOWN);
    CHECK(strstr(refused.data, "\"retry_after_ms\":7000") && strstr(refused.data, "\"processed\":\"maybe\",\"retryable\":false"));
    cpaas_text_free(&refused);
    const char *crowded = "{\"code\":429,\"message\":\"Too many\",\"requestID\":null}";
    CHECK(cpaas_parse(client, "otp.send", 429, NULL, 0, crowded, strlen(crowded), &refused) == CPAAS_REJECTED);
    CHECK(strstr(refused.data, "\"processed\":\"no\",\"retryable\":true"));
    cpaas_text_free(&refused);
    CHECK(cpaas_parse(client, "otp.get", 503, NULL, 0, NULL, 0, &refused) == CPAAS_UNKNOWN);
    CHECK(strstr(refused.data, "\"processed\":\"maybe\",\"retryable\":true"));
    cpaas_text_free(&refused);
    WITH_OUTPUT(cpaas_parse(client, "sms.send", 500, NULL, 0, INVALID_UTF8, 2, &out), CPAAS_UNKNOWN);
    cpaas_client *keyed = client_of("{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"key-7f3a\"}");
    const char *echo = "{\"responseCode\":901,\"responseText\":\"unknown key-7f3a\"}";
    CHECK(cpaas_parse(keyed, "sms.send", 200, NULL, 0, echo, strlen(echo), &refused) == CPAAS_REJECTED);
    CHECK(strstr(refused.data, "\"provider_message\":\"unknown [secret]\"") && !strstr(refused.data, "key-7f3a"));
    cpaas_text_free(&refused);
    cpaas_client_free(keyed);
    BAD_CALL(cpaas_parse(client, "sms.send", 200, "[]", 2, response, strlen(response), &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_parse(client, "sms.send", 200, NULL, 0, NULL, 4, &out), CPAAS_BAD_ARGUMENT);
}

static cpaas_status raw(cpaas_client *client, const char *request, cpaas_text *out) {
    return cpaas_call(client, "raw", request, strlen(request), out);
}

static void raw_calls(cpaas_client *client) {
    static const char *const wrong[] = {
        "", "[]", "{}", "null", "{\"method\":\"GET\",\"family\":\"otp\"}", "{\"method\":\"PATCH\",\"family\":\"otp\",\"path\":\"/\"}",
        "{\"method\":\"GET\",\"family\":\"fax\",\"path\":\"/\"}", "{\"method\":\"GET\",\"family\":\"otp\",\"path\":\"x\"}",
        "{\"method\":\"GET\",\"family\":\"otp\",\"path\":7}", "{\"method\":\"GET\",\"family\":\"otp\",\"path\":\"/\",\"headers\":[]}",
        "{\"method\":\"GET\",\"family\":\"otp\",\"path\":\"/\",\"query\":{\"a\":[]}}", "{\"method\":\"GET\",\"family\":\"otp\",\"path\":\"/\",\"qeury\":{}}",
        "{\"method\":\"GET\",\"family\":\"otp\",\"path\":\"/2fa/search\",\"headers\":{\"x-a\":\"a\\r\\nb: c\"}}",
        "{\"method\":\"GET\",\"family\":\"otp\",\"path\":\"/2fa/search\",\"headers\":{\"x a\":\"b\"}}",
    };
    const char *search = "{\"method\":\"get\",\"family\":\"otp\",\"path\":\"/2fa/search\",\"query\":{\"pageSize\":1}}";
    const char *send = "{\"method\":\"POST\",\"family\":\"sms\",\"path\":\"/sms.json\",\"body\":" SMS "}";
    int runs = 0;
    cpaas_text out;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK(raw(client, wrong[i], &out) == CPAAS_INVALID);
        CHECK(out.data && strstr(out.data, "\"sent\":\"no\""));
        cpaas_text_free(&out);
    }
    WITH_OUTPUT(raw(client, search, &out), CPAAS_OK);
    CHECK(raw(client, send, &out) == CPAAS_OK);
    CHECK(strstr(out.data, "\"status\":200") && strstr(out.data, "\"responseCode\":0") && strstr(out.data, "\"content-type\""));
    cpaas_text_free(&out);
    WITH_OUTPUT(raw(client, "{\"method\":\"GET\",\"family\":\"otp\",\"path\":\"/nowhere\"}", &out), CPAAS_REJECTED);
    CHECK(cpaas_call_async(client, "raw", search, strlen(search), NULL, done, &runs, NULL) == CPAAS_OK);
    CHECK(await(3) == CPAAS_OK);
    CHECK(cpaas_call_async(client, "raw", "{}", 2, NULL, done, &runs, NULL) == CPAAS_OK);
    CHECK(await(4) == CPAAS_INVALID && runs == 2);
    BAD_CALL(cpaas_prepare(client, "raw", search, strlen(search), &out), CPAAS_BAD_NAME);
    BAD_CALL(cpaas_validate("raw", search, strlen(search), &out), CPAAS_BAD_NAME);
}

/* Accepts a connection, waits for its first bytes and returns it. */
static int accept_bytes(int fd) {
    char data[4096];
    int connection = accept(fd, NULL, NULL);
    CHECK(recv(connection, data, sizeof data, 0) > 0);
    return connection;
}

/* The accept queue of the server is full, so no connection is established. A cancelled call reports that nothing was sent. */
static void cancel_while_connecting(void) {
    char config[256];
    int runs = 0, waiting[8], before = ended, fd = silent_server(config, sizeof config);
    uint64_t number;
    struct sockaddr_in address;
    socklen_t len = sizeof address;
    CHECK(listen(fd, 0) == 0 && getsockname(fd, (struct sockaddr *)&address, &len) == 0);
    for (int i = 0; i < 8; i++) {
        waiting[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
        connect(waiting[i], (struct sockaddr *)&address, len);
    }
    cpaas_client *client = client_of(config);
    CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, &runs, &number) == CPAAS_OK);
    usleep(100000); /* the client is connecting */
    CHECK(cpaas_cancel(client, number) == CPAAS_OK && await(before + 1) == CPAAS_NOT_SENT);
    CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, &runs, &number) == CPAAS_OK);
    CHECK(cpaas_cancel(client, number) == CPAAS_OK && await(before + 2) == CPAAS_NOT_SENT); /* the call may not have begun */
    cpaas_client_free(client);
    for (int i = 0; i < 8; i++) close(waiting[i]);
    close(fd);
}

static void calls_without_response(void) {
    char config[256], secure[300];
    int runs = 0, fd = silent_server(config, sizeof config);
    uint64_t number;
    cpaas_call_options options = {0};
    options.size = sizeof options;
    options.timeout_ms = 3000;
    cpaas_client *client = client_of(config);
    WITH_OUTPUT(cpaas_call_with(client, "sms.send", SMS, strlen(SMS), &options, &out), CPAAS_UNKNOWN);
    CHECK(requests_at(fd) == 1);
    CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, &runs, &number) == CPAAS_OK);
    int connection = accept_bytes(fd); /* the request */
    CHECK(cpaas_cancel(client, number) == CPAAS_OK);
    CHECK(await(5) == CPAAS_UNKNOWN);
    close(connection);
    snprintf(secure, sizeof secure, "{\"sms_url\":\"https%s", strstr(config, "://"));
    cpaas_client *other = client_of(secure);
    CHECK(cpaas_call_async(other, "sms.send", SMS, strlen(SMS), NULL, done, &runs, &number) == CPAAS_OK);
    connection = accept_bytes(fd); /* the start of a TLS handshake */
    CHECK(cpaas_cancel(other, number) == CPAAS_OK);
    CHECK(await(6) == CPAAS_NOT_SENT);
    close(connection);
    cpaas_client_free(other);
    CHECK(cpaas_call_async(client, "sms.send", SMS, strlen(SMS), NULL, done, &runs, NULL) == CPAAS_OK);
    cpaas_client_free(client); /* cancels, and waits for the callback */
    CHECK(runs == 3);
    BAD_CALL(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out), CPAAS_BAD_HANDLE);
    cpaas_client_free(client);
    close(fd);
    client = client_of(config);
    WITH_OUTPUT(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out), CPAAS_NOT_SENT);
    cpaas_client_free(client);
}

/* Copies the next request that arrives at `fd`, and closes its connection. */
static void receive_request(int fd, char *request, size_t size) {
    int connection = accept(fd, NULL, NULL);
    ssize_t len = recv(connection, request, size - 1, 0);
    request[len > 0 ? len : 0] = '\0';
    close(connection);
}

static void headers_of_calls(void) {
    char config[256], request[4096];
    int runs = 0, before = ended, fd = silent_server(config, sizeof config);
    size_t len = strlen(SMS), first = offsetof(cpaas_call_options, headers);
    const char *headers[] = {"X-Tenant", "acme", "X-Trace", "7", NULL}, *own[] = {"Content-Type", "text/plain", NULL};
    const char *broken[] = {"X-Tenant", NULL}, *split[] = {"X-Tenant", "a\r\nX-B: c", NULL}, *bytes[] = {"X-Tenant", INVALID_UTF8, NULL};
    cpaas_call_options options = {0};
    options.size = sizeof options;
    options.headers = headers;
    cpaas_client *client = client_of(config);
    CHECK(cpaas_call_async(client, "sms.send", SMS, len, &options, done, &runs, NULL) == CPAAS_OK);
    receive_request(fd, request, sizeof request);
    CHECK(strcasestr(request, "\r\nX-Tenant: acme\r\n") && strcasestr(request, "\r\nX-Trace: 7\r\n"));
    CHECK(await(before + 1) == CPAAS_UNKNOWN);

    options.headers = own;
    WITH_OUTPUT(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_INVALID);
    options.headers = split;
    WITH_OUTPUT(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_INVALID);
    options.headers = broken;
    BAD_NAMED(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_BAD_ARGUMENT, "headers");
    options.headers = bytes;
    BAD_NAMED(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_BAD_UTF8, "headers");
    const char *many[600] = {NULL}; /* more pairs than a call may have */
    for (int i = 0; i < 599; i++) many[i] = "a";
    options.headers = many;
    BAD_NAMED(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_BAD_ARGUMENT, "headers");
    CHECK(requests_at(fd) == 0);

    options.headers = own; /* beyond the size of an older struct, so the library does not read it */
    options.size = first;
    CHECK(cpaas_call_async(client, "sms.send", SMS, len, &options, done, &runs, NULL) == CPAAS_OK);
    receive_request(fd, request, sizeof request);
    CHECK(strcasestr(request, "content-type: application/json") && await(before + 2) == CPAAS_UNKNOWN);
    options.size = first + 4;
    BAD_CALL(cpaas_call_with(client, "sms.send", SMS, len, &options, &out), CPAAS_BAD_ARGUMENT);
    cpaas_client_free(client);
    close(fd);
}

static int lines;

static void log_line(void *user_data, uint32_t level, const char *text, size_t len) {
    CHECK(strlen(text) == len && level >= CPAAS_LOG_ERROR && level <= CPAAS_LOG_DEBUG);
    CHECK(!strstr(text, "306912345678") && !strstr(text, "Hi") && !strstr(text, getenv("CPAAS_SMS_KEY")));
    CHECK(!strstr(text, "127.0.0.1"));
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_BAD_ARGUMENT);
    lines += strstr(text, "sms.send") != NULL;
    *(int *)user_data += 1;
}

static void logging(cpaas_client *client) {
    int count = 0;
    CHECK(cpaas_log_callback(log_line, &count, 0) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_log_callback(log_line, &count, 5) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_log_callback(log_line, &count, CPAAS_LOG_DEBUG) == CPAAS_OK);
    WITH_OUTPUT(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out), CPAAS_OK);
    CHECK(count > 0 && lines > 0);
    CHECK(cpaas_log_callback(log_line, &count, CPAAS_LOG_WARN) == CPAAS_OK);
    int before = count;
    WITH_OUTPUT(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out), CPAAS_OK);
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_OK);
    WITH_OUTPUT(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out), CPAAS_OK);
    CHECK(count == before);
}

static void invalid_setting(const char *config, const char *expected) {
    cpaas_client *client = NULL;
    cpaas_text out;
    CHECK(cpaas_client_new(config, strlen(config), &client, &out) == CPAAS_INVALID && client == NULL);
    CHECK(out.data && strstr(out.data, expected) && !strstr(out.data, "31337"));
    cpaas_text_free(&out);
}

/* Settings are numbers and strings; an error says what is expected, without the value. */
static void invalid_settings(void) {
    invalid_setting("{\"timeout\":0}", "`timeout` must be a number of seconds greater than 0 and less than 18,446,744,073,709,551,616");
    invalid_setting("{\"deadline\":-31337}", "`deadline` must be a number of seconds greater than 0 and less than 18,446,744,073,709,551,616");
    invalid_setting("{\"connect_timeout\":31337e300}", "`connect_timeout` must be a number of seconds greater than 0 and less than 18,446,744,073,709,551,616");
    invalid_setting("{\"timeout\":\"31337\"}", "`timeout` must be a number of seconds, got a string");
    invalid_setting("{\"timeout\":NaN}", "configuration: ");
    invalid_setting("{\"max_attempts\":0}", "`max_attempts` must be 1 to 4,294,967,295");
    invalid_setting("{\"max_attempts\":3133700000000}", "`max_attempts` must be 1 to 4,294,967,295");
    invalid_setting("{\"max_connections\":-31337}", "`max_connections` must be 1 to ");
    invalid_setting("{\"max_connections\":31337.5}", "`max_connections` must be an integer, got a number");
    invalid_setting("{\"callback_lifetime\":-31337}", "`callback_lifetime` must be 60 to 5,270,400 seconds");
    invalid_setting("{\"region\":\"31337\"}", "`region` must be nearest, frankfurt, singapore, hong_kong or united_states");
    invalid_setting("{\"validation\":\"31337\"}", "`validation` must be strict, pedantic, warn or off");
    invalid_setting("{\"messaging_auth\":\"31337\"}", "`messaging_auth` must be header, basic or none");
    invalid_setting("{\"sms_format\":\"31337\"}", "`sms_format` must be json or xml");
    setenv("CPAAS_DEADLINE", "31337 s", 1);
    invalid_setting("{}", "CPAAS_DEADLINE must be a number of seconds");
    cpaas_client_free(client_of("{\"deadline\":5}")); /* then the variable is not read */
    unsetenv("CPAAS_DEADLINE");
    char *url = strdup(getenv("CPAAS_SMS_URL")); /* that of the sandbox */
    setenv("CPAAS_SMS_URL", "ftp://sms.example", 1);
    invalid_setting("{}", "CPAAS_SMS_URL is not a valid address");
    invalid_setting("{\"sms_url\":\"ftp://sms.example\"}", "`sms_url` is not a valid address");
    setenv("CPAAS_SMS_URL", url, 1);
    free(url);
}

typedef struct {
    int near, texts, others;
} warnings;

static void warning_line(void *user_data, uint32_t level, const char *text, size_t len) {
    warnings *found = user_data;
    CHECK(strlen(text) == len && level == CPAAS_LOG_WARN && !strstr(text, "s3cr3t") && !strstr(text, "482913"));
    if (!strcmp(text, "environment variable is not a setting name=CPAAS_SMS_KYE meant=CPAAS_SMS_KEY")) found->near++;
    else if (strstr(text, "the text of the passcode has no code call_id=") == text && strstr(text, " operation=otp.send")) found->texts++;
    else found->others++;
}

/* A variable that resembles a setting, and a passcode without a code, are logged. */
static void logged_mistakes(void) {
    static const char *const otp = "{\"service\":\"login\",\"from\":\"Acme\",\"to\":\"306912345678\",\"body\":\"Your code is 482913\"}";
    warnings found = {0, 0, 0};
    setenv("CPAAS_SMS_KYE", "s3cr3t", 1);
    CHECK(cpaas_log_callback(warning_line, &found, CPAAS_LOG_WARN) == CPAAS_OK);
    cpaas_client *client = client_of("{}");
    cpaas_client_free(client_of("{}")); /* the variable is logged once in a process */
    CHECK(found.near == 1 && found.texts == 0);
    unsetenv("CPAAS_SMS_KYE");
    for (int i = 0; i < 2; i++) /* the sandbox requires `{code}` */
        WITH_OUTPUT(cpaas_call(client, "otp.send", otp, strlen(otp), &out), CPAAS_REJECTED);
    cpaas_client *pedantic = client_of("{\"validation\":\"pedantic\"}");
    WITH_OUTPUT(cpaas_call(pedantic, "otp.send", otp, strlen(otp), &out), CPAAS_INVALID);
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_OK);
    CHECK(found.near == 1 && found.texts == 1 && found.others == 0);
    cpaas_client_free(pedantic);
    cpaas_client_free(client);
}

/* Whether text has at most 2,500 characters and none that changes a terminal, such as U+2028, U+202E and those of C1. */
static int printable(const char *text) {
    int characters = 0;
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        characters += (*at & 0xc0) != 0x80;
        if (*at < ' ' || *at == 0x7f || (*at == 0xc2 && at[1] < 0xa0) || !strncmp((const char *)at, "\xe2\x80\xa8", 3) || !strncmp((const char *)at, "\xe2\x80\xae", 3)) return 0;
    }
    return characters <= 2500;
}

static void printable_line(void *user_data, uint32_t level, const char *text, size_t len) {
    (void)level, (void)len;
    CHECK(printable(text));
    *(int *)user_data += strstr(text, "reference=") != NULL;
}

/* Names that the caller chose do not change a log or a terminal. */
static void printable_names(void) {
    static char request[40000], name[10001];
    static const char *const escaped = "\\n\\u001b[31m\\u2028\\u202e\\u0085";
    int count = 0;
    memset(name, 'x', sizeof name - 1);
    cpaas_client *client = client_of("{\"validation\":\"off\"}"), *strict = client_of("{\"validation\":\"pedantic\"}"), *none = NULL;
    CHECK(cpaas_log_callback(printable_line, &count, CPAAS_LOG_DEBUG) == CPAAS_OK);
    for (int i = 0; i < 2; i++) {
        const char *shown = i ? name : escaped;
        snprintf(request, sizeof request, "{\"from\":\"Acme\",\"to\":\"306912345678\",\"text\":\"Hi\",\"reference\":\"%s\",\"%s\":1}", shown, shown);
        for (cpaas_client *each = client; each; each = each == client ? strict : NULL) {
            cpaas_text out;
            cpaas_status status = cpaas_call(each, "sms.send", request, strlen(request), &out);
            char *message = out.data ? strstr(out.data, "\"message\":\"") : NULL, *end = message ? strstr(message + 11, "\",\"") : NULL;
            if (end) *end = '\0';
            CHECK(status == CPAAS_OK || (end && printable(message)));
            CHECK(each == client || status == CPAAS_INVALID);
            cpaas_text_free(&out);
        }
        snprintf(request, sizeof request, "{\"%s\":1}", shown);
        cpaas_text out;
        CHECK(cpaas_client_new(request, strlen(request), &none, &out) == CPAAS_INVALID && printable(out.data));
        cpaas_text_free(&out);
    }
    CHECK(cpaas_log_callback(NULL, NULL, 0) == CPAAS_OK);
    CHECK(count > 0);
    cpaas_client_free(client);
    cpaas_client_free(strict);
}

int main(void) {
    cpaas_client *client = NULL;
    operations_and_codes();
    versions();
    check_text_exports();
    validation_and_markup();
    callbacks();
    WITH_OUTPUT(cpaas_client_new("{\"sms_ulr\":1}", 13, &client, &out), CPAAS_INVALID);
    CHECK(client == NULL);
    BAD_CALL(cpaas_client_new(INVALID_UTF8, 2, &client, &out), CPAAS_BAD_UTF8);
    BAD_CALL(cpaas_client_new("{}", 2, NULL, &out), CPAAS_BAD_ARGUMENT);
    client = invalid_handles[0];
    CHECK(cpaas_client_new("{}", 2, &client, NULL) == CPAAS_BAD_ARGUMENT && client == NULL);
    STATUS_ONLY(cpaas_client_new(NULL, 0, &client, &out), CPAAS_OK);
    blocking_calls(client);
    options_of_calls(client);
    asynchronous_calls(client);
    own_http(client);
    raw_calls(client);
    logging(client);
    invalid_settings();
    logged_mistakes();
    printable_names();
    calls_without_response();
    cancel_while_connecting();
    headers_of_calls();
    for (size_t i = 0; i < sizeof invalid_handles / sizeof *invalid_handles; i++) {
        BAD_CALL(cpaas_call(invalid_handles[i], "sms.send", SMS, strlen(SMS), &out), CPAAS_BAD_HANDLE);
        CHECK(cpaas_cancel(invalid_handles[i], 1) == CPAAS_BAD_HANDLE);
        cpaas_client_free(invalid_handles[i]);
    }
    cpaas_client_free(client);
    cpaas_client_free(client);
    cpaas_client_free(NULL);
    cpaas_shutdown();
    cpaas_shutdown();
    client = client_of("{}"); /* the threads start again */
    WITH_OUTPUT(cpaas_call(client, "sms.send", SMS, strlen(SMS), &out), CPAAS_OK);
    cpaas_client_free(client);
    cpaas_shutdown();
    return checks_end();
}
