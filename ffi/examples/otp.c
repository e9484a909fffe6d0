/* Sends a one-time passcode, reads it from standard input and verifies it. Configuration: the environment (CPAAS_OTP_URL,
 * CPAAS_ACCOUNT_SID, CPAAS_API_KEY). Links libcjson. Usage: otp TO */
#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "cpaas.h"

/* Calls an operation. Returns the result or the error record; the caller frees it with cJSON_Delete. */
static cJSON *call(cpaas_client *client, const char *operation, cJSON *request, cpaas_status *status) {
    char *json = cJSON_PrintUnformatted(request);
    cpaas_text out;
    *status = cpaas_call(client, operation, json, strlen(json), &out);
    cJSON *result = out.data ? cJSON_Parse(out.data) : NULL;
    cpaas_text_free(&out);
    cJSON_free(json);
    cJSON_Delete(request);
    return result;
}

int main(int argc, char **argv) {
    cpaas_client *client = NULL;
    cpaas_text out;
    cpaas_status status = cpaas_client_new("{}", 2, &client, &out);
    cpaas_text_free(&out);
    if (argc != 2 || status != CPAAS_OK) return 2;

    cJSON *request = cJSON_CreateObject();
    cJSON_AddStringToObject(request, "service", "login");
    cJSON_AddStringToObject(request, "from", "Acme");
    cJSON_AddStringToObject(request, "to", argv[1]);
    cJSON_AddStringToObject(request, "body", "Your code is {code}");
    cJSON *sent = call(client, "otp.send", request, &status);
    printf("%s\nCode: ", cpaas_status_name(status));
    fflush(stdout);

    char code[16] = "";
    int verified_ok = 0;
    if (status == CPAAS_OK && scanf("%15s", code) == 1) {
        request = cJSON_CreateObject();
        cJSON_AddStringToObject(request, "service", "login");
        cJSON_AddStringToObject(request, "requestId", cJSON_GetStringValue(cJSON_GetObjectItem(sent, "requestID")));
        cJSON_AddStringToObject(request, "code", code);
        cJSON *verified = call(client, "otp.verify", request, &status);
        /* A wrong passcode is not an error: the status is CPAAS_OK and `code` is not 200. */
        verified_ok = status == CPAAS_OK && cJSON_GetNumberValue(cJSON_GetObjectItem(verified, "code")) == 200;
        cJSON_Delete(verified);
    }
    puts(verified_ok ? "verified" : "not verified");
    cJSON_Delete(sent);
    cpaas_client_free(client);
    return verified_ok ? 0 : 1;
}
