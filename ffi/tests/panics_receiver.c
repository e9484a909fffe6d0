/* The part of panics.c for callback requests as structs, and for the log of a client. */
#include "check.h"

#define PANICS(call)                            \
    do {                                        \
        setenv("CPAAS_PANIC", "export", 1);     \
        cpaas_status caught = (call);           \
        unsetenv("CPAAS_PANIC");                \
        checked(caught == CPAAS_PANIC, #call, __FILE__, __LINE__); \
    } while (0)

int main(void) {
    cpaas_callback_request request = {.size = sizeof request, .method = "GET", .url = "/"};
    cpaas_receiver *receiver = NULL;
    cpaas_text out;
    memset(&out, 0x5a, sizeof out);
    PANICS(cpaas_receiver_receive_request(receiver, &request, 1, &out));
    CHECK(out.data && strstr(out.data, "\"message\""));
    cpaas_text_free(&out);
    PANICS(cpaas_receiver_forget_request(receiver, &request, 1));
    PANICS(cpaas_client_log(NULL, NULL, NULL, 0));
    return checks_end();
}
