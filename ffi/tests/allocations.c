/* Tests that counting and splitting allocate nothing. The malloc of this program counts the allocations of the whole process. */
#include "check.h"

extern void *__libc_malloc(size_t size), *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size), *__libc_memalign(size_t align, size_t size);

static unsigned long allocations;

void *malloc(size_t size) { return allocations++, __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return allocations++, __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return allocations++, __libc_realloc(old, size); }
void *memalign(size_t align, size_t size) { return allocations++, __libc_memalign(align, size); }
void *aligned_alloc(size_t align, size_t size) { return allocations++, __libc_memalign(align, size); }
int posix_memalign(void **out, size_t align, size_t size) {
    *out = memalign(align, size);
    return *out ? 0 : 12;
}

static cpaas_segment parts[255];

static void check_no_allocation(const char *text, const cpaas_segment_options *options) {
    cpaas_segment_count count, same;
    size_t written, len = strlen(text);
    unsigned long before = allocations;
    cpaas_status counted = cpaas_count_segments(text, len, &count);
    cpaas_status few = cpaas_segments(text, len, options, parts, 1, &written, NULL);
    cpaas_status all = cpaas_segments(text, len, options, parts, 255, &written, &same);
    CHECK(allocations == before);
    CHECK(counted == CPAAS_OK && (all == CPAAS_BAD_TEXT || (all == CPAAS_OK && parts[written - 1].end == len)));
    CHECK(all == CPAAS_BAD_TEXT || few == (written > 1 ? CPAAS_TOO_SMALL : CPAAS_OK));
}

int main(void) {
    static char text[60001];
    const char *letters[] = {"a", "\xce\xa9", "\xc5\x9f", "\xe2\x82\xac", "\xd1\x8f", "\xf0\x9f\x91\x8b", "e\xcc\x81", "{\r\n"};
    for (size_t letter = 0; letter < sizeof letters / sizeof *letters; letter++) {
        size_t len = 0;
        for (int repeats = 0; repeats < 12000; repeats++) {
            if (repeats < 400 || repeats % 1000 == 0) {
                cpaas_segment_options options = {0};
                options.size = sizeof options;
                text[len] = '\0';
                check_no_allocation(text, NULL);
                options.split = CPAAS_SPLIT_GRAPHEME;
                check_no_allocation(text, &options);
                options.reference_bits = 16;
                options.encoding = CPAAS_UCS2;
                check_no_allocation(text, &options);
                options.encoding = CPAAS_GSM7;
                check_no_allocation(text, &options);
                options.encoding = 0;
                options.languages = CPAAS_LANGUAGE_AUTO;
                check_no_allocation(text, &options);
            }
            memcpy(text + len, letters[letter], strlen(letters[letter]));
            len += strlen(letters[letter]);
        }
    }
    unsigned long before = allocations;
    cpaas_text out;
    CHECK(cpaas_segments_json("a", 1, NULL, &out) == CPAAS_OK);
    CHECK(allocations > before); /* the counter works */
    cpaas_text_free(&out);
    return checks_end();
}
