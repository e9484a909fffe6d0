/* Every export with arbitrary bytes, lengths and NULLs within the contract: a status, never a crash. Usage: garbage
 * ROUNDS SEED */
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
    "{\"from\":\"Acme\",\"to\":\"306912345678\",\"text\":\"Hi\"}", "{\"sms_url\":\"http://127.0.0.1:9\",\"sms_key\":\"k\"}",
    "{\"trafficAccountId\":\"\",\"destination\":\"1\",\"messenger_c\":{\"text\":\"<b>x</b>\",\"parseMode\":\"Html\"}}",
    "{\"service\":\"s\",\"from\":\"A\",\"to\":\"1\",\"body\":\"{code}\",\"limits\":{}}", "<a href=\"x\">*_[]()~`>#+-=|{}.!</a>",
    "{\"method\":\"GET\",\"url\":\"/x?token=v1.k1.AAAA.BBBB\",\"headers\":{},\"body\":\"\"}",
    "{\"audience\":\"a\",\"public_url\":\"https://a.b\",\"endpoints\":[{\"path\":\"/s\",\"sources\":[\"sms_report\"]}]}",
    "{\"code\":200,\"message\":\"OK\",\"requestID\":\"OTP1\",\"id\":\"m\",\"responseCode\":0}", "[]", "{", "", "null", "\xf0\x9f\x91\x8b",
};
static const char *const names[] = {"sms.send", "otp.send", "messages.send", "messages.send_bulk", "otp.verify",
                                    "lookup.numbers", "sms", "", "\xff", "Html", "MarkdownV2", "Default", "file", "0.01"};

/* A buffer of exactly its length, so that a read past it is found. */
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

static const char *name(void) { return next() % 40 == 0 ? NULL : names[next() % (sizeof names / sizeof *names)]; }

static void round_of(cpaas_client *client) {
    size_t len, more, written;
    char *a = text(&len), *b = text(&more);
    cpaas_text outs[16], *out = outs;
    cpaas_segment_count count;
    cpaas_segment parts[3];
    cpaas_segment_options options = {next() % 8 ? sizeof options : next() % 64, (uint32_t)next() % 17, (uint32_t)next() % 2, (uint32_t)next() % 4};
    cpaas_client *made = NULL;
    memset(outs, 0, sizeof outs);
    cpaas_client_new(a, len, &made, out++);
    cpaas_client_free(made);
    cpaas_prepare(client, name(), a, len, out++);
    cpaas_parse(client, name(), (uint16_t)next(), a, len, b, more, out++);
    cpaas_validate(name(), a, len, out++);
    cpaas_check(name(), a, len, out++);
    cpaas_count_segments(a, len, &count);
    cpaas_segments(a, len, &options, parts, next() % 4, &written, &count);
    char *zero = calloc(1, more + 1);
    if (b) memcpy(zero, b, more);
    cpaas_segments_json(a, len, zero, out++);
    cpaas_estimate(a, len, name(), out++);
    cpaas_annotate(a, len, out++);
    cpaas_markup_parse(a, len, name(), out++);
    cpaas_markup_escape(a, len, name(), out++);
    cpaas_receive(a, len, b, more, next(), out++);
    cpaas_token_mint(a, len, b, more, next(), out++);
    cpaas_cancel((cpaas_client *)(uintptr_t)(next() | 1), next());
    for (size_t i = 0; i < 16; i++) {
        if (outs[i].data && outs[i].data[outs[i].len] != '\0') CHECK(!"a NUL after the text");
        cpaas_text_free(&outs[i]);
    }
    free(zero);
    free(a);
    free(b);
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 2000;
    if (argc > 2) state ^= strtoull(argv[2], NULL, 0) * 0x100000001b3u;
    cpaas_client *client = client_of(seeds[1]);
    for (int i = 0; i < rounds; i++) round_of(client);
    cpaas_client_free(client);
    CHECK(rounds > 0);
    return checks_end();
}
