use super::readers::Free;
use super::verdict::Subject;
use super::{Client, Response, road};
use crate::error::Error;
use crate::http::HttpRequest;
use crate::operation::{Expected, Family, Method, RetrySafety};
use crate::prepared::Prepared;
use crate::wire::encode;
use serde_json::Value;

const OPERATION: &str = "raw";

/// A call of an endpoint that the specification does not show.
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
    /// A call below the family's address, with its credentials. It is retried as a read when the
    /// method is GET, otherwise as a send; see [`RawCall::safety`].
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

    /// Adds a parameter to the query; it is percent-encoded.
    #[must_use]
    pub fn query(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.query.push((name.into(), value.into()));
        self
    }

    /// Adds a header.
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

    /// How it may be retried.
    #[must_use]
    pub const fn safety(mut self, safety: RetrySafety) -> Self {
        self.safety = safety;
        self
    }

    fn request(&self, client: &Client) -> Result<HttpRequest, Error> {
        if !self.path.starts_with('/') {
            return Err(Error::config("raw: the path begins with `/`"));
        }
        let mut path = self.path.clone();
        for (name, value) in &self.query {
            path.push(if path.contains('?') { '&' } else { '?' });
            path.extend([encode(name).as_str(), "=", encode(value).as_str()]);
        }
        let mut request = client.wire.raw_request(OPERATION, self.family, self.method, &path)?;
        request.headers.extend(self.headers.iter().cloned());
        match &self.body {
            Some(body) => request.json(body),
            None => Ok(request),
        }
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
    /// Calls an endpoint that no operation covers, with the family's address, credentials, retries and
    /// classification of the answer. The value is the JSON of the answer (`null` for XML, which stands
    /// in `raw`, and for 204 and 205, which have none).
    ///
    /// # Errors
    /// Every outcome but accepted.
    pub async fn call_raw(&self, call: RawCall) -> Result<Response<Value>, Error> {
        let request = call.request(self).inspect_err(|error| self.shared.hooks.tell_invalid(error))?;
        let prepared = Prepared {
            request,
            warnings: Vec::new(),
            reference: None,
            reconcile: None,
            safety: call.safety,
            expected: Expected::default(),
        };
        let subject = Subject {
            operation: OPERATION,
            family: call.family,
            safety: call.safety,
            evidence: None,
            strict_refusals: self.limits.strict_refusals,
        };
        let mut reader = Free(None);
        let passed = road::travel(self, subject, prepared, &mut reader).await?;
        Ok(Response::new(reader.0.unwrap_or_default(), passed))
    }
}
