/* Calls every export with random bytes, lengths and NULLs that the contract allows: each returns a status and none crashes.
 * Usage: random_arguments ROUNDS SEED */
#include <stdatomic.h>
#include <stdint.h>

#include "check.h"

static uint64_t state = 0x9e3779b97f4a7c15u;

static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static const char *const seeds[] = {
    "{\"from\":\"Acme\",\"to\":\"306912345678\",\"text\":\"Hi\"}", "{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"k\",\"max_attempts\":1}",
    "{\"method\":\"GET\",\"family\":\"sms\",\"path\":\"/x\",\"query\":{\"a\":1},\"headers\":{\"b\":\"c\"},\"body\":[]}",
    "{\"trafficAccountId\":\"\",\"destination\":\"1\",\"messenger_c\":{\"text\":\"<b>x</b>\",\"parseMode\":\"Html\"}}",
    "{\"service\":\"s\",\"from\":\"A\",\"to\":\"1\",\"body\":\"{code}\",\"limits\":{}}", "<a href=\"x\">*_[]()~`>#+-=|{}.!</a>",
    "{\"method\":\"GET\",\"url\":\"/x?token=v1.k1.AAAA.BBBB\",\"headers\":{},\"body\":\"\"}",
    "{\"audience\":\"a\",\"public_url\":\"https://a.b\",\"endpoints\":[{\"path\":\"/s\",\"sources\":[\"sms_report\"]}]}",
    "{\"code\":200,\"message\":\"OK\",\"requestID\":\"OTP1\",\"id\":\"m\",\"responseCode\":0}", "[]", "{", "", "null", "\xf0\x9f\x91\x8b",
    "[{\"udh\":\"0003010201\",\"ud\":\"C834\",\"udl\":9,\"dcs\":0},{\"ud\":\"D83DDC4B\",\"udl\":4,\"dcs\":8}]", "{{a}} {{ b }} {",
    "{\"fields\":{\"a\":[1,20],\"b\":[\"x\",\"\xc5\x9f\"]}}", "\xc5\x9f\xce\x93\xd0\xaf\xe0\xa4\x85",
};
static const char *const names[] = {"sms.send", "otp.send", "messages.send", "messages.send_bulk", "otp.verify", "raw",
                                    "lookup.numbers", "sms", "", "\xff", "Html", "MarkdownV2", "Default", "file", "0.01"};

/* Returns a buffer of exactly `len` bytes, so that sanitizers detect a read past its end. */
static char *text(size_t *len) {
    const char *seed = seeds[next() % (sizeof seeds / sizeof *seeds)];
    *len = strlen(seed);
    if (next() % 16 == 0) *len = next() % (*len + 1);
    char *copy = malloc(*len ? *len : 1);
    memcpy(copy, seed, *len);
    for (uint64_t edits = next() % 4; *len && edits > 0; edits--) copy[next() % *len] = (char)next();
    if (next() % 32 == 0) {
        free(copy);
        copy = NULL;
        *len = next() % 2;
    }
    return copy;
}

static const char *text_options(void) {
    static const char *const all[] = {"{\"languages\":\"auto\"}", "{\"languages\":[\"tr\",\"hi\"],\"split\":\"grapheme\"}",
                                      "{\"transliterate\":true}", "{\"reference\":65535,\"ports\":{\"destination\":1,\"source\":2}}",
                                      "{\"encoding\":\"ucs2\",\"referenceBits\":16}", "{\"languages\":7}", "{", "\xff"};
    return next() % 8 ? all[next() % (sizeof all / sizeof *all)] : NULL;
}

static const char *name(void) { return next() % 40 == 0 ? NULL : names[next() % (sizeof names / sizeof *names)]; }

/* Returns the size of a struct, or an invalid size. */
static size_t valid_or_invalid(size_t size) {
    if (next() % 8) return size;
    return next() % 2 ? next() % size : SIZE_MAX - next() % 64;
}

static atomic_int runs;

static void done(void *user_data, cpaas_status status, const char *data, size_t len) {
    if (user_data != &runs || (data ? data[len] != '\0' : len > 0)) CHECK(status == CPAAS_PANIC && !"the text of the callback is invalid");
    atomic_fetch_add(&runs, 1);
}

/* Makes calls; returns the number of callbacks that will run. */
static int calls(cpaas_client *client, const char *request, size_t len, cpaas_text *out) {
    const char *headers[] = {name(), name(), name(), NULL, NULL};
    cpaas_call_options options = {valid_or_invalid(sizeof options), 50, 50, 1, (uint32_t)next() % 4, (uint32_t)next() % 5, 0, next() % 4 ? NULL : headers};
    const cpaas_call_options *given = next() % 8 ? &options : NULL;
    uint64_t call = 0;
    ignored(cpaas_call(client, name(), request, len, &out[0]));
    ignored(cpaas_call_with(client, name(), request, len, given, &out[1]));
    int pending = cpaas_call_async(client, name(), request, len, given, done, &runs, next() % 8 ? &call : NULL) == CPAAS_OK;
    if (next() % 2) cpaas_cancel(client, call);
    return pending;
}

static void log_line(void *user_data, uint32_t level, const char *data, size_t len) {
    if (user_data || level < 1 || level > 4 || data[len] != '\0') CHECK(!"the log line is invalid");
}

static cpaas_text *requests(cpaas_client *client, const char *a, size_t len, const char *b, size_t more, cpaas_text *out) {
    cpaas_client *made = NULL;
    ignored(cpaas_client_new(a, len, &made, out++));
    cpaas_client_free(made);
    ignored(cpaas_prepare(client, name(), a, len, out++));
    ignored(cpaas_client_validate(client, name(), a, len, out++));
    ignored(cpaas_parse(client, name(), (uint16_t)next(), a, len, b, more, out++));
    ignored(cpaas_validate(name(), a, len, out++));
    ignored(cpaas_validate_limited(name(), a, len, next() % 3, out++));
    ignored(cpaas_problem_details(a, len, b, more, out++));
    ignored(cpaas_check(name(), a, len, out++));
    ignored(cpaas_provider_code(name(), (int64_t)next() % 1000, out++));
    return out;
}

/* `zero` is `b` as a C string. */
static cpaas_text *texts(const char *a, size_t len, const char *b, size_t more, const char *zero, cpaas_text *out) {
    cpaas_segment_count count;
    cpaas_segment parts[3];
    cpaas_segment_options options = {0};
    size_t written;
    options.size = valid_or_invalid(sizeof options);
    options.reference_bits = (uint32_t)next() % 17;
    options.split = (uint32_t)next() % 2;
    options.encoding = (uint32_t)next() % 4;
    options.languages = (uint32_t)next() % (CPAAS_LANGUAGE_AUTO + 4);
    ignored(cpaas_count_segments(a, len, &count));
    ignored(cpaas_segments(a, len, &options, parts, next() % 4, &written, &count));
    ignored(cpaas_estimate_to(a, len, name(), name(), out++));
    ignored(cpaas_segments_json(a, len, zero, out++));
    ignored(cpaas_estimate(a, len, name(), out++));
    ignored(cpaas_estimate_with(a, len, name(), text_options(), out++));
    ignored(cpaas_intent(a, len, out++));
    ignored(cpaas_autofill_body(a, len, zero, out++));
    ignored(cpaas_check_autofill(a, len, out++));
    ignored(cpaas_app_hash(name(), b, more, out++));
    ignored(cpaas_normalize_number(a, len, name(), out++));
    ignored(cpaas_check_number(a, len, name(), out++));
    ignored(cpaas_annotate(a, len, out++));
    ignored(cpaas_annotate_with(a, len, text_options(), out++));
    ignored(cpaas_encode(a, len, text_options(), out++));
    ignored(cpaas_decode(b, more, out++));
    ignored(cpaas_transliterate(a, len, out++));
    ignored(cpaas_template_segments(a, len, zero, text_options(), out++));
    ignored(cpaas_markup_parse(a, len, name(), out++));
    ignored(cpaas_markup_escape(a, len, name(), out++));
    ignored(cpaas_json_string(a, len, out++));
    ignored(cpaas_json_get(a, len, zero, out++));
    ignored(cpaas_json_type(a, len, zero, out++));
    return out;
}

static cpaas_text *callbacks(const char *a, size_t len, const char *b, size_t more, cpaas_text *out) {
    ignored(cpaas_receive(a, len, b, more, next(), out++));
    ignored(cpaas_token_mint(a, len, b, more, next(), out++));
    cpaas_receiver *receiver = NULL;
    ignored(cpaas_receiver_new(a, len, &receiver, out++));
    ignored(cpaas_receiver_receive(receiver, b, more, next(), out++));
    cpaas_receiver_forget((cpaas_receiver *)(uintptr_t)next(), b, more, next());
    ignored(cpaas_receiver_lease(receiver, (uint32_t)next()));
    ignored(cpaas_receiver_receive(receiver, b, more, next(), out++));
    cpaas_receiver_done(receiver, a, len);
    cpaas_receiver_free_lease(receiver, b, more);
    cpaas_receiver_done((cpaas_receiver *)(uintptr_t)next(), a, len);
    cpaas_receiver_free(receiver);
    return out;
}

static cpaas_text *exchanges(cpaas_client *client, const char *a, size_t len, const char *b, size_t more, cpaas_text *out) {
    static const char *const reasons[] = {"dns", "certificate", "reset", "timeout", "other", "\xff", ""};
    static const uint32_t statuses[] = {200, 429, 503, 0, 99, 1000};
    cpaas_exchange *exchange = NULL, *made = NULL;
    cpaas_call_options options = {valid_or_invalid(sizeof options), 50, 50, 2, 0, 0, 0, NULL};
    ignored(cpaas_exchange_new(client, name(), a, len, next() % 4 ? &options : NULL, next() % 16 ? &made : NULL, out++));
    for (int i = 0; i < 6; i++) {
        cpaas_step step = {.size = valid_or_invalid(sizeof step)};
        cpaas_response response = {valid_or_invalid(sizeof response), statuses[next() % 6], (uint32_t)next() % 5, b, more, a, len};
        exchange = next() % 32 ? made : (cpaas_exchange *)(uintptr_t)next();
        if (cpaas_exchange_step(exchange, &step) == CPAAS_OK && step.kind == CPAAS_STEP_SEND && strlen(step.url) + strlen(step.target) < 8) CHECK(!"the URL is too short");
        if (next() % 2) ignored(cpaas_exchange_respond(exchange, next() % 16 ? &response : NULL));
        if (next() % 4 == 0) ignored(cpaas_exchange_fail(exchange, (uint32_t)next() % 4, next() % 16 ? reasons[next() % 7] : NULL));
        if (next() % 8 == 0) cpaas_exchange_cancel(exchange, (uint32_t)next() % 4);
    }
    ignored(cpaas_exchange_end(made, out++));
    cpaas_exchange_free((cpaas_exchange *)(uintptr_t)(next() | 1));
    cpaas_exchange_free(made);
    return out;
}

static void handles(cpaas_client *client, const char *a, size_t len) {
    cpaas_result polled[2];
    ignored(cpaas_call_start(client, name(), a, len, NULL, &runs, NULL));
    for (size_t count = cpaas_poll(client, polled, next() % 3); count > 0; count--) cpaas_text_free(&polled[count - 1].text);
    cpaas_cancel((cpaas_client *)(uintptr_t)(next() | 1), next());
    if (next() % 64 == 0) cpaas_log_callback(next() % 2 ? log_line : NULL, NULL, (uint32_t)next() % 7);
    if (next() % 256 == 0) cpaas_shutdown();
    if (!cpaas_status_name((uint32_t)next())) CHECK(!"the status has no name");
}

static int round_of(cpaas_client *client) {
    size_t len, more;
    char *a = text(&len), *b = text(&more), *zero = calloc(1, more + 1);
    cpaas_text outs[42], *out = outs;
    memset(outs, 0, sizeof outs);
    if (b) memcpy(zero, b, more);
    out = requests(client, a, len, b, more, out);
    out = texts(a, len, b, more, zero, out);
    out = callbacks(a, len, b, more, out);
    out = exchanges(client, a, len, b, more, out);
    handles(client, a, len);
    int pending = calls(client, a, len, out);
    for (size_t i = 0; i < sizeof outs / sizeof *outs; i++) {
        if (outs[i].data && outs[i].data[outs[i].len] != '\0') CHECK(!"no NUL follows the text");
        cpaas_text_free(&outs[i]);
    }
    free(zero);
    free(a);
    free(b);
    return pending;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 2000;
    if (argc > 2) state ^= strtoull(argv[2], NULL, 0) * 0x100000001b3u;
    cpaas_client *client = client_of(seeds[1]);
    int pending = 0;
    for (int i = 0; i < rounds; i++) pending += round_of(client);
    cpaas_client_free(client);
    cpaas_shutdown();
    CHECK(rounds > 0 && pending > 0 && pending == atomic_load(&runs));
    return checks_end();
}
