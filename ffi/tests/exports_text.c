/* The part of exports.c that calls the text and JSON functions. */
#include <stdint.h>

#include "check.h"

void check_text_exports(void);

static void counting(void) {
    cpaas_segment_count count;
    CHECK(cpaas_count_segments("Hi", 2, &count) == CPAAS_OK && count.count == 1 && count.remaining == 158);
    CHECK(cpaas_count_segments(NULL, 0, &count) == CPAAS_OK && count.units == 0);
    CHECK(cpaas_count_segments(NULL, 1, &count) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_count_segments("a", SIZE_MAX, &count) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_count_segments(INVALID_UTF8, 2, &count) == CPAAS_BAD_UTF8);
    CHECK(cpaas_count_segments("a", 1, NULL) == CPAAS_BAD_ARGUMENT);
}

static void splitting(void) {
    cpaas_segment_count count;
    cpaas_segment parts[2];
    cpaas_segment_options options = {0};
    size_t written = 9;
    char text[400];
    memset(text, 'a', sizeof text);
    CHECK(cpaas_segments(text, 400, NULL, parts, 2, &written, &count) == CPAAS_TOO_SMALL && written == 3);
    CHECK(parts[1].start == 153 && parts[1].end == 306 && count.count == 3);
    CHECK(cpaas_segments(text, 400, NULL, NULL, 0, &written, NULL) == CPAAS_TOO_SMALL && written == 3);
    CHECK(cpaas_segments(text, 400, NULL, NULL, 1, &written, NULL) == CPAAS_BAD_ARGUMENT && written == 0);
    CHECK(cpaas_segments(text, 400, NULL, parts, 2, NULL, NULL) == CPAAS_BAD_ARGUMENT);
    CHECK(cpaas_segments(INVALID_UTF8, 2, NULL, parts, 2, &written, NULL) == CPAAS_BAD_UTF8 && written == 0);
    CHECK(cpaas_segments("a", 1, &options, parts, 2, &written, NULL) == CPAAS_BAD_ARGUMENT);
    options.size = sizeof options;
    options.reference_bits = 16;
    options.encoding = CPAAS_UCS2;
    CHECK(cpaas_segments(text, 67, &options, parts, 2, &written, &count) == CPAAS_OK && written == 1);
    CHECK(count.encoding == CPAAS_UCS2);
    options.split = CPAAS_SPLIT_GRAPHEME;
    CHECK(cpaas_segments(text, 132, &options, parts, 2, &written, NULL) == CPAAS_OK && written == 2);
    options.reference_bits = 9;
    CHECK(cpaas_segments("a", 1, &options, parts, 2, &written, NULL) == CPAAS_BAD_ARGUMENT);
    options.reference_bits = 8;
    options.encoding = CPAAS_GSM7;
    CHECK(cpaas_segments("\xd1\x8f", 2, &options, parts, 2, &written, NULL) == CPAAS_BAD_TEXT);
    options.encoding = 3;
    CHECK(cpaas_segments("a", 1, &options, parts, 2, &written, NULL) == CPAAS_BAD_ARGUMENT);

    options.encoding = 0;
    options.split = 2;
    CHECK(cpaas_segments("a", 1, &options, parts, 2, &written, NULL) == CPAAS_BAD_ARGUMENT);
    options.split = CPAAS_SPLIT_CODE_POINT;
    options.reserved = 1;
    CHECK(cpaas_segments("a", 1, &options, parts, 2, &written, NULL) == CPAAS_BAD_ARGUMENT);
}

static void results_as_json(void) {
    WITH_OUTPUT(cpaas_segments_json("Hi", 2, "{\"encoding\":\"ucs2\"}", &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_segments_json("Hi", 2, "{", &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_segments_json(INVALID_UTF8, 2, NULL, &out), CPAAS_BAD_UTF8);
    WITH_OUTPUT(cpaas_annotate("Hi", 2, &out), CPAAS_OK);
    BAD_CALL(cpaas_annotate(NULL, 2, &out), CPAAS_BAD_ARGUMENT);
    WITH_OUTPUT(cpaas_intent("Stop!", 5, &out), CPAAS_OK);
    BAD_CALL(cpaas_intent(NULL, 2, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_intent(INVALID_UTF8, 2, &out), CPAAS_BAD_UTF8);
    WITH_OUTPUT(cpaas_autofill_body("Hi", 2, "{\"host\":\"shop.example\"}", &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_autofill_body("Hi", 2, "{", &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_autofill_body("Hi", 2, NULL, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_autofill_body(INVALID_UTF8, 2, "{}", &out), CPAAS_BAD_UTF8);
    WITH_OUTPUT(cpaas_check_autofill("Hi", 2, &out), CPAAS_OK);
    BAD_CALL(cpaas_check_autofill(NULL, 2, &out), CPAAS_BAD_ARGUMENT);
    WITH_OUTPUT(cpaas_app_hash("com.example", "0\3\2\1\7", 5, &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_app_hash("com.example", NULL, 0, &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_app_hash(NULL, "0", 1, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_app_hash("com.example", NULL, 1, &out), CPAAS_BAD_ARGUMENT);
    WITH_OUTPUT(cpaas_normalize_number("+30 691 234 5678", 16, NULL, &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_normalize_number("0691", 4, NULL, &out), CPAAS_BAD_TEXT);
    cpaas_text reason;
    CHECK(cpaas_normalize_number("210 555 1234", 12, NULL, &reason) == CPAAS_BAD_TEXT);
    CHECK(strstr(reason.data, "\"argument\":\"number\"") && strstr(reason.data, "\"code\":\"national\"") && !strstr(reason.data, "210 555"));
    cpaas_text_free(&reason);
    // "region", or "no_plans" in a library without the numbering plans.
    CHECK(cpaas_normalize_number("+30 691 234 5678", 16, "XX", &reason) == CPAAS_BAD_TEXT);
    CHECK(strstr(reason.data, "\"argument\":\"region\"") && strstr(reason.data, "`region`: ") && !strstr(reason.data, "XX"));
    cpaas_text_free(&reason);
    BAD_CALL(cpaas_normalize_number(NULL, 4, NULL, &out), CPAAS_BAD_ARGUMENT);
    /* CPAAS_BAD_TEXT with "no_plans" in a library without the numbering plans. */
    cpaas_text check;
    cpaas_status status = cpaas_check_number("0030 691 234 5678", 17, NULL, &check);
    CHECK(status == CPAAS_OK ? strcmp(check.data, "{\"valid\":true,\"possible\":true,\"region\":\"GR\",\"type\":\"mobile\"}") == 0
                             : status == CPAAS_BAD_TEXT && strstr(check.data, "\"code\":\"no_plans\"") != NULL);
    cpaas_text_free(&check);
    CHECK(cpaas_check_number("691 234 5678", 12, "XX", &check) == CPAAS_BAD_TEXT);
    CHECK(strstr(check.data, "\"argument\":\"region\"") && !strstr(check.data, "691"));
    cpaas_text_free(&check);
    BAD_CALL(cpaas_check_number(NULL, 4, NULL, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_check_number(INVALID_UTF8, 2, NULL, &out), CPAAS_BAD_UTF8);
    WITH_OUTPUT(cpaas_estimate("Hi", 2, "0.0075", &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_estimate("Hi", 2, "much", &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_estimate("Hi", 2, NULL, &out), CPAAS_BAD_ARGUMENT);
}

static void national_languages(void) {
    cpaas_segment_count count;
    cpaas_segment parts[2];
    cpaas_segment_options options = {0};
    size_t written;
    options.size = sizeof options;
    options.languages = CPAAS_LANGUAGE_TR;
    CHECK(cpaas_segments("\xc5\x9f", 2, &options, parts, 2, &written, &count) == CPAAS_OK);
    CHECK(count.encoding == CPAAS_GSM7 && count.units == 1 && count.remaining == 154);
    options.languages = CPAAS_LANGUAGE_AUTO + 1;
    CHECK(cpaas_segments("a", 1, &options, parts, 2, &written, NULL) == CPAAS_BAD_ARGUMENT);
    WITH_OUTPUT(cpaas_segments_json("\xc5\x9f", 2, "{\"languages\":[\"tr\"]}", &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_segments_json("a", 1, "{\"languages\":[\"xx\"]}", &out), CPAAS_BAD_TEXT);
    WITH_OUTPUT(cpaas_annotate_with("Hi", 2, "{\"languages\":\"auto\"}", &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_annotate_with("Hi", 2, "{", &out), CPAAS_BAD_TEXT);
    WITH_OUTPUT(cpaas_estimate_with("Hi", 2, "0.0075", NULL, &out), CPAAS_OK);
    BAD_CALL(cpaas_estimate_with("Hi", 2, NULL, NULL, &out), CPAAS_BAD_ARGUMENT);
}

static void user_data_and_templates(void) {
    WITH_OUTPUT(cpaas_encode("Hi", 2, NULL, &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_encode("Hi", 2, "{\"reference\":-1}", &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_encode(INVALID_UTF8, 2, NULL, &out), CPAAS_BAD_UTF8);
    WITH_OUTPUT(cpaas_decode("[{\"ud\":\"00\",\"udl\":1}]", 21, &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_decode("[]", 2, &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_decode(NULL, 0, &out), CPAAS_BAD_ARGUMENT);
    WITH_OUTPUT(cpaas_transliterate("Hi", 2, &out), CPAAS_OK);
    BAD_CALL(cpaas_transliterate(INVALID_UTF8, 2, &out), CPAAS_BAD_UTF8);
    WITH_OUTPUT(cpaas_template_segments("{{a}}", 5, "{\"fields\":{\"a\":[1,2]}}", NULL, &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_template_segments("{{a}}", 5, "{}", NULL, &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_template_segments("{{a}}", 5, NULL, NULL, &out), CPAAS_BAD_ARGUMENT);
}

static void prices_of_recipients(void) {
    const char *prices = "prefix,price,currency\n30,0.05,EUR\n";
    WITH_OUTPUT(cpaas_estimate_to("Hi", 2, prices, "[\"306900000001\",\"+30 210 0000001\"]", &out), CPAAS_OK);
    WITH_OUTPUT(cpaas_estimate_to("Hi", 2, prices, "447000000001", &out), CPAAS_BAD_TEXT);
    WITH_OUTPUT(cpaas_estimate_to("Hi", 2, "x", "306900000001", &out), CPAAS_BAD_TEXT);
    BAD_CALL(cpaas_estimate_to("Hi", 2, prices, NULL, &out), CPAAS_BAD_ARGUMENT);
    BAD_CALL(cpaas_estimate_to("Hi", 2, NULL, "306900000001", &out), CPAAS_BAD_ARGUMENT);
}

static void json_functions(void) {
    const char *text = "\",\"to\":\"1\\\n\x01 \xf0\x9f\x91\x8b", *document = "{\"a\":[1,{\"b/c\":\"x\\n\\u00e9\"}],\"d\":null,\"\":true}";
    cpaas_text quoted;
    CHECK(cpaas_json_string(text, strlen(text), &quoted) == CPAAS_OK);
    CHECK(quoted.data[0] == '"' && quoted.data[quoted.len - 1] == '"' && !strchr(quoted.data, '\n'));
    CHECK(json_is(quoted.data, "", text)); /* parsing returns the escaped text */
    cpaas_text_free(&quoted);
    CHECK(cpaas_json_string(NULL, 0, &quoted) == CPAAS_OK && strcmp(quoted.data, "\"\"") == 0);
    cpaas_text_free(&quoted);
    BAD_NAMED(cpaas_json_string(INVALID_UTF8, 2, &out), CPAAS_BAD_UTF8, "text");
    CHECK(json_is(document, "/a/0", "1") && json_is(document, "/a/1/b~1c", "x\n\xc3\xa9") && json_is(document, "/d", "null"));
    CHECK(json_is(document, "/a/1", "{\"b/c\":\"x\\n\xc3\xa9\"}") && json_is(document, "/", "true"));
    STATUS_ONLY(cpaas_json_get(document, strlen(document), "/a/2", &out), CPAAS_NOT_FOUND);
    STATUS_ONLY(cpaas_json_get(document, strlen(document), "/e", &out), CPAAS_NOT_FOUND);
    BAD_NAMED(cpaas_json_get(document, strlen(document), "a", &out), CPAAS_BAD_ARGUMENT, "pointer");
    BAD_NAMED(cpaas_json_get("{", 1, "/a", &out), CPAAS_BAD_TEXT, "json");
}

/* `null` and the string "null" have the same text and different types. */
static void json_types(void) {
    const char *document = "[null,\"null\",true,1.5,[],{}]";
    const char *names[] = {"null", "string", "boolean", "number", "array", "object"};
    CHECK(json_is(document, "/0", "null") && json_is(document, "/1", "null"));
    for (int i = 0; i < 6; i++) {
        char pointer[3] = {'/', (char)('0' + i), 0};
        cpaas_text type;
        CHECK(cpaas_json_type(document, strlen(document), pointer, &type) == CPAAS_OK && strcmp(type.data, names[i]) == 0);
        cpaas_text_free(&type);
    }
    STATUS_ONLY(cpaas_json_type(document, strlen(document), "/6", &out), CPAAS_NOT_FOUND);
    BAD_NAMED(cpaas_json_type(document, strlen(document), "a", &out), CPAAS_BAD_ARGUMENT, "pointer");
    BAD_NAMED(cpaas_json_type("{", 1, "/a", &out), CPAAS_BAD_TEXT, "json");
}

/* A smaller struct is invalid. A larger one from a newer header is valid if its unknown members are 0. */
static void struct_sizes(void) {
    struct {
        cpaas_segment_options known;
        uint32_t later;
    } given;
    size_t written;
    memset(&given, 0, sizeof given);
    const size_t wrong[] = {0, 8, sizeof given.known - 1, 257, SIZE_MAX / 2, SIZE_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        given.known.size = wrong[i];
        CHECK(cpaas_segments("a", 1, &given.known, NULL, 0, &written, NULL) == CPAAS_BAD_ARGUMENT);
    }
    given.known.size = sizeof given;
    CHECK(cpaas_segments("a", 1, &given.known, NULL, 0, &written, NULL) == CPAAS_TOO_SMALL && written == 1);
    given.later = 1;
    CHECK(cpaas_segments("a", 1, &given.known, NULL, 0, &written, NULL) == CPAAS_BAD_ARGUMENT && written == 0);
    given.known.size = sizeof given.known;
    CHECK(cpaas_segments("a", 1, &given.known, NULL, 0, &written, NULL) == CPAAS_TOO_SMALL);
}

void check_text_exports(void) {
    counting();
    splitting();
    results_as_json();
    national_languages();
    user_data_and_templates();
    prices_of_recipients();
    json_functions();
    json_types();
    struct_sizes();
}
