/* The baseline of send_cpaas.c: sends the same messages with libcurl and jansson, over one handle. Usage: send_curl PORT COUNT */
#include <curl/curl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct body {
    char data[16384];
    size_t len;
} body;

static size_t append(char *data, size_t size, size_t count, void *user_data) {
    body *response = user_data;
    size_t len = size * count;
    if (len > sizeof response->data - response->len) return 0;
    memcpy(response->data + response->len, data, len);
    response->len += len;
    return len;
}

int main(int argc, char **argv) {
    static body response;
    if (argc != 3) return 2;
    char url[128];
    snprintf(url, sizeof url, "http://127.0.0.1:%s/sms", argv[1]);
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
    headers = curl_slist_append(headers, "Accept: application/json");
    headers = curl_slist_append(headers, "X-Service-API-Key: key");
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, 20L);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, append);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &response);
    size_t ids = 0;
    int count = atoi(argv[2]);
    for (int i = 0; i < count; i++) {
        json_t *request = json_pack("{s:s,s:s,s:s}", "from", "Acme", "to", "306912345678", "text", "Your table is ready");
        char *json = json_dumps(request, JSON_COMPACT);
        long http_status = 0;
        response.len = 0;
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, json);
        if (curl_easy_perform(curl) == CURLE_OK) {
            curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &http_status);
            json_t *result = http_status == 200 ? json_loadb(response.data, response.len, 0, NULL) : NULL;
            if (json_integer_value(json_object_get(result, "responseCode")) == 0) {
                ids += json_string_length(json_object_get(result, "id")) == 36;
            }
            json_decref(result);
        }
        free(json);
        json_decref(request);
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    curl_global_cleanup();
    return ids == (size_t)count ? 0 : 1;
}
