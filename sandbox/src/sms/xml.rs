//! The XML form of `/sms.xml` (D32).

use super::single_sms::Sent;
use crate::provider_error::ProviderError;
use crate::reply::Reply;

const XML: &str = "application/xml";

pub(super) fn reply(sent: &Sent<'_>) -> Reply {
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
    Reply::new(200, XML, text)
}

/// An error in the same form.
pub(crate) fn refusal(status: u16, refusal: &ProviderError) -> Reply {
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><response><responseCode>{}</responseCode><responseText>{}</responseText></response>",
        refusal.code,
        escape(&refusal.message)
    );
    Reply::new(status, XML, text)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
