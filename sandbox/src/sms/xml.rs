//! The XML form of `/sms.xml` (D32).

use super::single_sms::Sent;
use crate::body::response;
use crate::provider_error::ProviderError;
use axum::body::Body;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::Response;

const XML: &str = "application/xml";

pub(super) fn reply(sent: &Sent<'_>) -> Response {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?><response>");
    let mut member = |name: &str, value: &str| {
        text.push_str(&format!("<{name}>{}</{name}>", escape(value)));
    };
    member("id", &sent.id);
    member("timestamp", &sent.timestamp);
    member("to", sent.to);
    member("responseCode", &sent.response_code.to_string());
    member("textLength", &sent.text_length.to_string());
    member("responseText", sent.response_text);
    if sent.test {
        member("test", "true");
    }
    text.push_str("</response>");
    response(200, XML, text)
}

/// An error in the same form.
pub(crate) fn error(mut response: Response, error: &ProviderError) -> Response {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><response><responseCode>{}</responseCode><responseText>{}</responseText></response>",
        error.code,
        escape(&error.message)
    );
    response.headers_mut().remove(CONTENT_LENGTH);
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(XML));
    *response.body_mut() = Body::from(text);
    response
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
