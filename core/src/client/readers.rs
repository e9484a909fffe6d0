//! The ways to read an answer: typed, as JSON text, as any JSON.

use serde_json::Value;

use super::road::Reader;
use super::verdict::Read;
use crate::http::HttpResponse;
use crate::operation::Operation;
use crate::operations::OperationId;
use crate::wire::Wire;

pub(crate) struct Typed<O: Operation>(pub(crate) Option<O::Output>);

impl<O: Operation> Reader for Typed<O> {
    fn read(&mut self, wire: &Wire, response: &HttpResponse) -> Read {
        self.0 = O::parse(wire, response).ok();
        match &self.0 {
            Some(output) if O::proves(output) => Read::Proven,
            Some(_) => Read::Shaped,
            None => Read::Unreadable,
        }
    }
}

pub(crate) struct Text(pub(crate) OperationId, pub(crate) Option<String>);

impl Reader for Text {
    fn read(&mut self, wire: &Wire, response: &HttpResponse) -> Read {
        let Ok((text, proven)) = self.0.read_json(wire, response) else { return Read::Unreadable };
        self.1 = Some(text);
        if proven { Read::Proven } else { Read::Shaped }
    }
}

/// For a call that the specification does not show; XML is left to `raw`, and 204 says that there is none.
pub(crate) struct Free(pub(crate) Option<Value>);

impl Reader for Free {
    fn read(&mut self, _wire: &Wire, response: &HttpResponse) -> Read {
        self.0 = match serde_json::from_slice(&response.body) {
            Ok(value) => Some(value),
            Err(_) if matches!(response.status, 204 | 205) => Some(Value::Null),
            Err(_) if response.body.trim_ascii_start().starts_with(b"<?xml") => Some(Value::Null),
            Err(_) => None,
        };
        if self.0.is_some() { Read::Shaped } else { Read::Unreadable }
    }
}
