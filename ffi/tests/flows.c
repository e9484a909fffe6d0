/* Rows of the sandbox's acceptance table through C. Starts the sandbox itself. Usage: flows SANDBOX_BINARY */
#include <curl/curl.h>
#include <jansson.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static char base[128];
static json_t *config;
static cpaas_client *client;
static cpaas_status status;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static const char *text(json_t *object, const char *name) {
    const char *value = json_string_value(json_object_get(object, name));
    return value ? value : "";
}

static json_int_t number(json_t *object, const char *name) { return json_integer_value(json_object_get(object, name)); }

/* A call with a request of json_pack; the answer is the caller's. */
static json_t *call(const char *operation, json_t *request) {
    char *json = json_dumps(request, 0);
    cpaas_text out;
    status = cpaas_call(client, operation, json, strlen(json), &out);
    json_t *answer = out.data ? json_loadb(out.data, out.len, JSON_DECODE_ANY, NULL) : NULL;
    if (status != CPAAS_OK) printf("%s: %s %s\n", operation, cpaas_status_name(status), out.data ? out.data : "");
    cpaas_text_free(&out);
    free(json);
    json_decref(request);
    return answer;
}

typedef struct body {
    char *data;
    size_t len;
} body;

static size_t keep(char *data, size_t size, size_t count, void *user_data) {
    body *into = user_data;
    into->data = realloc(into->data, into->len + size * count + 1);
    memcpy(into->data + into->len, data, size * count);
    into->len += size * count;
    into->data[into->len] = '\0';
    return size * count;
}

/* The newest messages of a number, as phones have them. */
static json_t *inbox(const char *to) {
    char url[512];
    body answer = {NULL, 0};
    snprintf(url, sizeof url, "%s/_sandbox/messages?wait=5s&to=%s", base, to);
    CURL *curl = curl_easy_init();
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &answer);
    CHECK(curl_easy_perform(curl) == CURLE_OK);
    curl_easy_cleanup(curl);
    json_t *document = answer.data ? json_loads(answer.data, 0, NULL) : NULL;
    json_t *messages = json_incref(json_object_get(document, "messages"));
    json_decref(document);
    free(answer.data);
    return messages;
}

static json_t *newest(json_t *messages) { return json_array_get(messages, json_array_size(messages) - 1); }

/* Row 189: the binary says where it listens, soon. */
static pid_t start(const char *binary) {
    int ends[2];
    if (pipe(ends) != 0) exit(2);
    double from = now();
    pid_t pid = fork();
    if (pid == 0) {
        dup2(ends[1], 1);
        execl(binary, binary, "--port", "0", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *lines = fdopen(ends[0], "r");
    char line[4096];
    json_t *ready = NULL;
    while (!ready && fgets(line, sizeof line, lines)) {
        if (line[0] == '{') ready = json_loads(line, 0, NULL);
    }
    printf("the sandbox was ready after %.0f ms\n", (now() - from) * 1000);
    snprintf(base, sizeof base, "%s", text(ready, "url"));
    config = json_incref(json_object_get(ready, "config"));
    json_object_del(config, "bot_id"); /* an argument of calls, not of the client */
    CHECK(strncmp(base, "http://127.0.0.1:", 17) == 0);
    json_decref(ready);
    fclose(lines);
    return pid;
}

static json_t *otp(const char *to, const char *channel) {
    json_t *request = json_pack("{s:s,s:s,s:s,s:s}", "service", "login", "from", "Acme", "to", to, "body", "Your code is {code}");
    if (channel) json_object_set_new(request, "channel", json_string(channel));
    return call("otp.send", request);
}

static json_t *verify(json_t *sent, const char *code) {
    return call("otp.verify", json_pack("{s:s,s:s,s:s}", "service", "login", "requestId", text(sent, "requestID"), "code", code));
}

static void passcodes(void) {
    json_t *sent = otp("306900000001", NULL), *messages = inbox("306900000001"), *answer; /* row 1 */
    CHECK(status == CPAAS_OK && number(sent, "code") == 200 && strcmp(text(sent, "message"), "OK") == 0);
    CHECK(strncmp(text(sent, "requestID"), "OTP", 3) == 0);
    char code[16];
    snprintf(code, sizeof code, "%s", text(newest(messages), "otp"));
    CHECK(strlen(code) == 6 && strstr(text(newest(messages), "text"), code));
    json_decref(messages);

    char wrong[16];
    snprintf(wrong, sizeof wrong, "%06d", (atoi(code) + 1) % 1000000);
    answer = verify(sent, wrong); /* row 23 */
    CHECK(status == CPAAS_OK && number(answer, "code") != 200);
    json_decref(answer);
    answer = verify(sent, code); /* row 22 */
    CHECK(status == CPAAS_OK && number(answer, "code") == 200);
    json_decref(answer);
    json_decref(sent);

    sent = otp("306900000002", "sms"); /* row 8 */
    messages = inbox("306900000002");
    CHECK(strcmp(text(newest(messages), "channel"), "sms") == 0);
    json_decref(messages);
    answer = call("otp.cancel", json_pack("{s:s,s:s}", "service", "login", "requestId", text(sent, "requestID"))); /* row 29 */
    CHECK(status == CPAAS_OK && number(answer, "code") == 200 && strcmp(text(answer, "message"), "canceled") == 0);
    json_decref(answer);
    json_decref(sent);

    sent = otp("306900000003", "call"); /* row 9 */
    messages = inbox("306900000003");
    CHECK(status == CPAAS_OK && strcmp(text(newest(messages), "channel"), "sms") != 0);
    CHECK(strlen(text(newest(messages), "text")) > 0);
    json_decref(messages);
    json_decref(sent);

    answer = call("otp.limits.create", json_pack("{s:s,s:[{s:s,s:s,s:s}],s:s}", "name", "limit_on_phone", "buckets", "name", "minute",
                                                 "max", "3", "interval", "60", "description", "three a minute")); /* row 54 */
    CHECK(status == CPAAS_OK && number(answer, "code") == 200);
    CHECK(strncmp(text(json_object_get(answer, "data"), "sid"), "LM", 2) == 0);
    json_decref(answer);
}

/* A text of so many times this character arrives as so many parts under one id. */
static void parts(const char *unit, int units, int wanted) {
    char to[32], *message = calloc(1, strlen(unit) * (size_t)units + 1);
    static int last = 1000;
    for (int i = 0; i < units; i++) strcat(message, unit);
    snprintf(to, sizeof to, "30691%07d", last++);
    json_t *sent = call("sms.send", json_pack("{s:s,s:s,s:s}", "from", "Acme", "to", to, "text", message)), *messages = inbox(to);
    cpaas_segment_count count;
    CHECK(status == CPAAS_OK && strlen(text(sent, "id")) > 0 && json_array_size(messages) == 1);
    CHECK(number(newest(messages), "parts") == wanted);
    CHECK(cpaas_count_segments(message, strlen(message), &count) == CPAAS_OK && (int)count.parts == wanted);
    json_decref(messages);
    json_decref(sent);
    free(message);
}

static void sms(void) {
    json_t *sent = call("sms.send", json_pack("{s:s,s:s,s:s}", "from", "Acme", "to", "306912345678", "text", "Hi")); /* row 80 */
    const char *stamp = text(sent, "timestamp");
    CHECK(status == CPAAS_OK && number(sent, "responseCode") == 0 && number(sent, "textLength") == 2);
    CHECK(strlen(stamp) > 20 && stamp[10] == 'T' && strchr(stamp, '.') && stamp[strlen(stamp) - 1] == 'Z');
    json_decref(sent);
    static const int gsm[][2] = {{160, 1}, {161, 2}, {306, 2}, {307, 3}, {529, 4}}; /* rows 86, 88 */
    static const int ucs2[][2] = {{70, 1}, {71, 2}, {134, 2}, {135, 3}, {529, 8}};  /* rows 87, 88 */
    for (size_t i = 0; i < 5; i++) {
        parts("a", gsm[i][0], gsm[i][1]);
        parts("\xd1\x8f", ucs2[i][0], ucs2[i][1]);
    }
    sent = call("sms.send_bulk", json_pack("{s:s,s:s,s:s}", "from", "Acme", "to", "306900000011,306900000012,306900000011", "text", "Hi"));
    CHECK(status == CPAAS_OK); /* row 97: the array of the answer, or a member that holds it */
    json_t *list = sent, *messages = inbox("306900000011"), *value;
    const char *name;
    if (json_is_object(sent)) json_object_foreach(sent, name, value) if (json_is_array(value)) list = value;
    CHECK(json_array_size(list) == 3 && json_array_size(messages) == 2);
    CHECK(strcmp(text(json_array_get(list, 0), "id"), text(json_array_get(list, 2), "id")) != 0);
    CHECK(strcmp(text(json_array_get(list, 1), "to"), "306900000012") == 0);
    json_decref(messages);
    json_decref(sent);
}

static void lookup_and_chat(void) {
    json_t *answer = call("lookup.numbers_by_query", json_pack("{s:s}", "msisdn", "306912345678")), *value; /* row 122 */
    const char *name;
    json_t *list = answer;
    if (json_is_object(answer)) json_object_foreach(answer, name, value) if (json_is_array(value)) list = value;
    CHECK(status == CPAAS_OK && json_array_size(list) == 1);
    CHECK(strcmp(text(json_array_get(list, 0), "msisdn"), "306912345678") == 0);
    json_decref(answer);

    answer = call("messages.send", json_pack("{s:s,s:{s:s,s:s}}", "destination", "306900000021", "sms", "text", "Hi", "sender", "Acme")); /* row 132 */
    CHECK(status == CPAAS_OK && strlen(text(answer, "messageId")) > 0);
    CHECK(strcmp(text(answer, "deliveryStatus"), "Ready") == 0);
    CHECK(strcmp(text(answer, "trafficAccountId"), text(config, "traffic_account_id")) == 0);
    CHECK(json_array_size(json_object_get(json_object_get(answer, "conversation"), "participants")) > 0);
    json_decref(answer);

    answer = call("messages.send_bulk", json_pack("{s:[s,s],s:{s:s,s:s}}", "destinations", "306900000022", "306900000023", "sms", "text", "Hi", "sender", "Acme")); /* row 170 */
    CHECK(status == CPAAS_OK && strlen(text(answer, "bulkId")) > 0);
    list = NULL;
    json_object_foreach(answer, name, value) if (json_is_array(value)) list = value;
    CHECK(json_array_size(list) == 2 && strlen(text(json_array_get(list, 0), "messageId")) > 0);
    CHECK(strcmp(text(json_array_get(list, 1), "destination"), "306900000023") == 0);
    json_decref(answer);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    pid_t pid = start(argv[1]);
    char *json = json_dumps(config, 0);
    client = client_of(json);
    free(json);
    passcodes();
    sms();
    lookup_and_chat();
    cpaas_client_free(client);
    cpaas_shutdown();
    int ended = -1;
    kill(pid, SIGTERM);
    CHECK(waitpid(pid, &ended, 0) == pid && WIFEXITED(ended) && WEXITSTATUS(ended) == 0); /* stops clean */
    json_decref(config);
    curl_global_cleanup();
    return checks_end();
}
