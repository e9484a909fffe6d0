//! The headers that HTTP or the client itself uses: framing, connection, content and negotiation.

/// Headers that belong to the message or the connection. Neither a key nor a header of a call may have one of these names, nor
/// a name that begins with `Proxy-`.
const MESSAGE_HEADERS: [&str; 17] = [
    "accept-encoding",
    "connection",
    "content-encoding",
    "content-length",
    "content-range",
    "content-type",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "range",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "via",
];

/// Headers that change the meaning of a request. A header of a call may set them; a key in them would be misread.
const REQUEST_HEADERS: [&str; 9] = [
    "accept",
    "accept-charset",
    "accept-language",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "max-forwards",
];

/// Whether a header belongs to the message or the connection, so that only the client may set it.
pub(crate) fn is_message_header(name: &str) -> bool {
    let is_proxy = name.get(..6).is_some_and(|start| start.eq_ignore_ascii_case("proxy-"));
    is_proxy || MESSAGE_HEADERS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Whether HTTP defines a header for another purpose than credentials.
pub(crate) fn is_reserved(name: &str) -> bool {
    is_message_header(name) || REQUEST_HEADERS.iter().any(|known| known.eq_ignore_ascii_case(name))
}
