//! HTTP requests and responses as plain data, for any HTTP client.

#[cfg(all(feature = "http", not(target_family = "wasm")))]
mod conversions;

use std::fmt;

use serde::Serialize;

use crate::error::Error;
use crate::util::named_enum;

named_enum! {
    /// A family of the provider's API. Each has an address and an authentication scheme.
    #[non_exhaustive]
    pub enum Family {
        /// A: one-time passcodes and voice.
        Otp = "otp",
        /// B: SMS.
        Sms = "sms",
        /// C: number lookup.
        Lookup = "lookup",
        /// D: the multi-channel messaging API.
        Messaging = "messaging",
        /// Webhook registration of `messenger_b`.
        MessengerB = "messenger_b",
        /// Webhook registration of `messenger_c`.
        MessengerC = "messenger_c",
    }
}

/// An HTTP method that the provider uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// `GET`
    Get,
    /// `POST`
    Post,
    /// `PUT`
    Put,
    /// `DELETE`
    Delete,
}

impl Method {
    const ALL: [Self; 4] = [Self::Get, Self::Post, Self::Put, Self::Delete];

    /// The method of this name, in upper or lower case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str().eq_ignore_ascii_case(name))
    }

    /// The method's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }
}

/// A complete HTTP request. `Debug` shows only method and operation.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct HttpRequest {
    /// The operation's name.
    pub operation: &'static str,
    /// Its family.
    pub family: Family,
    /// The method.
    pub method: Method,
    /// The absolute URL; it may contain a key or token.
    pub url: String,
    /// The URLs of the same call in the next regions, to try after proof that the request was not sent.
    pub alternates: Vec<String>,
    /// The headers, including the credentials.
    pub headers: Vec<(String, String)>,
    /// The body, if any.
    pub body: Option<Vec<u8>>,
}

impl HttpRequest {
    /// Sets a JSON body.
    ///
    /// # Errors
    /// `invalid` with the reason `config` if the value cannot be written as JSON; every model of this crate can.
    pub fn json<T: Serialize>(self, value: &T) -> Result<Self, Error> {
        let body = serde_json::to_vec(value)
            .map_err(|_| Error::config("the request could not be written as JSON"))?;
        Ok(self.body(body))
    }

    /// Sets a body that is JSON already.
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

/// An HTTP response as received. `Debug` shows only status and length.
#[derive(Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct HttpResponse {
    /// The HTTP status.
    pub status: u16,
    /// The headers; names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body as received.
    pub body: Vec<u8>,
}

impl HttpResponse {
    /// A response from its parts.
    #[must_use]
    pub fn new(status: u16, headers: Vec<(String, String)>, body: impl Into<Vec<u8>>) -> Self {
        Self { status, headers, body: body.into() }
    }

    /// The first header with this name, in upper or lower case.
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
