//! Calls of endpoints that no operation covers.

use serde_json::Value;

use super::Client;
use super::accepted::Response;
use super::call::execute;
use super::call_info::CallInfo;
use super::extra_headers;
use super::response_decoder::AnyJsonDecoder;
use crate::error::{Error, Outcome, Reason, SentState};
use crate::http::HttpRequest;
use crate::operation::{Family, Method, ResponseExpectation, RetrySafety};
use crate::prepared::Prepared;
use crate::request::{RequestContext, percent_encode};

/// The name of the operation in requests, events and errors of raw calls.
pub(crate) const OPERATION: &str = "raw";

/// A call of an undocumented endpoint, for [`Client::call_raw`].
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct RawCall {
    method: Method,
    family: Family,
    path: String,
    query: Vec<(String, String)>,
    headers: Vec<(String, String)>,
    body: Option<Value>,
    safety: RetrySafety,
}

impl RawCall {
    /// A call of `path` at the family's address, with the family's credentials. `path` must begin with `/`. A GET is retried as
    /// a read, any other method as a send; see [`RawCall::safety`].
    #[must_use]
    pub fn new(method: Method, family: Family, path: impl Into<String>) -> Self {
        Self {
            method,
            family,
            path: path.into(),
            query: Vec::new(),
            headers: Vec::new(),
            body: None,
            safety: if method == Method::Get { RetrySafety::Read } else { RetrySafety::Send },
        }
    }

    /// [`RawCall::new`] with the names of a method and a family. The error says which names exist.
    #[doc(hidden)]
    pub fn from_names(method: &str, family: &str, path: impl Into<String>) -> Result<Self, &'static str> {
        let method = Method::from_name(method).ok_or("method must be GET, POST, PUT or DELETE")?;
        let family = Family::from_name(family)
            .ok_or("family must be otp, sms, lookup, messaging, messenger_b or messenger_c")?;
        Ok(Self::new(method, family, path))
    }

    /// Adds a query parameter; name and value are percent-encoded.
    #[must_use]
    pub fn query(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.query.push((name.into(), value.into()));
        self
    }

    /// Adds a header. A call with a header that the client sets itself, or that contains credentials, is invalid.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets the JSON body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Value>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// Sets how the call may be retried.
    #[must_use]
    pub const fn safety(mut self, safety: RetrySafety) -> Self {
        self.safety = safety;
        self
    }

    fn request(&self, context: &RequestContext) -> Result<HttpRequest, Error> {
        if !self.path.starts_with('/') {
            let message = "`path` must begin with `/`";
            return Err(Error::new(Outcome::Invalid, SentState::No, Reason::Config, OPERATION, message));
        }
        let mut path = self.path.clone();
        for (name, value) in &self.query {
            path.push(if path.contains('?') { '&' } else { '?' });
            path.extend([percent_encode(name).as_str(), "=", percent_encode(value).as_str()]);
        }
        let mut request = context.raw_request(OPERATION, self.family, self.method, &path)?;
        if let Some(body) = &self.body {
            request = request.json(body)?;
        }
        extra_headers::check(&self.headers, context.credentials.key_headers(), &request)?;
        request.headers.extend(self.headers.iter().cloned());
        Ok(request)
    }
}

impl std::fmt::Debug for RawCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RawCall")
            .field("method", &self.method)
            .field("family", &self.family)
            .finish_non_exhaustive()
    }
}

impl Client {
    /// Calls an endpoint that no operation covers, with the family's address, credentials, retries and classification of
    /// responses. The value is the JSON of the response: `null` for XML, which is in `raw`, and for 204 and 205, which have no
    /// body.
    ///
    /// # Errors
    /// Every outcome except accepted, see [`Error`].
    pub async fn call_raw(&self, call: RawCall) -> Result<Response<Value>, Error> {
        let limits = &self.environment.limits;
        let request = limits
            .check(OPERATION)
            .and_then(|()| call.request(self.context()))
            .map_err(|error| self.environment.invalid(error))?;
        let prepared = Prepared {
            sms_recipients: Vec::new(),
            request,
            warnings: Vec::new(),
            reference: None,
            reconcile: None,
            safety: call.safety,
            expected: ResponseExpectation::default(),
        };
        let info = CallInfo {
            operation: OPERATION,
            family: call.family,
            safety: call.safety,
            success_marker: None,
            strict_rejections: self.environment.limits.strict_rejections,
            secret_number: None,
        };
        let mut decoder = AnyJsonDecoder::default();
        let accepted = execute(self.environment.clone(), info, prepared, &mut decoder).await?;
        Ok(Response::new(decoder.value.unwrap_or_default(), accepted))
    }
}
