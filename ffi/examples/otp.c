/* Sends a one-time passcode, reads it from standard input and verifies it. Configuration: the environment (CPAAS_OTP_URL,
 * CPAAS_ACCOUNT_SID, CPAAS_API_KEY). Usage: otp TO */
#include <stdio.h>

#include "cpaas.h"

int main(int argc, char **argv) {
    cpaas_client *client = NULL;
    cpaas_text out;
    cpaas_status status = cpaas_client_new("{}", 2, &client, &out);
    cpaas_text_free(&out);
    if (argc != 2 || status != CPAAS_OK) return 2;

    cpaas_otp otp = {.size = sizeof otp, .service = "login", .from = "Acme", .to = argv[1], .body = "Your code is {code}"};
    cpaas_sent sent = {.size = sizeof sent};
    status = cpaas_otp_send(client, &otp, NULL, &sent, &out);
    cpaas_text_free(&out);
    printf("%s\nCode: ", cpaas_status_name(status));
    fflush(stdout);

    char code[16] = "";
    bool verified = false;
    if (status == CPAAS_OK && scanf("%15s", code) == 1) {
        cpaas_otp_check check = {.size = sizeof check, .service = "login", .request_id = sent.id, .code = code};
        status = cpaas_otp_verify(client, &check, NULL, &verified, &out); /* a wrong code: CPAAS_NOT_VERIFIED */
        if (!verified) fprintf(stderr, "%s\n", cpaas_status_name(status));
        cpaas_text_free(&out);
    }
    puts(verified ? "verified" : "not verified");
    cpaas_client_free(client);
    return verified ? 0 : 1;
}
