//! A request as bytes.

use super::proxy::Way;
use super::target::Target;
use crate::http::HttpRequest;
use crate::operation::Method;

/// What is written for a request, in one piece.
pub(crate) struct Outgoing(Vec<u8>);

impl Outgoing {
    /// None when a header is none.
    pub(crate) fn new(request: &HttpRequest, target: &Target<'_>, way: Way<'_>) -> Option<Self> {
        let body = request.body.as_deref();
        let mut bytes = Vec::with_capacity(HEAD + request.url.len() + body.map_or(0, <[u8]>::len));
        bytes.extend_from_slice(method(request.method).as_bytes());
        let carried = carried(target, way);
        if carried.is_some() {
            bytes.extend_from_slice(b"http://");
            bytes.extend_from_slice(target.authority.as_bytes());
        }
        path(&mut bytes, target.path);
        bytes.extend_from_slice(b" HTTP/1.1\r\n");
        let is_named = |(name, _): &(String, String)| name.eq_ignore_ascii_case("host");
        if !request.headers.iter().any(is_named) {
            line(&mut bytes, "host", target.authority);
        }
        line(&mut bytes, "accept", "*/*");
        if let Some(Some(authorization)) = carried {
            line(&mut bytes, "proxy-authorization", authorization);
        }
        for (name, value) in &request.headers {
            if !is_name(name) || !is_value(value) {
                return None;
            }
            if !is_framing(name) {
                line(&mut bytes, name, value);
            }
        }
        if body.is_some() || matches!(request.method, Method::Post | Method::Put) {
            line(&mut bytes, "content-length", &body.map_or(0, <[u8]>::len).to_string());
        }
        bytes.extend_from_slice(b"\r\n");
        bytes.extend_from_slice(body.unwrap_or_default());
        Some(Self(bytes))
    }

    #[cfg(test)]
    pub(crate) fn raw(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Enough for most heads, so that nothing is copied twice.
const HEAD: usize = 384;

/// Whether a proxy reads this request, and the proof of who asks it to.
fn carried<'a>(target: &Target<'_>, way: Way<'a>) -> Option<Option<&'a str>> {
    match way {
        Way::Proxy(proxy) if !target.tls => Some(proxy.authorization.as_deref()),
        _ => None,
    }
}

const fn method(method: Method) -> &'static str {
    match method {
        Method::Get => "GET ",
        Method::Post => "POST ",
        Method::Put => "PUT ",
        Method::Delete => "DELETE ",
    }
}

pub(crate) fn line(bytes: &mut Vec<u8>, name: &str, value: &str) {
    bytes.extend_from_slice(name.as_bytes());
    bytes.extend_from_slice(b": ");
    bytes.extend_from_slice(value.as_bytes());
    bytes.extend_from_slice(b"\r\n");
}

/// Writes path and query; what may not stand there is percent-encoded.
fn path(bytes: &mut Vec<u8>, path: &str) {
    if !path.starts_with('/') {
        bytes.push(b'/');
    }
    if path.bytes().all(is_of_path) {
        return bytes.extend_from_slice(path.as_bytes());
    }
    for byte in path.bytes() {
        if is_of_path(byte) {
            bytes.push(byte);
        } else {
            bytes.extend_from_slice(format!("%{byte:02X}").as_bytes());
        }
    }
}

const fn is_of_path(byte: u8) -> bool {
    byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'\\' | b'^' | b'`' | b'{' | b'|' | b'}')
}

fn is_name(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_token)
}

fn is_value(value: &str) -> bool {
    value.bytes().all(|byte| matches!(byte, b'\t' | b' '..=b'~'))
}

/// How long the request is and how the connection goes on is told by the transport alone.
fn is_framing(name: &str) -> bool {
    ["content-length", "transfer-encoding", "expect", "upgrade"]
        .iter()
        .any(|known| name.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::super::proxy::Ways;
    use super::*;
    use crate::operation::Family;

    fn request(method: Method, url: &str, headers: &[(&str, &str)], body: Option<&str>) -> HttpRequest {
        let own = |text: &&str| (*text).to_owned();
        HttpRequest {
            operation: "raw",
            family: Family::Sms,
            method,
            url: url.to_owned(),
            alternates: Vec::new(),
            headers: headers.iter().map(|(name, value)| (own(name), own(value))).collect(),
            body: body.map(|body| body.as_bytes().to_vec()),
        }
    }

    fn written(request: &HttpRequest, way: Way<'_>) -> Option<String> {
        let outgoing = Outgoing::new(request, &Target::read(&request.url).unwrap(), way)?;
        Some(String::from_utf8(outgoing.0).unwrap())
    }

    #[test]
    fn a_request_as_it_is_written() {
        let post = request(Method::Post, "http://a.example:81/sms?x=1#y", &[("X-Key", "k")], Some("{}"));
        let text = "POST /sms?x=1 HTTP/1.1\r\nhost: a.example:81\r\naccept: */*\r\nX-Key: k\r\ncontent-length: 2\r\n\r\n{}";
        assert_eq!(written(&post, Way::Direct).unwrap(), text);
        let get = request(Method::Get, "https://a.example", &[("HOST", "b")], None);
        assert_eq!(written(&get, Way::Direct).unwrap(), "GET / HTTP/1.1\r\naccept: */*\r\nHOST: b\r\n\r\n");
        let put = request(Method::Put, "https://a.example?q", &[("Content-Length", "7")], None);
        let text = "PUT /?q HTTP/1.1\r\nhost: a.example\r\naccept: */*\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(written(&put, Way::Direct).unwrap(), text);
    }

    #[test]
    fn a_proxy_reads_the_whole_address_and_its_own_password() {
        let ways = Ways::all("http://us%40er:pa%3Ass@proxy.example:3128").unwrap();
        let get = request(Method::Get, "http://a.example:81/x", &[], None);
        let text = written(&get, ways.to(&Target::read(&get.url).unwrap())).unwrap();
        assert!(text.starts_with("GET http://a.example:81/x HTTP/1.1\r\nhost: a.example:81\r\n"), "{text}");
        assert!(text.contains("\r\nproxy-authorization: Basic dXNAZXI6cGE6c3M=\r\n"), "{text}");
        // What runs over TLS is none of its business.
        let get = request(Method::Get, "https://a.example/x", &[], None);
        let text = written(&get, ways.to(&Target::read(&get.url).unwrap())).unwrap();
        assert_eq!(text, "GET /x HTTP/1.1\r\nhost: a.example\r\naccept: */*\r\n\r\n");
    }

    #[test]
    fn no_path_and_no_header_breaks_out_of_its_line() {
        let get = request(Method::Get, "http://a/x y\r\nz: ä\"{%7B?q=a b", &[], None);
        let text = written(&get, Way::Direct).unwrap();
        assert!(text.starts_with("GET /x%20y%0D%0Az:%20%C3%A4%22%7B%7B?q=a%20b HTTP/1.1\r\n"), "{text}");
        for (name, value) in
            [("x", "1\r\ny: 2"), ("x", "ä"), ("x", "\0"), ("x y", "1"), ("", "1"), ("x:", "1")]
        {
            let get = request(Method::Get, "http://a/", &[(name, value)], None);
            assert_eq!(written(&get, Way::Direct), None, "{name} {value}");
        }
    }
}
