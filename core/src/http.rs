//! HTTP requests and answers as plain data.

use std::fmt;

use serde::Serialize;

use crate::error::Error;
use crate::operation::{Family, Method};

/// A request, ready for any HTTP client. `Debug` shows method and operation only.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct HttpRequest {
    /// The operation's name.
    pub operation: &'static str,
    /// Its family.
    pub family: Family,
    /// The method.
    pub method: Method,
    /// The whole URL; it may carry a key or token.
    pub url: String,
    /// The same call at the next regions, tried on proof of not sent.
    pub alternates: Vec<String>,
    /// The headers, with the credentials.
    pub headers: Vec<(String, String)>,
    /// The body; `None` for none.
    pub body: Option<Vec<u8>>,
}

impl HttpRequest {
    /// Sets a JSON body.
    ///
    /// # Errors
    /// When the value cannot be written as JSON, which no model here does.
    pub fn json<T: Serialize>(self, value: &T) -> Result<Self, Error> {
        let body =
            serde_json::to_vec(value).map_err(|_| Error::config("the request cannot be written as JSON"))?;
        Ok(self.body(body))
    }

    /// Sets a JSON body that is already written.
    #[must_use]
    pub fn body(mut self, body: Vec<u8>) -> Self {
        self.headers.push(("content-type".to_owned(), "application/json".to_owned()));
        self.body = Some(body);
        self
    }
}

impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpRequest")
            .field("operation", &self.operation)
            .field("method", &self.method)
            .finish_non_exhaustive()
    }
}

/// An answer as it came. `Debug` shows status and length only.
#[derive(Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// The headers; names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body, untouched.
    pub body: Vec<u8>,
}

impl HttpResponse {
    /// An answer from its parts.
    #[must_use]
    pub fn new(status: u16, headers: Vec<(String, String)>, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers, body: body.into() }
    }

    /// The first header with this lower-case name.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

impl fmt::Debug for HttpResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpResponse")
            .field("status", &self.status)
            .field("bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}
