/* libcpaas and libcpaas-core in one process: each frees the texts of the other. Usage: two_libraries LIBCPAAS LIBCPAAS_CORE */
#include <dlfcn.h>

#include "check.h"
#include "cpaas.h"

typedef cpaas_status (*validate)(const char *, const char *, size_t, cpaas_text *);
typedef void (*text_free)(cpaas_text *);

static void *symbol(const char *library, const char *name) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *found = handle ? dlsym(handle, name) : NULL;
    if (!found) fprintf(stderr, "%s\n", dlerror());
    return found;
}

static void freed_by(const char *made, const char *freed) {
    static const char *const requests[] = {"{\"from\":\"Acme\",\"to\":\"306912345678\",\"text\":\"Hi\"}", "{}"};
    void *function = symbol(made, "cpaas_validate"), *other = symbol(freed, "cpaas_text_free");
    validate make;
    text_free free_text;
    cpaas_text out;
    memcpy(&make, &function, sizeof make);
    memcpy(&free_text, &other, sizeof free_text);
    for (int i = 0; i < 2; i++) {
        CHECK(make("sms.send", requests[i], strlen(requests[i]), &out) == CPAAS_OK && out.data);
        free_text(&out);
        CHECK(!out.data && out.len == 0);
    }
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    freed_by(arguments[1], arguments[2]);
    freed_by(arguments[2], arguments[1]);
    return checks_end();
}
