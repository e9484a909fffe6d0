//! The ways to read a response: typed, as JSON text, as any JSON.

use serde_json::Value;

use super::road::Reader;
use crate::http::HttpResponse;
use crate::operation::{Doubt, Expected, Operation};
use crate::operations::OperationId;
use crate::prepared::{self, Confirmed};
use crate::wire::RequestContext;

pub(crate) struct Typed<O: Operation>(pub(crate) Option<O::Output>);

impl<O: Operation> Reader for Typed<O> {
    fn read(
        &mut self,
        wire: &RequestContext,
        response: &HttpResponse,
        expected: &Expected,
    ) -> Result<Confirmed, Doubt> {
        let (output, confirmed) = prepared::confirm::<O>(wire, response, expected)?;
        self.0 = Some(output);
        Ok(confirmed)
    }
}

pub(crate) struct Text(pub(crate) OperationId, pub(crate) Option<String>);

impl Reader for Text {
    fn read(
        &mut self,
        wire: &RequestContext,
        response: &HttpResponse,
        expected: &Expected,
    ) -> Result<Confirmed, Doubt> {
        let (text, confirmed) = self.0.confirm_json(wire, response, expected)?;
        self.1 = Some(text);
        Ok(confirmed)
    }
}

/// For a call that the specification does not show; XML is left to `raw`, and an empty body is `null`.
pub(crate) struct Free(pub(crate) Option<Value>);

impl Reader for Free {
    fn read(
        &mut self,
        _: &RequestContext,
        response: &HttpResponse,
        _: &Expected,
    ) -> Result<Confirmed, Doubt> {
        let value = match serde_json::from_slice(&response.body) {
            Ok(value) => value,
            Err(_) if matches!(response.status, 204 | 205) => Value::Null,
            Err(_) if response.body.trim_ascii_start().starts_with(b"<?xml") => Value::Null,
            Err(_) => return Err(Doubt::Missing),
        };
        self.0 = Some(value);
        Ok(Confirmed { warnings: Vec::new(), ids: Vec::new() })
    }
}
