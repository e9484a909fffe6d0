//! Builds the reqwest request.

use std::sync::{PoisonError, RwLock};

use reqwest::Url;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

use super::watched_body::{BodyWatch, Content};
use crate::client::raw_call;
use crate::http::HttpRequest;
use crate::operation::Method;

/// The request for reqwest and the watch of its body; `None` if the URL or a header is invalid.
pub(crate) fn build(request: &HttpRequest, urls: &UrlCache) -> Option<(reqwest::Request, BodyWatch)> {
    let url = urls.parse(request)?;
    let is_proof = !cfg!(feature = "http2") || url.scheme() == "http";
    let mut outgoing = reqwest::Request::new(method(request.method), url);
    fill(outgoing.headers_mut(), &request.headers)?;
    let content = match (&request.body, request.method) {
        (Some(body), _) if !body.is_empty() => Content::Bytes(body),
        (Some(_), _) | (None, Method::Post | Method::Put) => Content::Empty,
        (None, Method::Get | Method::Delete) => Content::Absent,
    };
    let (body, watch) = BodyWatch::new(&content, is_proof);
    *outgoing.body_mut() = Some(body);
    Some((outgoing, watch))
}

/// Values are marked as sensitive so that reqwest and hyper do not print keys.
fn fill(map: &mut HeaderMap, headers: &[(String, String)]) -> Option<()> {
    for (name, value) in headers {
        if name == "content-type" && value == "application/json" {
            map.append(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            continue;
        }
        let mut value = HeaderValue::from_str(value).ok()?;
        value.set_sensitive(true);
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        if !is_framing(&name) {
            map.append(name, value);
        }
    }
    Some(())
}

/// Whether the header describes the length of the body or the use of the connection. hyper sets these headers itself.
fn is_framing(name: &HeaderName) -> bool {
    ["content-length", "transfer-encoding", "expect", "upgrade", "trailer"].contains(&name.as_str())
}

const fn method(method: Method) -> reqwest::Method {
    match method {
        Method::Get => reqwest::Method::GET,
        Method::Post => reqwest::Method::POST,
        Method::Put => reqwest::Method::PUT,
        Method::Delete => reqwest::Method::DELETE,
    }
}

/// Parsed URLs, because parsing one costs as much as writing a small body. Contains only URLs of POST requests of operations,
/// without a query: they have a fixed path without a key, a token or an id. The path of a raw call can contain any of them.
#[derive(Default)]
pub(crate) struct UrlCache(RwLock<Vec<(String, Url)>>);

/// The maximum number of URLs; more than the number of fixed paths in all regions.
const MAX_URLS: usize = 32;

impl UrlCache {
    fn parse(&self, request: &HttpRequest) -> Option<Url> {
        let is_raw = request.operation == raw_call::OPERATION;
        if request.method != Method::Post || is_raw || request.url.contains('?') {
            return Url::parse(&request.url).ok();
        }
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, url)) = known.iter().find(|(text, _)| *text == request.url) {
            return Some(url.clone());
        }
        drop(known);
        let url = Url::parse(&request.url).ok()?;
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MAX_URLS {
            known.push((request.url.clone(), url.clone()));
        }
        Some(url)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::operation::Family;

    fn request(operation: &'static str, path: &str) -> HttpRequest {
        HttpRequest {
            operation,
            family: Family::Otp,
            method: Method::Post,
            url: format!("https://otp.example{path}"),
            alternates: Vec::new(),
            headers: Vec::new(),
            body: None,
        }
    }

    fn cached(urls: &UrlCache) -> Vec<String> {
        urls.0.read().unwrap().iter().map(|(text, _)| text.clone()).collect()
    }

    #[test]
    fn urls_of_raw_calls_are_not_cached() {
        let urls = UrlCache::default();
        for id in 0..=MAX_URLS {
            let path = format!("/2fa/OTP{id}");
            assert_eq!(urls.parse(&request(raw_call::OPERATION, &path)).unwrap().path(), path);
        }
        assert_eq!(cached(&urls), [""; 0]);
        urls.parse(&request("otp.send", "/2fa/send")).unwrap();
        assert_eq!(cached(&urls), ["https://otp.example/2fa/send"]);
    }
}
