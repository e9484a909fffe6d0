/* cpaas: one-time passcodes, SMS, number lookup, chat channels and callbacks of one messaging provider.
 *
 * Conventions of every function:
 * - Texts are UTF-8 with a length in bytes; they need no terminator. Names are C strings.
 * - `out` is write-only for the library: overwritten, never read or freed, {NULL, 0} when there is nothing to
 *   say. Free it with cpaas_text_free.
 * - NULL where it is not allowed, a wrong length, bad UTF-8, a freed handle and a fault inside the library are
 *   a status, never a crash.
 * - Every function may be called from any thread, unless its comment says otherwise.
 * - There is no global or thread-local last error: the error of a call is its own output.
 *
 * Generated from the sources of the library; do not edit.
 */

#ifndef CPAAS_H
#define CPAAS_H

#include <stddef.h>
#include <stdint.h>

#define CPAAS_VERSION "0.1.0"
#define CPAAS_VERSION_MAJOR 0
#define CPAAS_VERSION_MINOR 1
#define CPAAS_VERSION_PATCH 0

/*
 Errors refuse the call, warnings do not.
 */
#define CPAAS_VALIDATION_STRICT 1

/*
 Errors are only noted.
 */
#define CPAAS_VALIDATION_WARN 2

/*
 Nothing is checked.
 */
#define CPAAS_VALIDATION_OFF 3

/*
 The default alphabet of SMS, 7 bits a character (3GPP TS 23.038).
 */
#define CPAAS_GSM7 1

/*
 UCS-2, sent as UTF-16.
 */
#define CPAAS_UCS2 2

/*
 A fault of the library itself.
 */
#define CPAAS_LOG_ERROR 1

/*
 A call that was given up midway.
 */
#define CPAAS_LOG_WARN 2

/*
 What an operator wants to know.
 */
#define CPAAS_LOG_INFO 3

/*
 Every retry and every outcome.
 */
#define CPAAS_LOG_DEBUG 4

/*
 What a call came to: the outcomes of a call, then the misuses, then a fault. The numbers are never
 reused; a later version may add some.
 */
typedef enum cpaas_status {
    /*
     Accepted.
     */
    CPAAS_OK = 0,
    /*
     The request breaks rules; nothing left the machine. `out` holds the error record.
     */
    CPAAS_INVALID = 1,
    /*
     The provider rejected it. `out` holds the error record.
     */
    CPAAS_REJECTED = 2,
    /*
     Proof that no byte of the request was processed. `out` holds the error record.
     */
    CPAAS_NOT_SENT = 3,
    /*
     It may have been processed. `out` holds the error record.
     */
    CPAAS_UNKNOWN = 4,
    /*
     Accepted, but the answer with the id was lost. `out` holds the error record.
     */
    CPAAS_ACCEPTED_ID_UNKNOWN = 5,
    /*
     An argument is NULL that must not be, or a number is out of its range.
     */
    CPAAS_BAD_ARGUMENT = 16,
    /*
     A text is not valid UTF-8.
     */
    CPAAS_BAD_UTF8 = 17,
    /*
     The handle was freed, or never was one.
     */
    CPAAS_BAD_HANDLE = 18,
    /*
     No operation, mode or purpose has this name.
     */
    CPAAS_BAD_NAME = 19,
    /*
     The caller's array is too small; the number that is needed was written.
     */
    CPAAS_TOO_SMALL = 20,
    /*
     A callback request was refused. `out` holds the reason for the log.
     */
    CPAAS_REFUSED = 21,
    /*
     The text cannot be parsed or sent. `out` holds the error.
     */
    CPAAS_BAD_TEXT = 22,
    /*
     A thread of the library cannot be started.
     */
    CPAAS_NO_THREAD = 23,
    /*
     A fault of the library itself; the process may go on. A call may have been sent.
     */
    CPAAS_PANIC = 32,
} cpaas_status;

/*
 A client: addresses, credentials and connections. Opaque: the pointer is a ticket, looked up at every
 call and never followed, so a freed or invented one is `CPAAS_BAD_HANDLE`.
 */
typedef struct cpaas_client cpaas_client;

/*
 A text that the library gives to the caller: UTF-8, `len` bytes, with a NUL after them. Free it
 with `cpaas_text_free`. `{NULL, 0}` is no text.
 */
typedef struct cpaas_text {
    /*
     The bytes, or NULL.
     */
    const char *data;
    /*
     How many, without the NUL.
     */
    size_t len;
} cpaas_text;

/*
 What one call does otherwise than its client. Zero it, set `size` to `sizeof(cpaas_call_options)` and the
 members that matter; 0 is as the client's configuration says. The struct of a later header is taken when
 the members that this library does not know are 0.
 */
typedef struct cpaas_call_options {
    /*
     The size of this struct, so that it may grow.
     */
    size_t size;
    /*
     One attempt may take so many milliseconds.
     */
    uint32_t timeout_ms;
    /*
     All attempts and the waits between them may take so many milliseconds.
     */
    uint32_t deadline_ms;
    /*
     At most so many attempts.
     */
    uint32_t max_attempts;
    /*
     1: sends again after an unknown outcome, which may send twice; 2: does not.
     */
    uint32_t retry_unknown;
    /*
     `CPAAS_VALIDATION_STRICT`, `CPAAS_VALIDATION_WARN` or `CPAAS_VALIDATION_OFF`.
     */
    uint32_t validation;
    /*
     0.
     */
    uint32_t reserved;
} cpaas_call_options;

/*
 Called exactly once for every call that `cpaas_call_async` started, on a thread of the library, also
 after a cancel. `text` is the result or the error record as JSON, `len` bytes with a NUL after them, or
 NULL; it is valid during the call only. The function may take its time and may call any function but
 `cpaas_shutdown` and `cpaas_client_free` of its client; it must not throw or jump out.
 */
typedef void (*cpaas_completion)(void *user_data, enum cpaas_status status, const char *text, size_t len);

/*
 How many parts a text has. This struct never grows.
 */
typedef struct cpaas_segment_count {
    /*
     `CPAAS_GSM7` or `CPAAS_UCS2`.
     */
    uint32_t encoding;
    /*
     Parts; 1 for an empty text.
     */
    uint32_t parts;
    /*
     Septets (GSM 7-bit) or UTF-16 code units of the whole text.
     */
    uint32_t units;
    /*
     Units that still fit the last part.
     */
    uint32_t remaining;
} cpaas_segment_count;

/*
 How a text is split. Zero it, set `size` to `sizeof(cpaas_segment_options)` and the members that matter; 0
 is the default. The struct of a later header is taken when the members that this library does not know
 are 0.
 */
typedef struct cpaas_segment_options {
    /*
     The size of this struct, so that it may grow.
     */
    size_t size;
    /*
     Bits of the concatenation reference: 8 (or 0) or 16.
     */
    uint32_t reference_bits;
    /*
     0: parts may split a grapheme cluster, as networks bill them; 1: clusters stay whole.
     */
    uint32_t keep_graphemes;
    /*
     0: by content; `CPAAS_GSM7` or `CPAAS_UCS2`: forced.
     */
    uint32_t encoding;
    /*
     0.
     */
    uint32_t reserved;
} cpaas_segment_options;

/*
 One part of a text, as ranges into it. This struct never grows.
 */
typedef struct cpaas_segment {
    /*
     First byte.
     */
    size_t start;
    /*
     The byte after the last.
     */
    size_t end;
    /*
     Septets or UTF-16 code units in this part, without the header.
     */
    uint32_t units;
} cpaas_segment;

/*
 Hears what the library does: `level` is one of `CPAAS_LOG_...`; `text` is one line of UTF-8, `len`
 bytes with a NUL after them, valid during the call only. It never holds a key, a message text, a number
 or a code. It may run on any thread, on several at once, and must neither call this library nor throw.
 */
typedef void (*cpaas_log)(void *user_data, uint32_t level, const char *text, size_t len);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The name of a status, such as `CPAAS_NOT_SENT`; `CPAAS_?` for a number that is none. The text is
 static: never free it.
 */
const char *cpaas_status_name(uint32_t status);

/*
 Frees a text of this library and sets it to `{NULL, 0}`. NULL and `{NULL, 0}` are allowed, so a
 second call does no harm. A copy of the struct does not own the text: free one of them.
 */
void cpaas_text_free(struct cpaas_text *text);

/*
 The version of the library that is loaded, such as `0.1.0`; `CPAAS_VERSION` is that of the header. The
 text is static: never free it.
 */
const char *cpaas_version(void);

/*
 The table of operations as JSON: an array of `{"id", "family", "method", "path", "section"}`, `section`
 being that of the specification. `out`: not NULL.
 */
enum cpaas_status cpaas_operations(struct cpaas_text *out);

/*
 Makes a client from a configuration in JSON (docs/c.md has the members). Members that it lacks come from
 the environment variables `CPAAS_` and the member's name in upper case, then from the defaults; `{}`, or
 NULL with 0, takes everything from there.

 `client`: not NULL. With `CPAAS_OK` it receives the client, to be freed with `cpaas_client_free`;
 otherwise NULL. `out`: not NULL, receives the error record.

 A client may be used from many threads at once, and costs connections: make one and keep it. After a
 fork the child may use the client it inherited; it gets connections of its own. Nothing is sent here.

 Errors: `CPAAS_INVALID` for a configuration with an unknown member or a wrong value,
 `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 */
enum cpaas_status cpaas_client_new(const char *config,
                                   size_t len,
                                   struct cpaas_client **client,
                                   struct cpaas_text *out);

/*
 Frees a client. Calls of `cpaas_call_async` in flight are cancelled, and their callbacks have run when
 this returns. A `cpaas_call` under way on another thread ends as it would have. NULL and a freed client
 are allowed.

 It must not be called from a callback of the same client; there it does not wait.
 */
void cpaas_client_free(struct cpaas_client *client);

/*
 Ends the threads of the library, after the callbacks that are running, for at most five seconds; for a
 program that unloads the library or counts its threads. Free all clients first: a call under way on
 another thread may lose its connection, which is `CPAAS_UNKNOWN`. The next call starts the threads
 again. It must not be called from a callback; there it does nothing.
 */
void cpaas_shutdown(void);

/*
 Calls an operation and waits for its end, by default for at most 60 seconds.

 `operation` is a name of the table (`cpaas_operations`), such as `sms.send`. `request` is a JSON object
 with the specification's member names, `len` bytes. `out`, not NULL, receives the result as JSON with
 `CPAAS_OK`, else the error record `{"outcome", "sent", "reason", "operation", "message", ...}`, else
 `{NULL, 0}`; free it with `cpaas_text_free`.

 `raw` instead of a name of the table calls any endpoint, with the address and the credentials of a family:
 the request is `{"method", "family", "path", "query", "headers", "body"}`, the last three optional, and
 the result `{"status", "headers", "body"}`. A GET is retried as a read, anything else as a send.

 One call sends at most one message, and the status says which of the closed set of outcomes it was.
 After `CPAAS_NOT_SENT` it is safe to call again; after `CPAAS_UNKNOWN` it may send a second message.

 Errors: `CPAAS_INVALID` to `CPAAS_ACCEPTED_ID_UNKNOWN` with a record; `CPAAS_BAD_ARGUMENT`,
 `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`, `CPAAS_BAD_NAME`, `CPAAS_NO_THREAD` without: nothing was sent.
 With `CPAAS_PANIC` it may have been sent.
 */
enum cpaas_status cpaas_call(const struct cpaas_client *client,
                             const char *operation,
                             const char *request,
                             size_t len,
                             struct cpaas_text *out);

/*
 `cpaas_call` with times, counts or validation of its own. `options` may be NULL.

 Errors: as `cpaas_call`; `CPAAS_BAD_ARGUMENT` also for options with a wrong `size` or value.
 */
enum cpaas_status cpaas_call_with(const struct cpaas_client *client,
                                  const char *operation,
                                  const char *request,
                                  size_t len,
                                  const struct cpaas_call_options *options,
                                  struct cpaas_text *out);

/*
 Starts a call and returns at once; `done` runs exactly once with its outcome. `operation` and `request`
 are copied. `options` may be NULL. `call`, when not NULL, receives a number for `cpaas_cancel`, which is
 never 0, before `done` can run. `user_data` is passed on untouched; it must stay valid until `done`
 returns.

 With any status but `CPAAS_OK` nothing was started and `done` does not run.

 Errors: `CPAAS_BAD_ARGUMENT` (also for a NULL `done`), `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`,
 `CPAAS_BAD_NAME`, `CPAAS_NO_THREAD`.
 */
enum cpaas_status cpaas_call_async(const struct cpaas_client *client,
                                   const char *operation,
                                   const char *request,
                                   size_t len,
                                   const struct cpaas_call_options *options,
                                   cpaas_completion done,
                                   void *user_data,
                                   uint64_t *call);

/*
 Cancels a call of `cpaas_call_async` and returns at once. Its callback still runs, with its true outcome:
 `CPAAS_NOT_SENT` when nothing left the machine, `CPAAS_UNKNOWN` when the request may have been
 processed, and whatever the answer said when it had come already. A call that is over, or never was, is
 `CPAAS_OK`.

 Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_HANDLE`.
 */
enum cpaas_status cpaas_cancel(const struct cpaas_client *client, uint64_t call);

/*
 Checks a request and gives the HTTP request for it, for programs that bring their own HTTP. `request` is
 as for `cpaas_call`. `out`, not NULL, receives `{"method", "url", "headers": {name: value}, "body": text
 or null}`, or the error record. The URL and the headers carry credentials: keep them out of logs. Nothing
 is sent, and no thread is started.

 Errors: `CPAAS_INVALID` with the record, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`, `CPAAS_BAD_HANDLE`,
 `CPAAS_BAD_NAME`.
 */
enum cpaas_status cpaas_prepare(const struct cpaas_client *client,
                                const char *operation,
                                const char *request,
                                size_t len,
                                struct cpaas_text *out);

/*
 Reads the answer to a request of `cpaas_prepare`: its HTTP status, its headers as a JSON object of texts
 (NULL for none; `retry-after`, `content-type` and `age` matter) and its body, `body_len` bytes as they came
 (NULL with 0 for none). `out`, not NULL, receives the result or the error record, as for `cpaas_call`.

 A transport that failed has no answer to read: it was not sent if no connection was made, else unknown. The
 request is not known here: compare the `requestID` of `otp.verify` with yours, and count the elements of a bulk
 result; `missing` counts those of the response alone.

 Errors: as `cpaas_call`; `CPAAS_BAD_ARGUMENT` also for headers that are no JSON object.
 */
enum cpaas_status cpaas_parse(const struct cpaas_client *client,
                              const char *operation,
                              uint16_t http_status,
                              const char *headers,
                              size_t headers_len,
                              const char *body,
                              size_t body_len,
                              struct cpaas_text *out);

/*
 Checks a request of an operation, JSON of `len` bytes, against every rule of the specification. Needs no
 client; nothing is sent.

 `out`, not NULL, receives the report `{"ok", "errors": [...], "warnings": [...]}`, each problem with a
 JSON pointer and a stable code, the same bytes as in every language. The status is `CPAAS_OK` whether or
 not there are errors: look at `ok`.

 Errors: `CPAAS_BAD_NAME` for an unknown operation, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 */
enum cpaas_status cpaas_validate(const char *operation,
                                 const char *request,
                                 size_t len,
                                 struct cpaas_text *out);

/*
 Checks something that is no request: `name` is a check of docs/c.md, `arguments` its arguments as JSON of
 `len` bytes. `out`, not NULL, receives a report as `cpaas_validate` gives it.

 Errors: `CPAAS_BAD_NAME` for an unknown check, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 */
enum cpaas_status cpaas_check(const char *name, const char *arguments, size_t len, struct cpaas_text *out);

/*
 Counts the SMS parts of a text, `len` bytes (NULL with 0 is the empty text). `count`: not NULL.
 Allocates nothing, starts no thread, linear in the text.

 Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`; `count` is not written then.
 */
enum cpaas_status cpaas_count_segments(const char *text, size_t len, struct cpaas_segment_count *count);

/*
 Gives the SMS parts of a text, `len` bytes (NULL with 0 is the empty text), as ranges into it.

 `parts` is an array of `capacity` elements, 255 being always enough; NULL with 0 only counts.
 `written`, not NULL, receives how many parts the text has, also when that is more than `capacity`,
 which is `CPAAS_TOO_SMALL` with the first `capacity` written. `options` and `count` may be NULL. With
 another error `written` is 0, `count` is not written and the elements of `parts` have no meaning.
 Allocates nothing, starts no thread.

 Errors: `CPAAS_BAD_TEXT` for more than 255 parts, or a forced alphabet that lacks a character;
 `CPAAS_TOO_SMALL`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 */
enum cpaas_status cpaas_segments(const char *text,
                                 size_t len,
                                 const struct cpaas_segment_options *options,
                                 struct cpaas_segment *parts,
                                 size_t capacity,
                                 size_t *written,
                                 struct cpaas_segment_count *count);

/*
 Everything about the SMS parts of a text, `len` bytes, as JSON: `{"encoding", "count", "units",
 "remaining", "parts": [...]}`, the same bytes as in every language. `options` is a C string, a JSON
 object `{"referenceBits", "split", "encoding"}`, or NULL. `out`: not NULL.

 Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 */
enum cpaas_status cpaas_segments_json(const char *text,
                                      size_t len,
                                      const char *options,
                                      struct cpaas_text *out);

/*
 What a text costs at a price for each part, such as `0.0075`, a C string: JSON `{"count", ..., "total"}`
 with prices as texts, exact. `out`: not NULL.

 Errors: `CPAAS_BAD_TEXT` with `{"code", "message"}` in `out` for a price that is no decimal number or
 more than 255 parts, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 */
enum cpaas_status cpaas_estimate(const char *text,
                                 size_t len,
                                 const char *price_per_part,
                                 struct cpaas_text *out);

/*
 What each character of a text costs, which ones force UCS-2, and what a person would accept in their
 place, as JSON `{"characters", "causes", "replaced"}`. `out`: not NULL.

 Errors: `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 */
enum cpaas_status cpaas_annotate(const char *text, size_t len, struct cpaas_text *out);

/*
 Parses a messenger_c text, `len` bytes, as the provider does. `mode` is a C string: `Default`,
 `Markdown`, `Html` or `MarkdownV2`. `out`, not NULL, receives `{"text", "entities", "sent", "findings"}`,
 or `{"error": {"kind", "message", "offset", "utf16Offset", "fix"}}` with `CPAAS_BAD_TEXT`.

 Errors: `CPAAS_BAD_NAME` for an unknown mode, `CPAAS_BAD_TEXT`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 */
enum cpaas_status cpaas_markup_parse(const char *text, size_t len, const char *mode, struct cpaas_text *out);

/*
 Escapes a plain text, `len` bytes, so that it shows literally in a mode. `out`, not NULL, receives the
 escaped text itself.

 Errors: `CPAAS_BAD_NAME` for an unknown mode, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 */
enum cpaas_status cpaas_markup_escape(const char *text, size_t len, const char *mode, struct cpaas_text *out);

/*
 Checks a callback request (a delivery report, an inbound message, a webhook event) and reads its event.
 `config` is the receiver's configuration and `request` is `{"method", "url", "headers": {...}, "body"}`
 (a body that is not text: `"body_base64"`), both JSON as in docs/callbacks.md; `now` is the time in
 seconds since 1970. Pure: nothing is kept, and no thread is started.

 `out`, not NULL, receives `{"ok": true, "status": 200, "event": {...}}`. A request that is not the
 provider's is `CPAAS_REFUSED` with `{"ok": false, "status": 403, "reason"}`: answer it with that HTTP
 status alone and keep the reason for the log. A repeated report is no error: compare the claims' nonce,
 the message id and the status with those seen.

 Errors: `CPAAS_BAD_TEXT` for a configuration or request that is not of its form, with the reason as
 plain text in `out`; `CPAAS_REFUSED`, `CPAAS_BAD_ARGUMENT`, `CPAAS_BAD_UTF8`.
 */
enum cpaas_status cpaas_receive(const char *config,
                                size_t config_len,
                                const char *request,
                                size_t request_len,
                                uint64_t now,
                                struct cpaas_text *out);

/*
 Makes a callback token, and the URL that carries it. `config` and `now` are as for `cpaas_receive`;
 `request` is `{"source", "reference"}` for the URL of the endpoint of that source, or `{"purpose",
 "reference", "url", "lifetime"}` for a token on a URL, with the lifetime in seconds or `"never"`. The
 delivery reports of an SMS need its `reference`; the others are bound to the audience alone.
 `out`, not NULL, receives `{"ok": true, "token", "url"}`, or `{"ok": false, "message"}` with
 `CPAAS_REFUSED`.

 Errors: as `cpaas_receive`.
 */
enum cpaas_status cpaas_token_mint(const char *config,
                                   size_t config_len,
                                   const char *request,
                                   size_t request_len,
                                   uint64_t now,
                                   struct cpaas_text *out);

/*
 Sets the function that hears the log, for the whole process; NULL for none, which is how it begins.
 `level` is the most detailed level that is told. When this returns, the function set before is no
 longer running and will not be called again.

 Errors: `CPAAS_BAD_ARGUMENT` for a level that is none, and inside the log function itself.
 */
enum cpaas_status cpaas_log_callback(cpaas_log log, void *user_data, uint32_t level);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* CPAAS_H */
