//! Headers that the caller adds to one call. The client's own headers and credentials cannot be set this way.

use crate::error::{Error, Outcome, Reason, SentState};
use crate::http::HttpRequest;
use crate::printable::{MAX_NAME, printable};
use crate::request::credentials::is_token;
use crate::request::reserved_headers::is_message_header;

/// Headers that contain credentials by convention. [`check`] also rejects the configured names of the key headers.
const CREDENTIAL_HEADERS: [&str; 10] = [
    "api-key",
    "authorization",
    "cookie",
    "cookie2",
    "proxy-authorization",
    "x-api-key",
    "x-auth-token",
    "x-channel-auth-token",
    "x-csrf-token",
    "x-service-api-key",
];

/// Checks headers that the caller adds. `key_headers` are the configured names of the headers with credentials, `own` is the
/// request without the added headers.
///
/// # Errors
/// `invalid`: a name is not a token, a value is not printable ASCII, a header contains credentials, or the client sets it
/// itself.
pub(crate) fn check(
    headers: &[(String, String)],
    key_headers: [&str; 2],
    own: &HttpRequest,
) -> Result<(), Error> {
    for (name, value) in headers {
        let shown = printable(name, MAX_NAME);
        let problem = if !is_token(name) {
            "the name of an extra header must be an HTTP token (letters, digits and -_.!#$%&'*+^`|~)"
                .to_owned()
        } else if is_credential(name, key_headers) {
            format!(
                "header `{shown}` must not be set for a call: it contains credentials, which the configuration sets"
            )
        } else if is_set_by_client(name, own) {
            format!("header `{shown}` must not be set for a call: the client sets it")
        } else if !value.bytes().all(|byte| byte == b'\t' || (b' '..=b'~').contains(&byte)) {
            format!(
                "the value of header `{shown}` must contain only printable ASCII characters, spaces and tabs"
            )
        } else {
            continue;
        };
        let message = format!("nothing was sent: {problem}");
        return Err(Error::new(Outcome::Invalid, SentState::No, Reason::Validation, own.operation, message));
    }
    Ok(())
}

fn is_credential(name: &str, key_headers: [&str; 2]) -> bool {
    CREDENTIAL_HEADERS.iter().chain(&key_headers).any(|known| known.eq_ignore_ascii_case(name))
}

fn is_set_by_client(name: &str, own: &HttpRequest) -> bool {
    is_message_header(name) || own.headers.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
}
