//! Conversions to and from the types of the crate `http`, for other HTTP clients and for middleware.

use ::http::header::{HeaderName, HeaderValue};
use ::http::{Request, Response};

use super::{HttpRequest, HttpResponse, Method};

/// The first URL of the request; `alternates` are not converted. All headers but the type of the content are marked as sensitive, so
/// that `Debug` does not print credentials. The URL may contain a key or a token: do not print it.
///
/// # Errors
/// The URL or a header is invalid. The error does not quote it.
impl TryFrom<&HttpRequest> for Request<Vec<u8>> {
    type Error = ::http::Error;

    fn try_from(request: &HttpRequest) -> Result<Self, Self::Error> {
        let method = match request.method {
            Method::Get => ::http::Method::GET,
            Method::Post => ::http::Method::POST,
            Method::Put => ::http::Method::PUT,
            Method::Delete => ::http::Method::DELETE,
        };
        let mut converted = Request::builder()
            .method(method)
            .uri(&request.url)
            .body(request.body.clone().unwrap_or_default())?;
        for (name, value) in &request.headers {
            let name = HeaderName::from_bytes(name.as_bytes())?;
            let mut value = HeaderValue::from_str(value)?;
            value.set_sensitive(name != ::http::header::CONTENT_TYPE);
            converted.headers_mut().append(name, value);
        }
        Ok(converted)
    }
}

/// A header that is not UTF-8 is converted with replacement characters.
impl<B: Into<Vec<u8>>> From<Response<B>> for HttpResponse {
    fn from(response: Response<B>) -> Self {
        let (head, body) = response.into_parts();
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        let headers = head.headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value)));
        Self::new(head.status.as_u16(), headers.collect(), body)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::http::Family;

    fn request(url: &str, header: (&str, &str)) -> HttpRequest {
        HttpRequest {
            operation: "sms.send",
            family: Family::Sms,
            method: Method::Post,
            url: url.to_owned(),
            alternates: Vec::new(),
            headers: vec![(header.0.to_owned(), header.1.to_owned())],
            body: None,
        }
        .body(b"{}".to_vec())
    }

    #[test]
    fn a_request_is_converted_and_its_debug_shows_no_credentials() {
        let converted =
            Request::try_from(&request("https://sms.example/x?key=1", ("x-service-api-key", "SECRET")))
                .unwrap();
        assert_eq!(
            (converted.method().as_str(), converted.uri().to_string().as_str()),
            ("POST", "https://sms.example/x?key=1")
        );
        assert_eq!(converted.headers()["content-type"], "application/json");
        assert_eq!(converted.headers()["x-service-api-key"], "SECRET");
        assert_eq!(converted.body(), b"{}");
        assert!(!format!("{:?}", converted.headers()).contains("SECRET"));
    }

    #[test]
    fn an_invalid_url_or_header_is_an_error_that_does_not_quote_it() {
        let errors = [
            Request::try_from(&request("https://SECRET host/", ("a", "b"))),
            Request::try_from(&request("https://sms.example", ("SEC RET", "b"))),
            Request::try_from(&request("https://sms.example", ("a", "SEC\nRET"))),
        ];
        for error in errors {
            let error = error.unwrap_err();
            assert!(!format!("{error} {error:?}").contains("SEC"), "{error:?}");
        }
    }

    #[test]
    fn a_response_is_converted() {
        let response = Response::builder()
            .status(202)
            .header("X-A", "1")
            .header("x-a", &b"\xff"[..])
            .body("{}")
            .unwrap();
        let converted = HttpResponse::from(response);
        assert_eq!((converted.status, converted.body.as_slice()), (202, &b"{}"[..]));
        let pair = |value: &str| ("x-a".to_owned(), value.to_owned());
        assert_eq!(converted.headers, [pair("1"), pair("\u{fffd}")]);
    }
}
