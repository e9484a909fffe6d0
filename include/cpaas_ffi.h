/* The declarations of cpaas.h for foreign function interfaces. Generated from include/cpaas.h: `cargo run -p codegen` rewrites it. */
enum {
    CPAAS_VERSION_MAJOR = 0,
    CPAAS_VERSION_MINOR = 1,
    CPAAS_VERSION_PATCH = 0,
    CPAAS_VERSION_NUMBER = 100,
    CPAAS_ABI_VERSION = 1,
    CPAAS_VALIDATION_STRICT = 1,
    CPAAS_VALIDATION_WARN = 2,
    CPAAS_VALIDATION_OFF = 3,
    CPAAS_DEFAULT_MAX_CALLS = 16384,
    CPAAS_DEFAULT_MAX_CALLBACK_THREADS = 32,
    CPAAS_STEP_WAIT = 1,
    CPAAS_STEP_SEND = 2,
    CPAAS_STEP_RECEIVE = 3,
    CPAAS_STEP_END = 4,
    CPAAS_SENT_NO = 1,
    CPAAS_SENT_MAYBE = 2,
    CPAAS_RESPONSE_CUT = 1,
    CPAAS_RESPONSE_EARLY = 2,
    CPAAS_LANGUAGE_TR = 2,
    CPAAS_LANGUAGE_ES = 4,
    CPAAS_LANGUAGE_PT = 8,
    CPAAS_LANGUAGE_BN = 16,
    CPAAS_LANGUAGE_GU = 32,
    CPAAS_LANGUAGE_HI = 64,
    CPAAS_LANGUAGE_KN = 128,
    CPAAS_LANGUAGE_ML = 256,
    CPAAS_LANGUAGE_OR = 512,
    CPAAS_LANGUAGE_PA = 1024,
    CPAAS_LANGUAGE_TA = 2048,
    CPAAS_LANGUAGE_TE = 4096,
    CPAAS_LANGUAGE_UR = 8192,
    CPAAS_LANGUAGE_AUTO = 16382,
    CPAAS_GSM7 = 1,
    CPAAS_UCS2 = 2,
    CPAAS_SPLIT_CODE_POINT = 0,
    CPAAS_SPLIT_GRAPHEME = 1,
    CPAAS_RECEIVER_MEMORY = 10000,
    CPAAS_LOG_ERROR = 1,
    CPAAS_LOG_WARN = 2,
    CPAAS_LOG_INFO = 3,
    CPAAS_LOG_DEBUG = 4,
    CPAAS_OK = 0,
    CPAAS_INVALID = 1,
    CPAAS_REJECTED = 2,
    CPAAS_NOT_SENT = 3,
    CPAAS_UNKNOWN = 4,
    CPAAS_ACCEPTED_ID_UNKNOWN = 5,
    CPAAS_NOT_VERIFIED = 6,
    CPAAS_BAD_ARGUMENT = 16,
    CPAAS_BAD_UTF8 = 17,
    CPAAS_BAD_HANDLE = 18,
    CPAAS_BAD_NAME = 19,
    CPAAS_TOO_SMALL = 20,
    CPAAS_CALLBACK_REJECTED = 21,
    CPAAS_BAD_TEXT = 22,
    CPAAS_NO_THREAD = 23,
    CPAAS_TOO_MANY_CALLS = 24,
    CPAAS_NOT_FOUND = 25,
    CPAAS_PANIC = 32,
};
typedef uint32_t cpaas_status;
typedef struct cpaas_client cpaas_client;
typedef struct cpaas_exchange cpaas_exchange;
typedef struct cpaas_receiver cpaas_receiver;
typedef struct cpaas_text {
    const char *data;
    size_t len;
} cpaas_text;
typedef int32_t (*cpaas_suppression)(void *user_data, const char *number, size_t len);
typedef void (*cpaas_log)(void *user_data, uint32_t level, const char *text, size_t len);
typedef struct cpaas_call_options {
    size_t size;
    uint32_t timeout_ms;
    uint32_t deadline_ms;
    uint32_t max_attempts;
    uint32_t retry_unknown;
    uint32_t validation;
    uint32_t reserved;
    const char *const *headers;
} cpaas_call_options;
typedef struct cpaas_sms {
    size_t size;
    const char *from;
    const char *to;
    const char *text;
    const char *reference;
    const char *callback;
    uint32_t test;
    uint32_t reserved;
} cpaas_sms;
typedef struct cpaas_sent {
    size_t size;
    char id[128];
} cpaas_sent;
typedef struct cpaas_otp {
    size_t size;
    const char *service;
    const char *from;
    const char *to;
    const char *body;
    const char *channel;
} cpaas_otp;
typedef struct cpaas_otp_check {
    size_t size;
    const char *service;
    const char *request_id;
    const char *code;
} cpaas_otp_check;
typedef struct cpaas_lookup {
    size_t size;
    char mcc[8];
    char mnc[8];
    char network[64];
    char country[64];
    uint32_t ported;
    uint32_t roaming;
    uint32_t absent;
    uint32_t reserved;
} cpaas_lookup;
typedef void (*cpaas_completion)(void *user_data, cpaas_status status, const char *text, size_t len);
typedef struct cpaas_result {
    uint64_t call;
    void *user_data;
    struct cpaas_text text;
    cpaas_status status;
    uint32_t reserved;
} cpaas_result;
typedef struct cpaas_limits {
    size_t size;
    uint32_t max_calls;
    uint32_t max_callback_threads;
} cpaas_limits;
typedef struct cpaas_step {
    size_t size;
    uint32_t kind;
    uint32_t wait_ms;
    const char *method;
    const char *url;
    const char *host;
    const char *target;
    const char *const *headers;
    const char *body;
    size_t body_len;
    uint32_t new_connection;
} cpaas_step;
typedef struct cpaas_response {
    size_t size;
    uint32_t http_status;
    uint32_t flags;
    const char *headers;
    size_t headers_len;
    const char *body;
    size_t body_len;
} cpaas_response;
typedef struct cpaas_segment_count {
    uint32_t encoding;
    uint32_t count;
    uint32_t units;
    uint32_t remaining;
} cpaas_segment_count;
typedef struct cpaas_segment_options {
    size_t size;
    uint32_t reference_bits;
    uint32_t split;
    uint32_t encoding;
    uint32_t reserved;
    uint32_t languages;
    uint32_t reserved2;
} cpaas_segment_options;
typedef struct cpaas_segment {
    size_t start;
    size_t end;
    uint32_t units;
} cpaas_segment;
typedef struct cpaas_callback_request {
    size_t size;
    const char *method;
    const char *url;
    const char *content_type;
    const char *body;
    size_t body_len;
} cpaas_callback_request;
const char *cpaas_status_name(uint32_t status);
void cpaas_text_free(struct cpaas_text *text);
const char *cpaas_version(void);
uint32_t cpaas_version_number(void);
uint32_t cpaas_abi_version(void);
cpaas_status cpaas_json_string(const char *text,
                               size_t len,
                               struct cpaas_text *out);
cpaas_status cpaas_json_get(const char *json,
                            size_t len,
                            const char *pointer,
                            struct cpaas_text *out);
cpaas_status cpaas_json_type(const char *json,
                             size_t len,
                             const char *pointer,
                             struct cpaas_text *out);
cpaas_status cpaas_client_new(const char *config,
                              size_t len,
                              struct cpaas_client **client,
                              struct cpaas_text *out);
void cpaas_client_free(struct cpaas_client *client);
cpaas_status cpaas_client_suppression(const struct cpaas_client *client,
                                      cpaas_suppression is_suppressed,
                                      void *user_data);
cpaas_status cpaas_client_guard(const struct cpaas_client *client,
                                const char *settings,
                                size_t len,
                                struct cpaas_text *out);
cpaas_status cpaas_client_log(const struct cpaas_client *client,
                              cpaas_log log,
                              void *user_data,
                              uint32_t level);
cpaas_status cpaas_call(const struct cpaas_client *client,
                        const char *operation,
                        const char *request,
                        size_t len,
                        struct cpaas_text *out);
cpaas_status cpaas_call_with(const struct cpaas_client *client,
                             const char *operation,
                             const char *request,
                             size_t len,
                             const struct cpaas_call_options *options,
                             struct cpaas_text *out);
cpaas_status cpaas_sms_send(const struct cpaas_client *client,
                            const struct cpaas_sms *sms,
                            const struct cpaas_call_options *options,
                            struct cpaas_sent *sent,
                            struct cpaas_text *out);
cpaas_status cpaas_otp_send(const struct cpaas_client *client,
                            const struct cpaas_otp *otp,
                            const struct cpaas_call_options *options,
                            struct cpaas_sent *sent,
                            struct cpaas_text *out);
cpaas_status cpaas_otp_verify(const struct cpaas_client *client,
                              const struct cpaas_otp_check *check,
                              const struct cpaas_call_options *options,
                              _Bool *verified,
                              struct cpaas_text *out);
cpaas_status cpaas_lookup_one(const struct cpaas_client *client,
                              const char *msisdn,
                              const struct cpaas_call_options *options,
                              struct cpaas_lookup *lookup,
                              struct cpaas_text *out);
cpaas_status cpaas_sent_read(const char *json,
                             size_t len,
                             struct cpaas_sent *sent);
cpaas_status cpaas_lookup_read(const char *json,
                               size_t len,
                               struct cpaas_lookup *lookup);
cpaas_status cpaas_call_async(const struct cpaas_client *client,
                              const char *operation,
                              const char *request,
                              size_t len,
                              const struct cpaas_call_options *options,
                              cpaas_completion done,
                              void *user_data,
                              uint64_t *call);
cpaas_status cpaas_call_start(const struct cpaas_client *client,
                              const char *operation,
                              const char *request,
                              size_t len,
                              const struct cpaas_call_options *options,
                              void *user_data,
                              uint64_t *call);
cpaas_status cpaas_call_start_with(const struct cpaas_client *client,
                                   const char *operation,
                                   const char *request,
                                   size_t len,
                                   const struct cpaas_call_options *options,
                                   cpaas_completion done,
                                   void *user_data,
                                   uint64_t *call,
                                   struct cpaas_text *out);
cpaas_status cpaas_cancel(const struct cpaas_client *client,
                          uint64_t call);
cpaas_status cpaas_sms_start(const struct cpaas_client *client,
                             const struct cpaas_sms *sms,
                             const struct cpaas_call_options *options,
                             cpaas_completion done,
                             void *user_data,
                             uint64_t *call,
                             struct cpaas_text *out);
cpaas_status cpaas_otp_start(const struct cpaas_client *client,
                             const struct cpaas_otp *otp,
                             const struct cpaas_call_options *options,
                             cpaas_completion done,
                             void *user_data,
                             uint64_t *call,
                             struct cpaas_text *out);
cpaas_status cpaas_otp_verify_start(const struct cpaas_client *client,
                                    const struct cpaas_otp_check *check,
                                    const struct cpaas_call_options *options,
                                    cpaas_completion done,
                                    void *user_data,
                                    uint64_t *call,
                                    struct cpaas_text *out);
cpaas_status cpaas_lookup_start(const struct cpaas_client *client,
                                const char *msisdn,
                                const struct cpaas_call_options *options,
                                cpaas_completion done,
                                void *user_data,
                                uint64_t *call,
                                struct cpaas_text *out);
size_t cpaas_poll(const struct cpaas_client *client,
                  struct cpaas_result *results,
                  size_t n);
cpaas_status cpaas_client_drain(const struct cpaas_client *client,
                                uint32_t timeout_ms,
                                struct cpaas_result *results,
                                size_t capacity,
                                size_t *written);
int32_t cpaas_event_fd(const struct cpaas_client *client);
cpaas_status cpaas_set_limits(const struct cpaas_limits *limits);
cpaas_status cpaas_prepare(const struct cpaas_client *client,
                           const char *operation,
                           const char *request,
                           size_t len,
                           struct cpaas_text *out);
cpaas_status cpaas_client_validate(const struct cpaas_client *client,
                                   const char *operation,
                                   const char *request,
                                   size_t len,
                                   struct cpaas_text *out);
cpaas_status cpaas_parse(const struct cpaas_client *client,
                         const char *operation,
                         uint16_t http_status,
                         const char *headers,
                         size_t headers_len,
                         const char *body,
                         size_t body_len,
                         struct cpaas_text *out);
cpaas_status cpaas_exchange_new(const struct cpaas_client *client,
                                const char *operation,
                                const char *request,
                                size_t len,
                                const struct cpaas_call_options *options,
                                struct cpaas_exchange **exchange,
                                struct cpaas_text *out);
cpaas_status cpaas_exchange_step(struct cpaas_exchange *exchange,
                                 struct cpaas_step *step);
cpaas_status cpaas_exchange_respond(struct cpaas_exchange *exchange,
                                    const struct cpaas_response *response);
cpaas_status cpaas_exchange_fail(struct cpaas_exchange *exchange,
                                 uint32_t sent,
                                 const char *reason);
cpaas_status cpaas_exchange_cancel(struct cpaas_exchange *exchange,
                                   uint32_t sent);
cpaas_status cpaas_exchange_end(struct cpaas_exchange *exchange,
                                struct cpaas_text *out);
void cpaas_exchange_free(struct cpaas_exchange *exchange);
 cpaas_status cpaas_operations(struct cpaas_text *out);
cpaas_status cpaas_provider_code(const char *family,
                                 int64_t code,
                                 struct cpaas_text *out);
cpaas_status cpaas_validate(const char *operation,
                            const char *request,
                            size_t len,
                            struct cpaas_text *out);
cpaas_status cpaas_validate_limited(const char *operation,
                                    const char *request,
                                    size_t len,
                                    size_t limit,
                                    struct cpaas_text *out);
cpaas_status cpaas_problem_details(const char *report,
                                   size_t len,
                                   const char *members,
                                   size_t members_len,
                                   struct cpaas_text *out);
cpaas_status cpaas_check(const char *name,
                         const char *arguments,
                         size_t len,
                         struct cpaas_text *out);
cpaas_status cpaas_count_segments(const char *text,
                                  size_t len,
                                  struct cpaas_segment_count *count);
cpaas_status cpaas_segments(const char *text,
                            size_t len,
                            const struct cpaas_segment_options *options,
                            struct cpaas_segment *parts,
                            size_t capacity,
                            size_t *written,
                            struct cpaas_segment_count *count);
cpaas_status cpaas_segments_json(const char *text,
                                 size_t len,
                                 const char *options,
                                 struct cpaas_text *out);
cpaas_status cpaas_estimate(const char *text,
                            size_t len,
                            const char *price_per_part,
                            struct cpaas_text *out);
cpaas_status cpaas_estimate_to(const char *text,
                               size_t len,
                               const char *prices,
                               const char *to,
                               struct cpaas_text *out);
cpaas_status cpaas_annotate(const char *text,
                            size_t len,
                            struct cpaas_text *out);
cpaas_status cpaas_estimate_with(const char *text,
                                 size_t len,
                                 const char *price_per_part,
                                 const char *options,
                                 struct cpaas_text *out);
cpaas_status cpaas_annotate_with(const char *text,
                                 size_t len,
                                 const char *options,
                                 struct cpaas_text *out);
cpaas_status cpaas_encode(const char *text,
                          size_t len,
                          const char *options,
                          struct cpaas_text *out);
cpaas_status cpaas_decode(const char *parts,
                          size_t len,
                          struct cpaas_text *out);
cpaas_status cpaas_transliterate(const char *text,
                                 size_t len,
                                 struct cpaas_text *out);
cpaas_status cpaas_template_segments(const char *template_,
                                     size_t len,
                                     const char *values,
                                     const char *options,
                                     struct cpaas_text *out);
cpaas_status cpaas_intent(const char *text,
                          size_t len,
                          struct cpaas_text *out);
cpaas_status cpaas_autofill_body(const char *text,
                                 size_t len,
                                 const char *options,
                                 struct cpaas_text *out);
cpaas_status cpaas_check_autofill(const char *message,
                                  size_t len,
                                  struct cpaas_text *out);
cpaas_status cpaas_app_hash(const char *package,
                            const char *certificate,
                            size_t len,
                            struct cpaas_text *out);
cpaas_status cpaas_normalize_number(const char *number,
                                    size_t len,
                                    const char *region,
                                    struct cpaas_text *out);
cpaas_status cpaas_check_number(const char *number,
                                size_t len,
                                const char *region,
                                struct cpaas_text *out);
cpaas_status cpaas_markup_parse(const char *text,
                                size_t len,
                                const char *mode,
                                struct cpaas_text *out);
cpaas_status cpaas_markup_escape(const char *text,
                                 size_t len,
                                 const char *mode,
                                 struct cpaas_text *out);
cpaas_status cpaas_receive(const char *config,
                           size_t config_len,
                           const char *request,
                           size_t request_len,
                           uint64_t now,
                           struct cpaas_text *out);
cpaas_status cpaas_token_mint(const char *config,
                              size_t config_len,
                              const char *request,
                              size_t request_len,
                              uint64_t now,
                              struct cpaas_text *out);
cpaas_status cpaas_receiver_new(const char *config,
                                size_t len,
                                struct cpaas_receiver **receiver,
                                struct cpaas_text *out);
cpaas_status cpaas_receiver_receive(const struct cpaas_receiver *receiver,
                                    const char *request,
                                    size_t request_len,
                                    uint64_t now,
                                    struct cpaas_text *out);
cpaas_status cpaas_receiver_forget(const struct cpaas_receiver *receiver,
                                   const char *request,
                                   size_t request_len,
                                   uint64_t now);
void cpaas_receiver_free(struct cpaas_receiver *receiver);
cpaas_status cpaas_receiver_lease(const struct cpaas_receiver *receiver,
                                  uint32_t seconds);
cpaas_status cpaas_receiver_done(const struct cpaas_receiver *receiver,
                                 const char *lease,
                                 size_t len);
cpaas_status cpaas_receiver_free_lease(const struct cpaas_receiver *receiver,
                                       const char *lease,
                                       size_t len);
cpaas_status cpaas_receiver_receive_request(const struct cpaas_receiver *receiver,
                                            const struct cpaas_callback_request *request,
                                            uint64_t now,
                                            struct cpaas_text *out);
cpaas_status cpaas_receiver_forget_request(const struct cpaas_receiver *receiver,
                                           const struct cpaas_callback_request *request,
                                           uint64_t now);
void cpaas_shutdown(void);
cpaas_status cpaas_log_callback(cpaas_log log,
                                void *user_data,
                                uint32_t level);
