//! The URL of a request without secrets, for the events of hooks.

use crate::http::HttpRequest;
use crate::operations::OperationId;
use crate::printable::{MAX_NAME, printable};
use crate::util::url_parts::UrlParts;

const REDACTED: &str = "REDACTED";

/// The URL without credentials. Members in the path appear as `{name}`; each value of the query, and the whole path of an
/// undocumented call, as `REDACTED`.
pub(crate) fn redacted(request: &HttpRequest) -> String {
    let parts = UrlParts::split(&request.url);
    let path = parts.path.strip_prefix('/').unwrap_or(parts.path);
    let path = match OperationId::find(request.operation) {
        Some(operation) => templated(operation, path),
        None => REDACTED.to_owned(),
    };
    let query: Vec<String> = parts
        .query
        .unwrap_or_default()
        .split('&')
        .filter(|pair| !pair.is_empty())
        .map(without_value)
        .collect();
    let mark = if query.is_empty() { "" } else { "?" };
    let (scheme, host) = (parts.scheme.unwrap_or_default(), parts.host_and_port());
    format!("{scheme}://{host}/{path}{mark}{}", query.join("&"))
}

/// The path with the members of the request as placeholders. A path in the configured address adds segments before those of
/// the template.
fn templated(operation: OperationId, path: &str) -> String {
    let meta = operation.meta();
    let template: Vec<&str> = meta.path.split('/').skip(1).collect();
    let segments: Vec<&str> = path.split('/').collect();
    let added = segments.len().saturating_sub(template.len());
    let placeholder = |index: usize| {
        let segment = template.get(index.checked_sub(added)?)?;
        let name = segment.strip_prefix('{')?.strip_suffix('}')?;
        meta.input.field(name).is_some().then_some(*segment)
    };
    let shown = segments.iter().enumerate().map(|(index, actual)| placeholder(index).unwrap_or(actual));
    shown.collect::<Vec<_>>().join("/")
}

fn without_value(pair: &str) -> String {
    match pair.split_once('=') {
        Some((name, _)) => format!("{}={REDACTED}", printable(name, MAX_NAME)),
        None => REDACTED.to_owned(),
    }
}
