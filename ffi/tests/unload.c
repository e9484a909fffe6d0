/* dlopen, a call, cpaas_shutdown and dlclose, twice: the library stays mapped and works again. The program does not link the library.
 * Needs a sandbox. Usage: unload LIBRARY */
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "silent_server.h"

static void unload(const char *library) {
    for (int i = 0; i < 2; i++) {
        cpaas_text out;
        cpaas_client *of = NULL;
        void *handle = dlopen(library, RTLD_NOW);
        if (!handle) {
            CHECK(!"dlopen");
            return;
        }
        cpaas_status (*create)(const char *, size_t, cpaas_client **, cpaas_text *);
        cpaas_status (*call)(const cpaas_client *, const char *, const char *, size_t, cpaas_text *);
        void (*release)(cpaas_client *), (*free_text)(cpaas_text *), (*stop)(void);
        *(void **)&create = dlsym(handle, "cpaas_client_new"), *(void **)&call = dlsym(handle, "cpaas_call");
        *(void **)&release = dlsym(handle, "cpaas_client_free"), *(void **)&free_text = dlsym(handle, "cpaas_text_free");
        *(void **)&stop = dlsym(handle, "cpaas_shutdown");
        CHECK(create("{}", 2, &of, &out) == CPAAS_OK);
        CHECK(call(of, "sms.send", SMS, strlen(SMS), &out) == CPAAS_OK);
        free_text(&out);
        release(of), stop();
        CHECK(dlclose(handle) == 0);
        char line[512];
        int mapped = 0;
        FILE *maps = fopen("/proc/self/maps", "r");
        while (maps && fgets(line, sizeof line, maps)) mapped += strstr(line, "libcpaas.so") != NULL;
        if (maps) fclose(maps);
        CHECK(mapped > 0);
    }
    pid_t pid = fork(); /* the handlers of fork are still there */
    if (pid == 0) _exit(0);
    int code = -1;
    CHECK(waitpid(pid, &code, 0) == pid && code == 0);
}

int main(int argc, char **argv) {
    if (argc > 1) unload(argv[1]);
    return checks_end();
}
