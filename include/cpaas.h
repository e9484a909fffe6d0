/** @file
 * cpaas: one-time passcodes, SMS, number lookup, chat channels and callbacks of one messaging provider.
 *
 * Conventions of all functions:
 * - Strings are UTF-8 with a length in bytes; they need no terminator. Names, such as `operation` and `mode`, and the
 *   members of structs are C strings.
 * - The library only writes `out`: it overwrites the struct, and never reads or frees it. {NULL, 0} means that
 *   there is no output. Free it with cpaas_text_free.
 * - A function first clears what it writes: after every status except CPAAS_OK, the members of a struct such as `cpaas_sent`, a number
 *   and a handle are empty, 0 or NULL, unless its comment says otherwise. A struct whose `size` is invalid is not written.
 * - For an invalid NULL, an invalid length, invalid UTF-8, a freed handle and an internal error, a function returns a
 *   status; it never crashes. For an invalid argument, `out` contains `{"argument", "message"}`: the name of the
 *   argument, and what it must be.
 * - Threads of the library block all signals.
 * - Every function is thread-safe, unless its comment says otherwise.
 * - There is no global or thread-local "last error": a function writes its error to `out`.
 *
 * Generated from ffi/src; do not edit.
 */

#ifndef CPAAS_H
#define CPAAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CPAAS_VERSION "0.1.0"
#define CPAAS_VERSION_MAJOR 0
#define CPAAS_VERSION_MINOR 1
#define CPAAS_VERSION_PATCH 0
/** major * 10000 + minor * 100 + patch, as `cpaas_version_number` returns it. */
#define CPAAS_VERSION_NUMBER 100
/** The binary interface, as `cpaas_abi_version` returns it. */
#define CPAAS_ABI_VERSION 1

#if defined(__GNUC__) || defined(__clang__)
#define CPAAS_MUST_USE __attribute__((warn_unused_result))
#elif defined(_MSC_VER)
#define CPAAS_MUST_USE _Check_return_
#else
#define CPAAS_MUST_USE
#endif

/**
 * Validation mode: errors prevent the call, warnings do not.
 */
#define CPAAS_VALIDATION_STRICT 1

/**
 * Validation mode: errors become warnings of the result.
 */
#define CPAAS_VALIDATION_WARN 2

/**
 * Validation mode: requests are not validated.
 */
#define CPAAS_VALIDATION_OFF 3

/**
 * The default of `max_calls`.
 */
#define CPAAS_DEFAULT_MAX_CALLS 16384

/**
 * The default of `max_callback_threads`.
 */
#define CPAAS_DEFAULT_MAX_CALLBACK_THREADS 32

/**
 * Step of an exchange: wait `wait_ms`, then call `cpaas_exchange_step` again.
 */
#define CPAAS_STEP_WAIT 1

/**
 * Step of an exchange: send the request once, and report its response or its failure within `wait_ms`.
 */
#define CPAAS_STEP_SEND 2

/**
 * Step of an exchange: the request of the last `CPAAS_STEP_SEND` is still in progress, for at most `wait_ms`. Do not send it again.
 */
#define CPAAS_STEP_RECEIVE 3

/**
 * Step of an exchange: it has ended; `cpaas_exchange_end` returns its outcome.
 */
#define CPAAS_STEP_END 4

/**
 * What the program knows about a request: no byte of it was processed. Only with proof, such as a connection that was not made.
 */
#define CPAAS_SENT_NO 1

/**
 * What the program knows about a request: it may have been processed.
 */
#define CPAAS_SENT_MAYBE 2

/**
 * Flag of a response: the connection ended, or the time passed, before the response was complete.
 */
#define CPAAS_RESPONSE_CUT 1

/**
 * Flag of a response: it began before the whole request was written. Its success is not that of the request.
 */
#define CPAAS_RESPONSE_EARLY 2

/**
 * Language: Turkish (`tr`).
 */
#define CPAAS_LANGUAGE_TR (1 << 1)

/**
 * Language: Spanish (`es`).
 */
#define CPAAS_LANGUAGE_ES (1 << 2)

/**
 * Language: Portuguese (`pt`).
 */
#define CPAAS_LANGUAGE_PT (1 << 3)

/**
 * Language: Bengali (`bn`).
 */
#define CPAAS_LANGUAGE_BN (1 << 4)

/**
 * Language: Gujarati (`gu`).
 */
#define CPAAS_LANGUAGE_GU (1 << 5)

/**
 * Language: Hindi (`hi`).
 */
#define CPAAS_LANGUAGE_HI (1 << 6)

/**
 * Language: Kannada (`kn`).
 */
#define CPAAS_LANGUAGE_KN (1 << 7)

/**
 * Language: Malayalam (`ml`).
 */
#define CPAAS_LANGUAGE_ML (1 << 8)

/**
 * Language: Oriya (`or`).
 */
#define CPAAS_LANGUAGE_OR (1 << 9)

/**
 * Language: Punjabi (`pa`).
 */
#define CPAAS_LANGUAGE_PA (1 << 10)

/**
 * Language: Tamil (`ta`).
 */
#define CPAAS_LANGUAGE_TA (1 << 11)

/**
 * Language: Telugu (`te`).
 */
#define CPAAS_LANGUAGE_TE (1 << 12)

/**
 * Language: Urdu (`ur`).
 */
#define CPAAS_LANGUAGE_UR (1 << 13)

/**
 * Language: all of them.
 */
#define CPAAS_LANGUAGE_AUTO 16382

/**
 * Encoding: the GSM 7-bit default alphabet (3GPP TS 23.038).
 */
#define CPAAS_GSM7 1

/**
 * Encoding: UCS-2, sent as UTF-16.
 */
#define CPAAS_UCS2 2

/**
 * Split: a part may end after any code point, as networks bill it. The default.
 */
#define CPAAS_SPLIT_CODE_POINT 0

/**
 * Split: a part ends after a whole grapheme cluster.
 */
#define CPAAS_SPLIT_GRAPHEME 1

/**
 * How many states of messages a receiver remembers to detect repeated reports.
 */
#define CPAAS_RECEIVER_MEMORY 10000

/**
 * Log level: an internal error of the library.
 */
#define CPAAS_LOG_ERROR 1

/**
 * Log level: a call with an unknown outcome, or abandoned before it ended; a store that failed or did not answer; a passcode
 * without a code in its text; an environment variable whose name resembles that of a setting.
 */
#define CPAAS_LOG_WARN 2

/**
 * Log level: a call that was rejected, not sent or invalid.
 */
#define CPAAS_LOG_INFO 3

/**
 * Log level: every retry, and the end of every other call.
 */
#define CPAAS_LOG_DEBUG 4

/**
 * The result of a function: outcomes of a call, then caller errors, then an internal error. An integer of 32 bits. A
 * number is never reused; a later version may add statuses.
 */
enum cpaas_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : uint32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Accepted.
     */
    CPAAS_OK = 0,
    /**
     * The request is invalid; nothing was sent. `out` contains the error record.
     */
    CPAAS_INVALID = 1,
    /**
     * The provider rejected the request. `out` contains the error record.
     */
    CPAAS_REJECTED = 2,
    /**
     * The request was not processed: another call cannot act twice. `out` contains the error record.
     */
    CPAAS_NOT_SENT = 3,
    /**
     * The request may have been processed. `out` contains the error record.
     */
    CPAAS_UNKNOWN = 4,
    /**
     * Accepted, but the response with the id was lost. `out` contains the error record.
     */
    CPAAS_ACCEPTED_ID_UNKNOWN = 5,
    /**
     * The passcode of `otp.verify` is wrong, expired or already used, or no passcode has this id and service (code 404). `out`
     * contains the provider's response.
     */
    CPAAS_NOT_VERIFIED = 6,
    /**
     * An argument is invalid. `out` names it: `{"argument", "message"}`.
     */
    CPAAS_BAD_ARGUMENT = 16,
    /**
     * A string is not valid UTF-8.
     */
    CPAAS_BAD_UTF8 = 17,
    /**
     * The handle is invalid or was freed.
     */
    CPAAS_BAD_HANDLE = 18,
    /**
     * Unknown operation, mode or check.
     */
    CPAAS_BAD_NAME = 19,
    /**
     * The caller's array is too small; the function documents which number was written.
     */
    CPAAS_TOO_SMALL = 20,
    /**
     * A callback request was rejected, or a token cannot be made. `out` contains the reason for the log.
     */
    CPAAS_CALLBACK_REJECTED = 21,
    /**
     * The text or the configuration is invalid. The output, if the function has an output argument, contains the error.
     */
    CPAAS_BAD_TEXT = 22,
    /**
     * A thread or the runtime of the library could not be started, or the calling thread is ending: in an `atexit` handler, or in the
     * destructor of a static or thread-local object. `out` contains `{"message"}`.
     */
    CPAAS_NO_THREAD = 23,
    /**
     * The limit of calls that have not ended is reached (`cpaas_set_limits`); nothing was sent. `out` contains `{"message"}`.
     */
    CPAAS_TOO_MANY_CALLS = 24,
    /**
     * The JSON has no value at this pointer, or the table of codes has no such code.
     */
    CPAAS_NOT_FOUND = 25,
    /**
     * An internal error of the library; the process may continue. The request may have been sent. `out` contains `{"message"}`.
     */
    CPAAS_PANIC = 32,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum cpaas_status cpaas_status;
#else
typedef uint32_t cpaas_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A client: addresses, credentials and connections. Opaque. The library looks the pointer up in a table and never
 * dereferences it, so that an invalid or freed handle is `CPAAS_BAD_HANDLE`.
 */
typedef struct cpaas_client cpaas_client;

/**
 * A call whose HTTP requests the program sends. Opaque, and looked up like a client.
 */
typedef struct cpaas_exchange cpaas_exchange;

/**
 * A receiver of callbacks: its configuration, and the states of messages that it has seen. Opaque, and looked up like a
 * client.
 */
typedef struct cpaas_receiver cpaas_receiver;

/**
 * A string for the caller: UTF-8, `len` bytes and a NUL after them. Do not change the bytes. Free the string with
 * `cpaas_text_free`. `{NULL, 0}` means that there is no string.
 */
typedef struct cpaas_text {
    /**
     * The bytes, or NULL.
     */
    const char *data;
    /**
     * The number of bytes, without the NUL.
     */
    size_t len;
} cpaas_text;

/**
 * Returns 1 if the number gets no SMS, 0 if it does, and any other value if that is not known. `number` is the number in the form that
 * is sent, digits with the country code, `len` bytes and a NUL after them, valid during the call only.
 *
 * The library calls the function on threads that do nothing else, at most 64 at a time. It may block; after five seconds, or at the
 * deadline of the call, the call ends without it. While 64 are running, further calls wait, which counts toward the five seconds. It
 * must not throw or longjmp, and must not call this library: there, functions that make or start calls, drain a client or set a log are
 * `CPAAS_BAD_ARGUMENT`. For an exchange, it runs on the thread that calls the library, which waits for it.
 */
typedef int32_t (*cpaas_suppression)(void *user_data, const char *number, size_t len);

/**
 * Receives log lines. `level` is one of `CPAAS_LOG_...`; `text` is one line of UTF-8, `len` bytes and a NUL after
 * them, valid during the call only. A line never contains a key, a message text, a phone number or a code. It has at most
 * 2,000 characters and no control character: names that the program chose, such as references, are changed accordingly. A
 * value with white space, `=` or `"` is in double quotes, with `\` before each `"` and `\`.
 *
 * The library may call the function on any thread, and on several threads at once. SIGPIPE is blocked while it runs: a
 * write to a closed pipe fails with EPIPE. The function must not throw, and must not call this library: there, functions that make or start
 * calls, drain a client or set a log are `CPAAS_BAD_ARGUMENT`.
 */
typedef void (*cpaas_log)(void *user_data, uint32_t level, const char *text, size_t len);

/**
 * Options of one call. Zero the struct, then set `size` to `sizeof(cpaas_call_options)` and the options you need; 0
 * means the client's setting. A larger struct from a newer header is accepted if the members that this library does not
 * know are 0.
 */
typedef struct cpaas_call_options {
    /**
     * The size of this struct, in bytes.
     */
    size_t size;
    /**
     * Time limit of one attempt, in milliseconds.
     */
    uint32_t timeout_ms;
    /**
     * Time limit of all attempts and the delays between them, in milliseconds.
     */
    uint32_t deadline_ms;
    /**
     * The maximum number of attempts.
     */
    uint32_t max_attempts;
    /**
     * 1: retry after an unknown outcome, which may send a second message; 2: do not.
     */
    uint32_t retry_unknown;
    /**
     * `CPAAS_VALIDATION_STRICT`, `CPAAS_VALIDATION_WARN` or `CPAAS_VALIDATION_OFF`.
     */
    uint32_t validation;
    /**
     * Must be 0.
     */
    uint32_t reserved;
    /**
     * NULL, or headers that are added to every request of the call: an array of C strings, each name followed by its value,
     * and NULL at the end. A call with a header that the client sets itself, or that contains credentials, is
     * `CPAAS_INVALID`. The library copies the strings.
     */
    const char *const *headers;
} cpaas_call_options;

/**
 * An SMS. Zero the struct, then set `size` to `sizeof(cpaas_sms)` and the members you need. The members are C strings in
 * UTF-8; they are not JSON and need no escapes.
 */
typedef struct cpaas_sms {
    /**
     * The size of this struct, in bytes.
     */
    size_t size;
    /**
     * The sender: a name or a number.
     */
    const char *from;
    /**
     * The recipient: international number, digits without plus sign.
     */
    const char *to;
    /**
     * The message text.
     */
    const char *text;
    /**
     * NULL, or a tag that callbacks and error records contain.
     */
    const char *reference;
    /**
     * NULL, or the URL that receives the delivery reports of this message.
     */
    const char *callback;
    /**
     * 1: nothing is dispatched to a handset.
     */
    uint32_t test;
    /**
     * Must be 0.
     */
    uint32_t reserved;
} cpaas_sms;

/**
 * The id of a message or a passcode that was sent. Set `size` to `sizeof(cpaas_sent)`; the library writes the other
 * members. A smaller size is `CPAAS_BAD_ARGUMENT`.
 */
typedef struct cpaas_sent {
    /**
     * The size of this struct, in bytes.
     */
    size_t size;
    /**
     * The id of the message or the passcode, a C string. Empty if it is unknown, contains NUL or is longer than 127 bytes; `out`
     * contains the whole id.
     */
    char id[128];
} cpaas_sent;

/**
 * A one-time passcode. Zero the struct, then set `size` to `sizeof(cpaas_otp)` and the members you need.
 */
typedef struct cpaas_otp {
    /**
     * The size of this struct, in bytes.
     */
    size_t size;
    /**
     * The service identifier.
     */
    const char *service;
    /**
     * The sender.
     */
    const char *from;
    /**
     * The recipient's number.
     */
    const char *to;
    /**
     * The message text; `{code}` is replaced by the passcode.
     */
    const char *body;
    /**
     * NULL, `sms` or `call`.
     */
    const char *channel;
} cpaas_otp;

/**
 * The check of a passcode. Zero the struct, then set `size` to `sizeof(cpaas_otp_check)` and all members.
 */
typedef struct cpaas_otp_check {
    /**
     * The size of this struct, in bytes.
     */
    size_t size;
    /**
     * The service identifier of the send.
     */
    const char *service;
    /**
     * The id of the send (`cpaas_sent`).
     */
    const char *request_id;
    /**
     * The passcode that the user submitted.
     */
    const char *code;
} cpaas_otp_check;

/**
 * The result of a lookup of one number (section C1). Set `size` to `sizeof(cpaas_lookup)`; the library writes the other
 * members. A smaller size is `CPAAS_BAD_ARGUMENT`. Strings are C strings; one that is unknown or contains NUL is empty, and a long one is
 * truncated. `ported`, `roaming` and `absent` are 1 for yes, 2 for no and 0 if unknown.
 */
typedef struct cpaas_lookup {
    /**
     * The size of this struct, in bytes.
     */
    size_t size;
    /**
     * Mobile country code.
     */
    char mcc[8];
    /**
     * Mobile network code.
     */
    char mnc[8];
    /**
     * The current network of the number: after a porting, the new network.
     */
    char network[64];
    /**
     * The country of that network.
     */
    char country[64];
    /**
     * Whether the number was ported to another network.
     */
    uint32_t ported;
    /**
     * Whether the number is in a foreign network.
     */
    uint32_t roaming;
    /**
     * Whether the number is unreachable.
     */
    uint32_t absent;
    /**
     * Always 0.
     */
    uint32_t reserved;
} cpaas_lookup;

/**
 * Receives the outcome of a call that `cpaas_call_async` started. The library calls it exactly once for each call,
 * also after `cpaas_cancel`, on one of its own threads.
 *
 * `text` is the result or the error record as JSON, `len` bytes and a NUL after them, or NULL. It is valid during the
 * callback only. The function may block, and may call any function except `cpaas_shutdown` and
 * `cpaas_client_free` of its own client. It must not throw or longjmp. At most `max_callback_threads` callbacks run at a
 * time (`cpaas_set_limits`), so a callback must not wait for another one.
 */
typedef void (*cpaas_completion)(void *user_data, cpaas_status status, const char *text, size_t len);

/**
 * The result of an asynchronous call without a callback. The size of this struct never changes.
 */
typedef struct cpaas_result {
    /**
     * The number of the call.
     */
    uint64_t call;
    /**
     * The `user_data` of the call.
     */
    void *user_data;
    /**
     * The result or the error record as JSON, or `{NULL, 0}`. Free it with `cpaas_text_free`.
     */
    struct cpaas_text text;
    /**
     * The outcome, as `cpaas_call` returns it.
     */
    cpaas_status status;
    /**
     * Always 0.
     */
    uint32_t reserved;
} cpaas_result;

/**
 * The limits of the process. Zero the struct, then set `size` to `sizeof(cpaas_limits)` and the limits you need; 0 is
 * the default.
 */
typedef struct cpaas_limits {
    /**
     * The size of this struct, in bytes.
     */
    size_t size;
    /**
     * At most this many asynchronous calls whose callback has not returned, or whose result was not polled; 16,384 by
     * default. A further call is `CPAAS_TOO_MANY_CALLS`.
     */
    uint32_t max_calls;
    /**
     * At most this many threads that run callbacks; 32 by default. Further callbacks wait for a thread.
     */
    uint32_t max_callback_threads;
} cpaas_limits;

/**
 * What the program does next. Set `size` to `sizeof(cpaas_step)`. The strings and the body are those of `CPAAS_STEP_SEND`, else NULL;
 * they are valid until the exchange is freed. They contain credentials: do not log them.
 */
typedef struct cpaas_step {
    /**
     * The size of this struct, in bytes.
     */
    size_t size;
    /**
     * `CPAAS_STEP_WAIT`, `CPAAS_STEP_SEND`, `CPAAS_STEP_RECEIVE` or `CPAAS_STEP_END`.
     */
    uint32_t kind;
    /**
     * The time until the next `cpaas_exchange_step`, in milliseconds.
     */
    uint32_t wait_ms;
    /**
     * The method, such as `POST`.
     */
    const char *method;
    /**
     * The absolute URL.
     */
    const char *url;
    /**
     * The host of the URL, with the port if the URL has one: the value of the header `host`.
     */
    const char *host;
    /**
     * The path and the query of the URL.
     */
    const char *target;
    /**
     * The header lines, such as `content-type: application/json`, and NULL at the end. `host`, `content-length`, `user-agent` and the
     * headers of the connection are the program's.
     */
    const char *const *headers;
    /**
     * The body, `body_len` bytes and a NUL after them; NULL if the request has no body. A body of length 0 needs `content-length: 0`.
     */
    const char *body;
    /**
     * The number of bytes of the body.
     */
    size_t body_len;
    /**
     * 1 if the request must have a connection that carried no other one, else 0. A response that a proxy delivers twice would otherwise
     * verify a wrong passcode.
     */
    uint32_t new_connection;
} cpaas_step;

/**
 * A response that the program received. Zero the struct, then set `size` to `sizeof(cpaas_response)`. The library copies what it keeps.
 */
typedef struct cpaas_response {
    /**
     * The size of this struct, in bytes.
     */
    size_t size;
    /**
     * The HTTP status, from 100 to 999.
     */
    uint32_t http_status;
    /**
     * 0, `CPAAS_RESPONSE_CUT`, `CPAAS_RESPONSE_EARLY` or both.
     */
    uint32_t flags;
    /**
     * The header lines as received, `headers_len` bytes. Lines without a colon are ignored, and a status line begins a new block, of
     * which only the last counts.
     */
    const char *headers;
    /**
     * The number of bytes of the headers.
     */
    size_t headers_len;
    /**
     * The body without transfer and content coding, `body_len` bytes.
     */
    const char *body;
    /**
     * The number of bytes of the body.
     */
    size_t body_len;
} cpaas_response;

/**
 * The number of SMS parts of a text. The size of this struct never changes.
 */
typedef struct cpaas_segment_count {
    /**
     * `CPAAS_GSM7` or `CPAAS_UCS2`.
     */
    uint32_t encoding;
    /**
     * The number of parts; 1 for an empty text.
     */
    uint32_t count;
    /**
     * The length of the text in septets (GSM 7-bit) or UTF-16 code units.
     */
    uint32_t units;
    /**
     * The number of units that still fit into the last part.
     */
    uint32_t remaining;
} cpaas_segment_count;

/**
 * How a text is split. Zero the struct, then set `size` to `sizeof(cpaas_segment_options)` and the options you need;
 * 0 is the default. A larger struct from a newer header is accepted if the members that this library does not know
 * are 0.
 */
typedef struct cpaas_segment_options {
    /**
     * The size of this struct, in bytes.
     */
    size_t size;
    /**
     * The size of the concatenation reference in bits: 8 (or 0) or 16.
     */
    uint32_t reference_bits;
    /**
     * `CPAAS_SPLIT_CODE_POINT` or `CPAAS_SPLIT_GRAPHEME`.
     */
    uint32_t split;
    /**
     * `CPAAS_GSM7` or `CPAAS_UCS2` to force an encoding; 0: the encoding that the text needs.
     */
    uint32_t encoding;
    /**
     * Must be 0.
     */
    uint32_t reserved;
    /**
     * The languages whose national tables may be used: the sum of `CPAAS_LANGUAGE_` constants; 0: none.
     */
    uint32_t languages;
    /**
     * Must be 0.
     */
    uint32_t reserved2;
} cpaas_segment_options;

/**
 * One part of a text, as a range of bytes. The size of this struct never changes.
 */
typedef struct cpaas_segment {
    /**
     * The offset of the first byte.
     */
    size_t start;
    /**
     * The offset after the last byte.
     */
    size_t end;
    /**
     * The length of this part in septets or UTF-16 code units, without the concatenation header.
     */
    uint32_t units;
} cpaas_segment;

/**
 * A callback request, as the web server received it. Zero the struct, then set `size` to `sizeof(cpaas_callback_request)` and the
 * members. `method`, `url` and `content_type` are C strings in UTF-8.
 */
typedef struct cpaas_callback_request {
    /**
     * The size of this struct, in bytes.
     */
    size_t size;
    /**
     * The HTTP method.
     */
    const char *method;
    /**
     * The unmodified URL with its query: absolute, or from the path on.
     */
    const char *url;
    /**
     * The header `Content-Type`, or NULL if the request has none.
     */
    const char *content_type;
    /**
     * The unmodified body, any bytes; NULL with length 0 if there is none.
     */
    const char *body;
    /**
     * The length of the body, in bytes.
     */
    size_t body_len;
} cpaas_callback_request;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns the name of a status, such as `CPAAS_NOT_SENT`, or `CPAAS_?` for an unknown number. The string is static:
 * never free it.
 */
const char *cpaas_status_name(uint32_t status);

/**
 * Frees a string of this library and sets it to `{NULL, 0}`. Does nothing for NULL and `{NULL, 0}`, so a second call
 * is safe. A copy of the struct refers to the same bytes: free only one of them.
 *
 * Thread-safe for different strings.
 */
void cpaas_text_free(struct cpaas_text *text);

/**
 * Returns the version of the loaded library, such as `0.1.0`; `CPAAS_VERSION` is the version of the header. The
 * string is static: never free it.
 */
const char *cpaas_version(void);

/**
 * Returns the version of the loaded library as a number: major * 10000 + minor * 100 + patch. `CPAAS_VERSION_NUMBER` is
 * the number of the header's version.
 */
uint32_t cpaas_version_number(void);

/**
 * Returns the version of the binary interface. A program works with every library whose number equals the
 * `CPAAS_ABI_VERSION` of its header. The number follows the SONAME: the minor version until 1.0, then major * 100.
 */
uint32_t cpaas_abi_version(void);

/**
 * Writes a text of `len` bytes as a JSON string to `out`, not NULL: with quotes and escapes. Every text that a program
 * inserts into JSON needs it; text without escapes can change the meaning of a request.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_json_string(const char *text,
                               size_t len,
                               struct cpaas_text *out);

/**
 * Reads a value of JSON, `len` bytes. `pointer` is a JSON pointer (RFC 6901), a C string, such as `/id` or
 * `/problems/0/code`; the empty pointer is the whole JSON. `out`, not NULL, receives a string without quotes and
 * escapes, and any other value as JSON: `null` is also the string `"null"`, which `cpaas_json_type` distinguishes.
 *
 * Errors: `CPAAS_NOT_FOUND` if there is no value at the pointer, `CPAAS_BAD_TEXT` if the text is not JSON,
 * `CPAAS_BAD_ARGUMENT` (also for a pointer that is not empty and does not begin with `/`), `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_json_get(const char *json,
                            size_t len,
                            const char *pointer,
                            struct cpaas_text *out);

/**
 * Reads the type of a value of JSON. The arguments and the errors are those of `cpaas_json_get`. `out`, not NULL,
 * receives `null`, `boolean`, `number`, `string`, `array` or `object`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_json_type(const char *json,
                             size_t len,
                             const char *pointer,
                             struct cpaas_text *out);

/**
 * Creates a client from a configuration, JSON of `len` bytes; docs/c-reference.md lists the settings. A missing setting
 * is read from the environment, for example `sms_url` from `CPAAS_SMS_URL`. If the variable is missing too, the default
 * applies. `{}`, or NULL with length 0, is an empty configuration. Sends nothing. The first client starts the threads
 * that resolve host names; in `libcpaas-core`, it starts none.
 *
 * `client`, not NULL, receives the client if the status is `CPAAS_OK`, else NULL; free it with
 * `cpaas_client_free`. `out`, not NULL, receives the error record.
 *
 * Threads may share a client. A client owns connections: create one and keep it. After a fork the child may use the
 * client of its parent; the child opens new connections.
 *
 * Errors: `CPAAS_INVALID` with an error record for an unknown setting or an invalid value, `CPAAS_BAD_ARGUMENT`,
 * `CPAAS_BAD_UTF8`, `CPAAS_NO_THREAD` if no thread can be started.
 */
CPAAS_MUST_USE
cpaas_status cpaas_client_new(const char *config,
                              size_t len,
                              struct cpaas_client **client,
                              struct cpaas_text *out);

/**
 * Frees a client. Cancels its asynchronous calls and waits until their callbacks have returned. A `cpaas_call` that
 * runs on another thread and an exchange are not affected, but log no more to the function of `cpaas_client_log`. Does nothing for NULL
 * and for a freed client.
 *
 * Must not be called from a callback of the same client, a log function or the suppression function; there, it does not wait. In a callback of another
 * client, it waits at most 4 seconds, because two callbacks may free each other's client; then a callback of the freed client may still run.
 */
void cpaas_client_free(struct cpaas_client *client);

/**
 * Sets the store of numbers that get no SMS, a function of the program; NULL, the initial value, removes it. Calls that begin afterwards
 * consult it before their first attempt: `sms.send`, `sms.send_bulk`, and `messages.*` with the channel `sms`. If a recipient is
 * suppressed, the call is `CPAAS_INVALID` with the problem `suppressed`, and nothing is sent, to nobody. If the function returns
 * another value than 0 or 1, or does not return in time, the problem is `suppression.unavailable`. Passcodes are sent.
 *
 * `user_data` is passed to the function. Both must stay valid until the process ends, because a call that has ended may leave the
 * function running. After a fork the child uses them too.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`.
 *
 * Thread-safe.
 */
cpaas_status cpaas_client_suppression(const struct cpaas_client *client,
                                      cpaas_suppression is_suppressed,
                                      void *user_data);

/**
 * Sets a guard against pumping: it refuses passcodes that look like fraud. `settings` is a JSON object of `len` bytes; `{}` has the
 * defaults, which docs/c.md lists. NULL with length 0, the initial value, removes the guard. A call that it refuses is
 * `CPAAS_INVALID` with a problem `guard.…`, and nothing is sent. The guard counts in memory: for this client and this process, and
 * after a fork the child begins to count anew.
 *
 * `out`, not NULL, receives the error record.
 *
 * Errors: `CPAAS_INVALID` with an error record for an unknown setting or an invalid value, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`,
 * `CPAAS_BAD_HANDLE`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_client_guard(const struct cpaas_client *client,
                                const char *settings,
                                size_t len,
                                struct cpaas_text *out);

/**
 * Sets the log function of a client; NULL, the initial value, turns its log off. The function receives the lines of this client's calls
 * only: also of those that run now, of asynchronous calls, and of calls that are cancelled or freed. The function of
 * `cpaas_log_callback` receives these lines too, and alone those of no call, such as that of a misspelled environment variable. `level`
 * is the most detailed level that is logged, whatever the level of `cpaas_log_callback` is.
 *
 * After the return, the previous function is not running and will not be called again. After `cpaas_client_free` returns, no log
 * function of the client is running or will be called.
 *
 * Errors: `CPAAS_BAD_ARGUMENT` for an unknown level, and for a call from a log function or the suppression function;
 * `CPAAS_BAD_HANDLE`.
 *
 * Thread-safe.
 */
cpaas_status cpaas_client_log(const struct cpaas_client *client,
                              cpaas_log log,
                              void *user_data,
                              uint32_t level);

/**
 * Calls an operation and blocks until it ends, by default for at most 60 seconds.
 *
 * `operation` is an operation id (`cpaas_operations` lists them), such as `sms.send`. `request` is a JSON object of
 * `len` bytes with the member names of the specification. `out`, not NULL, receives the result as JSON if the
 * status is `CPAAS_OK`, else the error record `{"outcome", "sent", "reason", "operation", "message", "processed",
 * "retryable", ...}`, or `{NULL, 0}` for a status without output; free it with `cpaas_text_free`. In the record,
 * `processed` is "no", "maybe" or "yes": whether the request took effect. `retryable` is true if the same call may
 * succeed later and cannot act twice, after a rate limit once `retry_after_ms` has passed.
 *
 * The operation `raw` calls any endpoint with the address and the credentials of a family. Its request is
 * `{"method", "family", "path", "query", "headers", "body"}`; the last three are optional. Its result is
 * `{"status", "headers", "body"}`. A GET is retried like a read, any other method like a send.
 *
 * An `otp.verify` with a wrong or expired passcode is `CPAAS_NOT_VERIFIED`, with the provider's response in `out`.
 *
 * One call sends at most one message, and the status is the outcome of the call. Call again only if the record has
 * `"retryable":true`: otherwise another call may send a second message, or cannot succeed.
 *
 * Errors: `CPAAS_INVALID` to `CPAAS_ACCEPTED_ID_UNKNOWN` with an error record; `CPAAS_NOT_VERIFIED`. Nothing was sent
 * after `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE` and `CPAAS_BAD_NAME`, with `{"argument",
 * "message"}` in `out`, and after `CPAAS_NO_THREAD`. After `CPAAS_PANIC` the request may have been sent.
 *
 * Thread-safe. Must not be called from the log function or the suppression function.
 */
CPAAS_MUST_USE
cpaas_status cpaas_call(const struct cpaas_client *client,
                        const char *operation,
                        const char *request,
                        size_t len,
                        struct cpaas_text *out);

/**
 * The same as `cpaas_call`, with options for this call. `options` may be NULL.
 *
 * Errors: as for `cpaas_call`; `CPAAS_BAD_ARGUMENT` also for options with an invalid `size` or value.
 */
CPAAS_MUST_USE
cpaas_status cpaas_call_with(const struct cpaas_client *client,
                             const char *operation,
                             const char *request,
                             size_t len,
                             const struct cpaas_call_options *options,
                             struct cpaas_text *out);

/**
 * Sends one SMS: `sms.send`, section B1. `options` may be NULL. `sent`, if not NULL, receives the id. `out`, not NULL,
 * receives the result or the error record, as for `cpaas_call`.
 *
 * Errors: as for `cpaas_call`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_sms_send(const struct cpaas_client *client,
                            const struct cpaas_sms *sms,
                            const struct cpaas_call_options *options,
                            struct cpaas_sent *sent,
                            struct cpaas_text *out);

/**
 * Sends a one-time passcode: `otp.send`, section A1. `options` may be NULL. `sent`, if not NULL, receives the id for
 * `cpaas_otp_verify`. `out`, not NULL, receives the result or the error record, as for `cpaas_call`.
 *
 * Errors: as for `cpaas_call`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_otp_send(const struct cpaas_client *client,
                            const struct cpaas_otp *otp,
                            const struct cpaas_call_options *options,
                            struct cpaas_sent *sent,
                            struct cpaas_text *out);

/**
 * Verifies a passcode: `otp.verify`, section A3. `options` may be NULL. `verified`, not NULL, receives true only if the
 * status is `CPAAS_OK`, which means that the passcode is valid. For a wrong, expired or used passcode, the status is
 * `CPAAS_NOT_VERIFIED`. `out`, not NULL, receives the result or the error record, as for `cpaas_call`.
 *
 * Errors: as for `cpaas_call`; `CPAAS_NOT_VERIFIED`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_otp_verify(const struct cpaas_client *client,
                              const struct cpaas_otp_check *check,
                              const struct cpaas_call_options *options,
                              bool *verified,
                              struct cpaas_text *out);

/**
 * Looks up one number: `lookup.numbers`, section C1. `msisdn` is a C string. `options` may be NULL. `lookup`, if not NULL,
 * receives the result. `out`, not NULL, receives the JSON object of the number, or the error record.
 *
 * Errors: as for `cpaas_call`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_lookup_one(const struct cpaas_client *client,
                              const char *msisdn,
                              const struct cpaas_call_options *options,
                              struct cpaas_lookup *lookup,
                              struct cpaas_text *out);

/**
 * Reads the id of a result of `sms.send` or `otp.send`, JSON of `len` bytes, as `cpaas_poll` and callbacks deliver it. `sent`, not
 * NULL, receives it.
 *
 * Errors: `CPAAS_NOT_FOUND` if the result has no id of at most 127 bytes without NUL; then the id in `sent` is empty. `CPAAS_BAD_TEXT` if
 * the text is not JSON, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_sent_read(const char *json,
                             size_t len,
                             struct cpaas_sent *sent);

/**
 * Reads a result of `lookup.numbers`, JSON of `len` bytes, as `cpaas_poll` and callbacks deliver it: an array, whose first element
 * is read, or one of its elements. `lookup`, not NULL, receives it.
 *
 * Errors: `CPAAS_NOT_FOUND` if the array is empty or the element is not an object; then all members of `lookup` are empty.
 * `CPAAS_BAD_TEXT` if the text is not JSON, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_lookup_read(const char *json,
                               size_t len,
                               struct cpaas_lookup *lookup);

/**
 * Starts a call and returns at once; `done` is called exactly once with its outcome. The library copies `operation`
 * and `request`. `options` may be NULL. `call`, if not NULL, receives the number of the call for `cpaas_cancel`, or 0 if no
 * call was started. The number of a call is never 0, and it is written before `done` can run. `user_data` is passed to `done` unchanged; it must stay
 * valid until `done` returns.
 *
 * With any status except `CPAAS_OK` no call was started and `done` is not called.
 *
 * Errors: `CPAAS_BAD_ARGUMENT` (also for a NULL `done`), `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`,
 * `CPAAS_BAD_NAME`, `CPAAS_NO_THREAD`, `CPAAS_TOO_MANY_CALLS`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_call_async(const struct cpaas_client *client,
                              const char *operation,
                              const char *request,
                              size_t len,
                              const struct cpaas_call_options *options,
                              cpaas_completion done,
                              void *user_data,
                              uint64_t *call);

/**
 * Starts a call whose result `cpaas_poll` returns, for programs with an event loop. The arguments and the errors are those
 * of `cpaas_call_async`; `user_data` is returned with the result.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_call_start(const struct cpaas_client *client,
                              const char *operation,
                              const char *request,
                              size_t len,
                              const struct cpaas_call_options *options,
                              void *user_data,
                              uint64_t *call);

/**
 * Starts a call like `cpaas_call_async` and, with a NULL `done`, like `cpaas_call_start`: then `cpaas_poll` returns the result. The
 * library copies `operation`, `request` and `options`. `call`, if not NULL, receives the number of the call for
 * `cpaas_cancel`, written before `done` can run, or 0 if no call was started. `out`, not NULL, names an invalid argument:
 * `{"argument", "message"}`, or contains `{"message"}` for `CPAAS_NO_THREAD`, `CPAAS_TOO_MANY_CALLS` and `CPAAS_PANIC`. It is `{NULL, 0}`
 * if the call was started.
 *
 * With any status except `CPAAS_OK` no call was started, `done` is not called, and `user_data` stays the caller's. A request that breaks a rule is not
 * an invalid argument: its call starts and ends with `CPAAS_INVALID`.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE` (also for a drained client), `CPAAS_BAD_NAME`,
 * `CPAAS_NO_THREAD`, `CPAAS_TOO_MANY_CALLS`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_call_start_with(const struct cpaas_client *client,
                                   const char *operation,
                                   const char *request,
                                   size_t len,
                                   const struct cpaas_call_options *options,
                                   cpaas_completion done,
                                   void *user_data,
                                   uint64_t *call,
                                   struct cpaas_text *out);

/**
 * Cancels an asynchronous call, and returns at once. Its callback still runs, or
 * its result can still be polled, with the actual outcome: `CPAAS_NOT_SENT` if nothing was sent, `CPAAS_UNKNOWN` if the
 * request may have been processed, or the outcome of the response if it arrived first. For a call that has ended or
 * never existed the status is `CPAAS_OK`.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`.
 *
 * Thread-safe.
 */
cpaas_status cpaas_cancel(const struct cpaas_client *client,
                          uint64_t call);

/**
 * Starts `cpaas_sms_send`. The library copies `sms`. The other arguments and the errors are those of `cpaas_call_start_with`;
 * `cpaas_sent_read` reads the id of the result.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_sms_start(const struct cpaas_client *client,
                             const struct cpaas_sms *sms,
                             const struct cpaas_call_options *options,
                             cpaas_completion done,
                             void *user_data,
                             uint64_t *call,
                             struct cpaas_text *out);

/**
 * Starts `cpaas_otp_send`. The library copies `otp`. The other arguments and the errors are those of `cpaas_call_start_with`;
 * `cpaas_sent_read` reads the id of the result, for `cpaas_otp_verify_start`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_otp_start(const struct cpaas_client *client,
                             const struct cpaas_otp *otp,
                             const struct cpaas_call_options *options,
                             cpaas_completion done,
                             void *user_data,
                             uint64_t *call,
                             struct cpaas_text *out);

/**
 * Starts `cpaas_otp_verify`. The library copies `check`. The other arguments and the errors are those of
 * `cpaas_call_start_with`. The call ends with `CPAAS_OK` only if the passcode is valid, and with `CPAAS_NOT_VERIFIED` if it is
 * wrong, expired or used.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_otp_verify_start(const struct cpaas_client *client,
                                    const struct cpaas_otp_check *check,
                                    const struct cpaas_call_options *options,
                                    cpaas_completion done,
                                    void *user_data,
                                    uint64_t *call,
                                    struct cpaas_text *out);

/**
 * Starts `cpaas_lookup_one`. `msisdn` is a C string, which the library copies. The other arguments and the errors are those of
 * `cpaas_call_start_with`; `cpaas_lookup_read` reads the result, the JSON array of `lookup.numbers`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_lookup_start(const struct cpaas_client *client,
                                const char *msisdn,
                                const struct cpaas_call_options *options,
                                cpaas_completion done,
                                void *user_data,
                                uint64_t *call,
                                struct cpaas_text *out);

/**
 * Writes the results of ended calls to `results`, at most `n`, and returns their number. Does not block: 0 means that no
 * result is available, also for an invalid handle. Each asynchronous call without a callback has exactly one result, also after
 * `cpaas_cancel`. Results that were not polled are freed with the client; `cpaas_client_drain` returns them before.
 *
 * Thread-safe: each result is returned once.
 */
CPAAS_MUST_USE
size_t cpaas_poll(const struct cpaas_client *client,
                  struct cpaas_result *results,
                  size_t n);

/**
 * Ends the asynchronous calls of a client before it is freed, so that the program gets the `user_data` of each one back. Refuses
 * further ones with `CPAAS_BAD_HANDLE`, waits at most `timeout_ms` milliseconds for those that run, cancels the rest, and waits for
 * their end, as `cpaas_client_free` does. Then writes the results that were not polled to `results`, an array of
 * `capacity` elements, and their number to `written`, not NULL. Free their texts. `results` may be NULL if `capacity` is 0.
 *
 * The `user_data` of a call with a callback is passed to its callback, which has returned when this function returns. Calls of
 * `cpaas_call` and the typed functions are not affected, and still possible afterwards. A second call waits for nothing.
 *
 * In a callback of the same client it waits for nothing, and in a callback of another client at most 4 seconds after the
 * cancellation: results that are missing then can be polled later.
 *
 * Errors: `CPAAS_TOO_SMALL` if more results are left: handle the `capacity` results that were written, and call again.
 * `CPAAS_BAD_ARGUMENT`, also in a log function or the suppression function, whose call could not end; `CPAAS_BAD_HANDLE`. After both, nothing was drained.
 *
 * Thread-safe: each result is returned once.
 */
CPAAS_MUST_USE
cpaas_status cpaas_client_drain(const struct cpaas_client *client,
                                uint32_t timeout_ms,
                                struct cpaas_result *results,
                                size_t capacity,
                                size_t *written);

/**
 * Returns a file descriptor that is readable while `cpaas_poll` has results, for `poll`, `epoll` and event libraries; on Windows a socket,
 * for `WSAPoll`.
 * Returns -1 if the handle is invalid or no descriptor is free. The descriptor belongs to the client: do not read or
 * close it. The child of a fork must call this function again.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
int32_t cpaas_event_fd(const struct cpaas_client *client);

/**
 * Sets the limits of the process, for calls that start afterwards. Until it is called, the defaults apply.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`.
 *
 * Thread-safe.
 */
cpaas_status cpaas_set_limits(const struct cpaas_limits *limits);

/**
 * Validates a request and returns it as an HTTP request. A program that sends requests with its own HTTP client usually needs
 * `cpaas_exchange_new` instead, which also retries and finds the outcome. `request` is
 * as for `cpaas_call`. `out`, not NULL, receives `{"method", "url", "headers": {name: value}, "body"}`, where
 * `body` is a string or null, or the error record. The URL and the headers contain credentials: do not log them. Sends
 * nothing and starts no thread.
 *
 * Errors: `CPAAS_INVALID` with the error record, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`,
 * `CPAAS_BAD_NAME`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_prepare(const struct cpaas_client *client,
                           const char *operation,
                           const char *request,
                           size_t len,
                           struct cpaas_text *out);

/**
 * Validates a request as `cpaas_validate` does, with the settings of a client: `normalize`, `allow_countries`, `allow_types`, and
 * defaults such as the traffic account. Sends nothing. `out`, not NULL, receives the report.
 *
 * Errors: `CPAAS_BAD_NAME` for an unknown operation, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_client_validate(const struct cpaas_client *client,
                                   const char *operation,
                                   const char *request,
                                   size_t len,
                                   struct cpaas_text *out);

/**
 * Reads the HTTP response to a request of `cpaas_prepare`. `headers` is a JSON object of strings, `headers_len` bytes,
 * or NULL; only `retry-after`, `content-type` and `age` are used. `body` is the unmodified body, `body_len` bytes
 * (NULL with length 0 if there is none). `out`, not NULL, receives the result or the error record, as for `cpaas_call`.
 *
 * If the transport failed, there is no response to read: the outcome is "not sent" if no connection was made, else
 * "unknown". This function does not know the request: compare the `requestID` of `otp.verify` with yours, and count
 * the elements of a bulk result, because here `missing` does not count recipients that the response leaves out.
 *
 * Errors: as for `cpaas_call`; `CPAAS_BAD_ARGUMENT` also if `headers` is not a JSON object.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_parse(const struct cpaas_client *client,
                         const char *operation,
                         uint16_t http_status,
                         const char *headers,
                         size_t headers_len,
                         const char *body,
                         size_t body_len,
                         struct cpaas_text *out);

/**
 * Begins a call whose HTTP requests the program sends: with its own event loop, connections, proxy and TLS. Validation, attempts,
 * delays, deadline, reading of the provider's records and outcome are those of `cpaas_call`. The library uses no socket and no thread
 * for it. Sends nothing.
 *
 * `operation`, `request` and `options` are as for `cpaas_call_with`. `exchange`, not NULL, receives the exchange if the status is
 * `CPAAS_OK`, else NULL; free it with `cpaas_exchange_free`. An invalid request has `CPAAS_OK` too: the exchange ends at its first step
 * with `CPAAS_INVALID`. `out`, not NULL, receives `{"argument", "message"}` for a caller error.
 *
 * Then call `cpaas_exchange_step`, and do what it returns, until `CPAAS_STEP_END`. The exchange does not need its client: freeing the
 * client does not end it. Of the settings of connections, only `max_response_bytes` applies. A function of `cpaas_client_suppression`
 * runs on the calling thread, and the exchange waits for it.
 *
 * One exchange may be used by several threads, but not at the same time: the second one gets `CPAAS_BAD_ARGUMENT`. The child of a fork
 * cannot use the exchanges of its parent, because both would send their requests: `CPAAS_BAD_HANDLE`.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`, `CPAAS_BAD_NAME`.
 *
 * Thread-safe. No function of an exchange may be called from the log function or the suppression function.
 */
CPAAS_MUST_USE
cpaas_status cpaas_exchange_new(const struct cpaas_client *client,
                                const char *operation,
                                const char *request,
                                size_t len,
                                const struct cpaas_call_options *options,
                                struct cpaas_exchange **exchange,
                                struct cpaas_text *out);

/**
 * Returns what the program does next, in `step`, not NULL. Call it after `cpaas_exchange_new`, after each report, and when `wait_ms` has
 * passed: a wait or a request whose time has passed ends then. It may be called earlier too, and does not block.
 *
 * | `kind` | Do this |
 * |---|---|
 * | `CPAAS_STEP_WAIT` | wait for `wait_ms`, then call this function again |
 * | `CPAAS_STEP_SEND` | send this request once: no redirects, and no repetition, not even on another connection; report with `cpaas_exchange_respond` or `cpaas_exchange_fail`; call this function when `wait_ms` has passed without a report |
 * | `CPAAS_STEP_RECEIVE` | go on with the request of the last `CPAAS_STEP_SEND` |
 * | `CPAAS_STEP_END` | call `cpaas_exchange_end` and `cpaas_exchange_free` |
 *
 * Each request is returned once as `CPAAS_STEP_SEND`. If any other step than `CPAAS_STEP_RECEIVE` follows it without a report, its time
 * has passed: abort it, and report nothing about it.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`.
 */
CPAAS_MUST_USE
cpaas_status cpaas_exchange_step(struct cpaas_exchange *exchange,
                                 struct cpaas_step *step);

/**
 * Reports the response to the request of the last `CPAAS_STEP_SEND`. A body that is larger than `max_response_bytes` of the client counts
 * as cut there; a program may stop reading after one byte more.
 *
 * Errors: `CPAAS_BAD_ARGUMENT` for an invalid `size`, status or flag, and if no request is in progress: the response has no effect then.
 * `CPAAS_BAD_HANDLE`.
 */
CPAAS_MUST_USE
cpaas_status cpaas_exchange_respond(struct cpaas_exchange *exchange,
                                    const struct cpaas_response *response);

/**
 * Reports that the request of the last `CPAAS_STEP_SEND` failed before a status line was received. `sent` is `CPAAS_SENT_NO` only with
 * proof that no byte of the request was processed, else `CPAAS_SENT_MAYBE`. `reason` is one of these names:
 *
 * | `reason` | Cause |
 * |---|---|
 * | `dns` | the host name could not be resolved |
 * | `connect` | the connection could not be made |
 * | `tls` | the TLS handshake failed |
 * | `certificate` | the server's certificate was rejected; with `CPAAS_SENT_NO` only another region is tried |
 * | `proxy` | the proxy failed before it opened a tunnel |
 * | `timeout` | the time passed |
 * | `reset` | the connection was lost |
 * | `decode` | the response was not valid HTTP, or its head was too large |
 * | `resources` | the process has run out of file descriptors or another resource |
 *
 * Errors: `CPAAS_BAD_NAME` for an unknown reason; `CPAAS_BAD_ARGUMENT` for another `sent`, for `CPAAS_SENT_NO` with `decode`, and if
 * no request is in progress; `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`. After each of them the exchange is unchanged.
 */
CPAAS_MUST_USE
cpaas_status cpaas_exchange_fail(struct cpaas_exchange *exchange,
                                 uint32_t sent,
                                 const char *reason);

/**
 * Cancels an exchange: its next step is `CPAAS_STEP_END`, and its outcome `CPAAS_NOT_SENT` or `CPAAS_UNKNOWN` with the reason
 * `cancelled`. `sent` is what the program knows about the request in progress, as for `cpaas_exchange_fail`; abort that request. If none
 * is in progress, `sent` has no effect. An exchange that has ended keeps its outcome.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`.
 */
cpaas_status cpaas_exchange_cancel(struct cpaas_exchange *exchange,
                                   uint32_t sent);

/**
 * Returns the outcome of an exchange that has ended. The status and `out`, not NULL, are those of `cpaas_call`. Each call returns the
 * same.
 *
 * Errors: as for `cpaas_call`; `CPAAS_BAD_ARGUMENT` if the exchange has not ended.
 */
CPAAS_MUST_USE
cpaas_status cpaas_exchange_end(struct cpaas_exchange *exchange,
                                struct cpaas_text *out);

/**
 * Frees an exchange, with the strings of its requests. Does nothing for NULL and for a freed exchange. A call that has not ended is
 * cancelled; if its request is in progress, it may have been processed. No other thread may use the exchange or its strings meanwhile, and
 * a suppression or log function of the exchange must not free it.
 */
void cpaas_exchange_free(struct cpaas_exchange *exchange);

/**
 * Writes the list of operations to `out`, not NULL, as JSON: an array of `{"id", "family", "method", "path",
 * "section"}`; `section` is the section of the specification.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE cpaas_status cpaas_operations(struct cpaas_text *out);

/**
 * Writes the meaning of a code of the provider to `out`, not NULL, as JSON: `{"family", "code", "meaning", "advice", "source"}`.
 * `family` is `otp`, `sms`, `lookup`, `messaging`, `messenger_b` or `messenger_c`, `otp.verify` for a code that means
 * something else there, or `report` for the error codes of delivery reports. In an error record, `code_meaning` contains the meaning. docs/provider-codes.md lists the codes.
 *
 * Errors: `CPAAS_NOT_FOUND` for an unknown code or family, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_provider_code(const char *family,
                                 int64_t code,
                                 struct cpaas_text *out);

/**
 * Validates a request of an operation, JSON of `len` bytes, against all rules of the specification. Needs no client
 * and sends nothing.
 *
 * `out`, not NULL, receives the report `{"ok", "errors": [...], "warnings": [...]}`. Each problem has a JSON
 * pointer and a stable code; the report is identical in every language. The status is `CPAAS_OK` even if the report
 * contains errors: read `ok`.
 *
 * Errors: `CPAAS_BAD_NAME` for an unknown operation, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_validate(const char *operation,
                            const char *request,
                            size_t len,
                            struct cpaas_text *out);

/**
 * As `cpaas_validate`, but the report lists at most `limit` problems, the most severe ones, and its member `more` is the number of
 * the others. Without others, the report is that of `cpaas_validate`. Of more than 1,000 problems with one severity, those are listed
 * that are found first; after 1,000 wrong types, or `limit` if it is larger, the other rules are not checked. Use it for requests that
 * your program did not write: the report of `cpaas_validate` can need a thousand times the memory of its request.
 *
 * Errors: `CPAAS_BAD_NAME` for an unknown operation, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_validate_limited(const char *operation,
                                    const char *request,
                                    size_t len,
                                    size_t limit,
                                    struct cpaas_text *out);

/**
 * Writes problem details (RFC 9457) of a report to `out`, not NULL: the body of a response of the type
 * `application/problem+json`. `report` is a report of `cpaas_validate` or `cpaas_check`, `len` bytes. `members` is a
 * JSON object of `members_len` bytes, or NULL with length 0. Its members, such as `type` and `instance`, are added to the
 * result or replace members of the result, except `errors` and `warnings`.
 *
 * The result is `{"type": "about:blank", "title", "status", "detail", "errors": [...], "warnings": [...]}`. The status is 422, or
 * 200 without errors. Each problem has a `pointer` as a fragment of a URI (`#/text`), `detail`, `code` and `severity`.
 *
 * Errors: `CPAAS_BAD_TEXT` for JSON that is not a report, `CPAAS_BAD_ARGUMENT` (also for members that are not a JSON object),
 * `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_problem_details(const char *report,
                                   size_t len,
                                   const char *members,
                                   size_t members_len,
                                   struct cpaas_text *out);

/**
 * Runs a check that is not part of a request. docs/c.md lists the checks by `name`; `arguments` is a JSON object of
 * `len` bytes. `out`, not NULL, receives a report as for `cpaas_validate`.
 *
 * Errors: `CPAAS_BAD_NAME` for an unknown check, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_check(const char *name,
                         const char *arguments,
                         size_t len,
                         struct cpaas_text *out);

/**
 * Counts the SMS parts of a text of `len` bytes (NULL with length 0 is the empty text). `count` must not be NULL.
 * Runs in linear time, allocates nothing and starts no thread.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`; all members of `count` are 0 then.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_count_segments(const char *text,
                                  size_t len,
                                  struct cpaas_segment_count *count);

/**
 * Splits a text of `len` bytes (NULL with length 0 is the empty text) into its SMS parts, as ranges of bytes.
 *
 * `parts` is an array of `capacity` elements; 255 are always enough, and NULL with capacity 0 only counts.
 * `written`, not NULL, receives the number of parts of the text. If it is greater than `capacity`, the status is
 * `CPAAS_TOO_SMALL` and only the first `capacity` parts are written. `options` and `count` may be NULL. After any
 * other error `written` and the members of `count` are 0, and the elements of `parts` are unspecified. Allocates nothing
 * and starts no thread.
 *
 * Errors: `CPAAS_BAD_TEXT` for more than 255 parts, and for a forced encoding that cannot represent a character;
 * `CPAAS_TOO_SMALL`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_segments(const char *text,
                            size_t len,
                            const struct cpaas_segment_options *options,
                            struct cpaas_segment *parts,
                            size_t capacity,
                            size_t *written,
                            struct cpaas_segment_count *count);

/**
 * Splits a text of `len` bytes into its SMS parts. `out`, not NULL, receives JSON: `{"encoding", "count", "units",
 * "remaining", "parts": [...]}`, which is identical in every language. `options` is NULL or a C string with a JSON
 * object `{"referenceBits", "split", "encoding", "languages", "transliterate"}`: `languages` is `"auto"` or a list of
 * ISO 639-1 codes (`tr es pt bn gu hi kn ml or pa ta te ur`), `transliterate` is `true`, `false` or `"auto"`.
 *
 * Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_segments_json(const char *text,
                                 size_t len,
                                 const char *options,
                                 struct cpaas_text *out);

/**
 * Calculates the price of a text of `len` bytes. `price_per_part` is a C string with a decimal number of at most 28
 * digits, without a sign, an exponent or separators, such as `0.0075`. `out`, not NULL, receives JSON: `{"encoding",
 * "count", "units", "remaining", "pricePerPart", "total"}`; the prices are exact decimal numbers, written as strings.
 *
 * Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out` for an invalid price and for more than 255 parts,
 * `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_estimate(const char *text,
                            size_t len,
                            const char *price_per_part,
                            struct cpaas_text *out);

/**
 * Calculates the price of a text of `len` bytes to one or many numbers. `prices` is a C string with CSV whose first line
 * is `prefix,price,currency`; the longest prefix of a number wins. `to` is a C string with one number, or with a JSON
 * list of them. `out`, not NULL, receives JSON: `{"encoding", "count", "units", "remaining", "pricePerPart", "total",
 * "currency", "recipients", "byPrefix", "byCurrency"}`. `byPrefix` has a member for each prefix: `{"recipients", "parts",
 * "pricePerPart", "total", "currency"}`, `byCurrency` one for each currency: `{"recipients", "parts", "total"}`. `pricePerPart` is null
 * if it differs between the recipients; `total` and `currency` are null if the recipients have prices in several currencies.
 *
 * Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out` for invalid prices, for a recipient without a price and
 * for more than 255 parts, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_estimate_to(const char *text,
                               size_t len,
                               const char *prices,
                               const char *to,
                               struct cpaas_text *out);

/**
 * Describes the characters of a text of `len` bytes. `out`, not NULL, receives JSON: `{"characters", "causes",
 * "replaced"}`. `characters` contains the cost of each character, `causes` the characters that force UCS-2 with their
 * replacements, and `replaced` the text with these replacements.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_annotate(const char *text,
                            size_t len,
                            struct cpaas_text *out);

/**
 * `cpaas_estimate` with options, as for `cpaas_segments_json`. `options` may be NULL.
 *
 * Errors: those of `cpaas_estimate`, and `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out` for invalid options.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_estimate_with(const char *text,
                                 size_t len,
                                 const char *price_per_part,
                                 const char *options,
                                 struct cpaas_text *out);

/**
 * `cpaas_annotate` with options: NULL or a C string with a JSON object, of which only `languages` is used. The member
 * `languages` of the result contains the national language tables and the number of parts that they save.
 *
 * Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out` for invalid options, `CPAAS_BAD_ARGUMENT`,
 * `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_annotate_with(const char *text,
                                 size_t len,
                                 const char *options,
                                 struct cpaas_text *out);

/**
 * Encodes a text of `len` bytes as the user data of SMS parts. `out`, not NULL, receives JSON: `{"encoding", "count",
 * "parts": [{"udh", "ud", "udl", "dcs"}]}`; octets are written as hexadecimal digits. `options` is NULL or a C string with
 * a JSON object: the options of `cpaas_segments_json`, and also `reference` (0 to 65535; a number above 255 is sent with
 * 16 bits) and `ports` (`{"destination", "source"}`).
 *
 * Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_encode(const char *text,
                          size_t len,
                          const char *options,
                          struct cpaas_text *out);

/**
 * Decodes the parts of one message, in any order. `parts` is JSON of `len` bytes: a list of `{"udh", "ud", "udl",
 * "dcs"}`, or the result of `cpaas_encode`. `out`, not NULL, receives the text, which can contain NUL.
 *
 * Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out`, where the message names the part and the octet;
 * `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_decode(const char *parts,
                          size_t len,
                          struct cpaas_text *out);

/**
 * Replaces characters of a text of `len` bytes by characters of the GSM 7-bit default alphabet. `out`, not NULL, receives
 * JSON: `{"text", "replacements": [{"start", "end", "start16", "end16", "from", "to"}], "kept": [...]}`.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_transliterate(const char *text,
                                 size_t len,
                                 struct cpaas_text *out);

/**
 * Measures a template of `len` bytes with merge fields such as `{{name}}`. `values` is a C string with a JSON object:
 * `{"fields": {name: [shortest, longest]}}`, `{"fields": {name: [samples]}}` or `{"rows": [{name: value}]}`. `options`
 * is NULL or as for `cpaas_segments_json`, without `transliterate`. `out`, not NULL, receives JSON: `{"shortest",
 * "longest", "reason", "message", "fields"}`.
 *
 * Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_template_segments(const char *template_,
                                     size_t len,
                                     const char *values,
                                     const char *options,
                                     struct cpaas_text *out);

/**
 * Writes what an inbound message of `len` bytes asks for as JSON: `{"kind", "certainty"}`. `kind` is `stop`, `start`, `help` or
 * `none`. `certainty` is `certain` for the words of the regulation and of carriers and for words that mean only this in their
 * language, and `likely` for phrases, polite forms and words with other meanings. It is always `certain` for `none`, which means only
 * that the message was not recognized: a person may ask to stop in words that this function does not know. "Yes" is `start` and
 * `likely`, because it may answer a question: remove an opt-out only if `start` is `certain`.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_intent(const char *text,
                          size_t len,
                          struct cpaas_text *out);

/**
 * Writes a text of `len` bytes, followed by the line that fills its one-time code in. `options` is a C string with a JSON object:
 * `{"host", "embeddedHost", "code", "appHash"}`, each a string and optional. `host` is the host of the page, `embeddedHost` that of
 * a frame in it, `code` the code (by default `{code}`, for the body of `otp.send`), `appHash` the hash of an Android app
 * (`cpaas_app_hash`). A host, the hash or both must be set; `code` requires a host. `out`, not NULL, receives the message.
 *
 * Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_autofill_body(const char *text,
                                 size_t len,
                                 const char *options,
                                 struct cpaas_text *out);

/**
 * Writes what a message of `len` bytes, or a body of `otp.send`, fills in as JSON: `{"host", "embeddedHost", "code", "appHash",
 * "problems"}`. The members are null if the message does not try to fill a code in; `problems` lists why it does not, each as in
 * the report of `cpaas_validate`.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_check_autofill(const char *message,
                                  size_t len,
                                  struct cpaas_text *out);

/**
 * Writes the hash by which SMS Retriever finds the app of a message: 11 characters. `package` is a C string, the name of the
 * Android package; `certificate` points to the `len` bytes of the certificate that signs the app, in DER. `out`, not NULL,
 * receives the hash.
 *
 * Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_app_hash(const char *package,
                            const char *certificate,
                            size_t len,
                            struct cpaas_text *out);

/**
 * Writes a number of `len` bytes in the form that is sent: the country code and the number, 7 to 15 digits. `region` is
 * NULL or a C string, an ISO 3166-1 alpha-2 code such as `GR`. With a region, the number may be in the national format of the
 * region; else it must begin with `+` or `00`, or be digits without separators and without a leading 0. White space, marks of
 * direction, `tel:`, separators, and after a country code `(0)` and a trunk prefix (`+44 07400 123456`), are removed; Arabic and
 * full-width digits become ASCII digits.
 * `out`, not NULL, receives the digits, or the reason `{"argument", "code", "message"}`. A region requires a library that was
 * built with the feature `phone`.
 *
 * Errors: `CPAAS_BAD_TEXT` if the text is not a valid number (also for a region without the feature: the code `no_plans`),
 * `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_normalize_number(const char *number,
                                    size_t len,
                                    const char *region,
                                    struct cpaas_text *out);

/**
 * Checks a number of `len` bytes, in any notation, against the numbering plans. `region` is NULL or the region (ISO 3166-1
 * alpha-2, a C string such as "GR") in whose national form the number may be written. `out`, not NULL, receives JSON: `{"valid",
 * "possible", "region", "type"}`. A text that is not a number is neither valid nor possible. `region` is null if the number belongs to
 * no country; `type` is a word such as `"mobile"` or `"fixed_line"`.
 *
 * Errors: `CPAAS_BAD_TEXT` with `{"argument", "code", "message"}` in `out`; `code` is `"region"` for an unknown region and
 * `"no_plans"` if the library was built without the numbering plans (the feature `phone`). `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_check_number(const char *number,
                                size_t len,
                                const char *region,
                                struct cpaas_text *out);

/**
 * Parses a messenger_c text of `len` bytes as the provider does. `mode` is `Default`, `Markdown`, `Html` or
 * `MarkdownV2`. `out`, not NULL, receives `{"text", "entities", "sent", "findings"}`, or
 * `{"error": {"kind", "message", "offset", "utf16Offset", "fix"}}` with `CPAAS_BAD_TEXT`; `offset` counts bytes,
 * `utf16Offset` UTF-16 code units.
 *
 * Errors: `CPAAS_BAD_NAME` for an unknown mode, `CPAAS_BAD_TEXT`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_markup_parse(const char *text,
                                size_t len,
                                const char *mode,
                                struct cpaas_text *out);

/**
 * Escapes a plain text of `len` bytes, so that a mode shows it literally. `mode` is as for `cpaas_markup_parse`. `out`,
 * not NULL, receives the escaped text, which is not JSON.
 *
 * Errors: `CPAAS_BAD_NAME` for an unknown mode, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_markup_escape(const char *text,
                                 size_t len,
                                 const char *mode,
                                 struct cpaas_text *out);

/**
 * Verifies a callback request (a delivery report, an inbound message, a webhook event) and returns its event.
 * `config` is the configuration of the receiver, and `request` is `{"method", "url", "headers": {...}, "body"}`, or
 * `"body_base64"` for a binary body; docs/callbacks.md describes both JSON objects. `now` is the current time in
 * seconds since 1970. The function keeps no state and starts no thread.
 *
 * `out`, not NULL, receives `{"ok": true, "status": 200, "event": {...}}`. An unauthenticated request is
 * `CPAAS_CALLBACK_REJECTED` with `{"ok": false, "status": 403, "reason"}`: respond with that HTTP status and an empty body,
 * and log the reason. A repeated report is not an error: to detect it, compare the nonce of the claims, the message id
 * and the status with earlier ones.
 *
 * Errors: `CPAAS_BAD_TEXT` for an invalid configuration or request, with the reason as plain text in `out`;
 * `CPAAS_CALLBACK_REJECTED`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_receive(const char *config,
                           size_t config_len,
                           const char *request,
                           size_t request_len,
                           uint64_t now,
                           struct cpaas_text *out);

/**
 * Creates a callback token and a URL that contains it. `config` and `now` are as for `cpaas_receive`. `request` is
 * `{"source", "reference"}` for the URL of that source's endpoint, or `{"purpose", "reference", "url"}` for a token in
 * the query of a URL. Both may have `lifetime`, a number of seconds or `"never"`, and `audience`. A token for the delivery
 * reports of an SMS needs the `reference` of the SMS; other tokens are bound to the audience only. `out`, not NULL,
 * receives `{"ok": true, "token", "url"}` (`url` if requested), or `{"ok": false, "message"}` with `CPAAS_CALLBACK_REJECTED`.
 *
 * Errors: as for `cpaas_receive`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_token_mint(const char *config,
                              size_t config_len,
                              const char *request,
                              size_t request_len,
                              uint64_t now,
                              struct cpaas_text *out);

/**
 * Creates a receiver of callbacks from a configuration, JSON of `len` bytes, which docs/callbacks.md describes. Create a
 * receiver once: it keeps the configuration and the keys, and remembers the last `CPAAS_RECEIVER_MEMORY` states of
 * messages. To rotate keys, create a new receiver and free the old one.
 *
 * `receiver`, not NULL, receives the receiver if the status is `CPAAS_OK`, else NULL; free it with
 * `cpaas_receiver_free`. `out`, not NULL, receives the reason as plain text.
 *
 * Errors: `CPAAS_BAD_TEXT` for an invalid configuration, with the member that is invalid, `CPAAS_BAD_ARGUMENT`,
 * `CPAAS_BAD_UTF8`.
 */
CPAAS_MUST_USE
cpaas_status cpaas_receiver_new(const char *config,
                                size_t len,
                                struct cpaas_receiver **receiver,
                                struct cpaas_text *out);

/**
 * Verifies a callback request and returns its event, like `cpaas_receive`, with more members. The provider repeats a callback
 * until it is accepted.
 *
 * Without `cpaas_receiver_lease`, `"duplicate"` is true if this receiver has already seen the same state of the same message.
 * Respond to a duplicate as to the first report, and do not process it again. An event whose processing is interrupted is lost.
 *
 * With `cpaas_receiver_lease`, the request claims its event:
 *
 * | `state` | `status` | What to do |
 * |---|---|---|
 * | `"new"` | 200 | process the event, call `cpaas_receiver_done` with `lease`, and respond with 200; if that fails, call `cpaas_receiver_free_lease` and respond with 500 |
 * | `"busy"` | 503 | respond with 503 and the header `Retry-After` with the seconds of `retry_after`: another request is processing the event |
 * | `"done"` | 200 | respond with 200 |
 *
 * `lease` is empty unless the state is `"new"`, and `retry_after` is null unless it is `"busy"`. An event without a `key` is always
 * `"new"`, and its `lease` is empty.
 *
 * Errors: `CPAAS_BAD_TEXT` for an invalid request, with the reason as plain text in `out`; `CPAAS_CALLBACK_REJECTED`,
 * `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_receiver_receive(const struct cpaas_receiver *receiver,
                                    const char *request,
                                    size_t request_len,
                                    uint64_t now,
                                    struct cpaas_text *out);

/**
 * Forgets a callback request that `cpaas_receiver_receive` accepted, so that its repetition is not a duplicate. Call it
 * if the program could not process the event, and respond with an HTTP status of 500.
 *
 * Errors: `CPAAS_BAD_TEXT`, `CPAAS_CALLBACK_REJECTED`, `CPAAS_BAD_ARGUMENT`, also for a receiver with leases, whose function
 * is `cpaas_receiver_free_lease`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`.
 *
 * Thread-safe.
 */
cpaas_status cpaas_receiver_forget(const struct cpaas_receiver *receiver,
                                   const char *request,
                                   size_t request_len,
                                   uint64_t now);

/**
 * Frees a receiver. Does nothing for NULL and for a freed receiver.
 *
 * Thread-safe.
 */
void cpaas_receiver_free(struct cpaas_receiver *receiver);

/**
 * Turns on leases: from now on `cpaas_receiver_receive` claims each event for `seconds`, and an event is lost neither if its
 * processing fails nor if the thread that processes it ends. Call it before the first `cpaas_receiver_receive`: events that were
 * received before are not known to the leases. Called again, it changes the time of later leases.
 *
 * `seconds`, from 1 to 86,400, is the maximum time of processing: after that time a repeat is `"new"` again, even if the first run has
 * not ended. 90 is a good value. A lease is not renewed. The receiver remembers `CPAAS_RECEIVER_MEMORY` events that are done,
 * for 14 days, and as many that are being processed. Another receiver, also one with new keys, knows nothing of them, nor does
 * a process that is restarted.
 *
 * Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_receiver_lease(const struct cpaas_receiver *receiver,
                                  uint32_t seconds);

/**
 * Records that an event is done. Call it after the event was processed and before the response, with the `lease` from
 * `cpaas_receiver_receive`, also if the lease has ended. Does nothing for an empty lease, which is that of an event
 * without a key. May be repeated.
 *
 * Errors: `CPAAS_BAD_ARGUMENT` for a text that is not a lease, and for a receiver without leases; `CPAAS_BAD_UTF8`,
 * `CPAAS_BAD_HANDLE`.
 *
 * Thread-safe.
 */
cpaas_status cpaas_receiver_done(const struct cpaas_receiver *receiver,
                                 const char *lease,
                                 size_t len);

/**
 * Frees an event that could not be processed, so that its repeat is `"new"`. Call it with the `lease` from
 * `cpaas_receiver_receive`, and respond with an HTTP status of 500. Does nothing if the event is done, if another request has
 * claimed it since, and for an empty lease.
 *
 * Errors: as for `cpaas_receiver_done`.
 *
 * Thread-safe.
 */
cpaas_status cpaas_receiver_free_lease(const struct cpaas_receiver *receiver,
                                       const char *lease,
                                       size_t len);

/**
 * Verifies a callback request and returns its event, as `cpaas_receiver_receive` does, without JSON around the request. The library reads
 * `request` and its members during the call only.
 *
 * Errors: `CPAAS_CALLBACK_REJECTED`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`; `CPAAS_BAD_UTF8` for a `url`, a `method` or a
 * `content_type` that is not UTF-8, which no authentic request has: respond with 403.
 *
 * Thread-safe.
 */
CPAAS_MUST_USE
cpaas_status cpaas_receiver_receive_request(const struct cpaas_receiver *receiver,
                                            const struct cpaas_callback_request *request,
                                            uint64_t now,
                                            struct cpaas_text *out);

/**
 * Forgets a callback request that `cpaas_receiver_receive_request` accepted, as `cpaas_receiver_forget` does.
 *
 * Errors: `CPAAS_CALLBACK_REJECTED`, `CPAAS_BAD_ARGUMENT`, also for a receiver with leases, whose function is
 * `cpaas_receiver_free_lease`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`.
 *
 * Thread-safe.
 */
cpaas_status cpaas_receiver_forget_request(const struct cpaas_receiver *receiver,
                                           const struct cpaas_callback_request *request,
                                           uint64_t now);

/**
 * Ends the threads of the library, for a program that unloads the library or counts its threads. Waits at most 5
 * seconds for callbacks and suppression functions that are running. Free all clients first: a call that runs on another thread may lose its
 * connection, which is `CPAAS_UNKNOWN`. The next call starts the threads again. Idempotent.
 *
 * Must not be called from a callback, the log function or the suppression function; there it does nothing.
 */
void cpaas_shutdown(void);

/**
 * Sets the log function of the process; NULL, the initial value, turns the log off. `level` is the most detailed
 * level that is logged. After the return, the previous function is not running and will not be called again.
 *
 * Errors: `CPAAS_BAD_ARGUMENT` for an unknown level, and for a call from the log function itself or from the suppression function.
 *
 * Thread-safe.
 */
cpaas_status cpaas_log_callback(cpaas_log log,
                                void *user_data,
                                uint32_t level);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CPAAS_H */
