use std::sync::{PoisonError, RwLock};

use reqwest::Url;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

use super::watched::{Content, Watch};
use crate::http::HttpRequest;
use crate::operation::{Family, Method};

/// The request for reqwest, and the watch over it; none when the URL or a header is none.
pub(crate) fn build(request: &HttpRequest, urls: &Urls) -> Option<(reqwest::Request, Watch)> {
    let url = urls.read(request)?;
    let proves = !cfg!(feature = "http2") || url.scheme() == "http";
    let mut outgoing = reqwest::Request::new(method(request.method), url);
    fill(outgoing.headers_mut(), &request.headers)?;
    let content = match (&request.body, request.method) {
        (Some(body), _) if !body.is_empty() => Content::Bytes(body),
        (Some(_), _) | (None, Method::Post | Method::Put) => Content::Empty,
        (None, Method::Get | Method::Delete) => Content::Absent,
    };
    let (body, watch) = Watch::new(&content, proves);
    *outgoing.body_mut() = Some(body);
    Some((outgoing, watch))
}

/// Values are marked as sensitive, so that no layer below prints a key.
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

/// How long the request is and how the connection goes on is told by hyper alone.
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

/// URLs that were parsed before: parsing one costs as much as writing a small body. Only those of calls
/// whose path is fixed are kept, never one that carries a key, a token or an id.
#[derive(Default)]
pub(crate) struct Urls(RwLock<Vec<(String, Url)>>);

/// There are fewer fixed paths than this, at a few regions.
const KEPT: usize = 32;

impl Urls {
    fn read(&self, request: &HttpRequest) -> Option<Url> {
        if request.method != Method::Post || request.family == Family::MessengerC || request.url.contains('?')
        {
            return Url::parse(&request.url).ok();
        }
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, url)) = known.iter().find(|(text, _)| *text == request.url) {
            return Some(url.clone());
        }
        drop(known);
        let url = Url::parse(&request.url).ok()?;
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() < KEPT {
            known.push((request.url.clone(), url.clone()));
        }
        Some(url)
    }
}
