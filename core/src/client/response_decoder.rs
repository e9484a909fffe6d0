//! Decodes successful responses: into a model, into JSON text, into a value without its type, or into any JSON value.

use serde_json::Value;

use crate::http::HttpResponse;
use crate::operation::{Operation, ResponseExpectation, Unconfirmed};
use crate::operations::OperationId;
use crate::request::RequestContext;
#[cfg(feature = "__erased")]
use crate::response::confirm_response::ErasedValue;
use crate::response::confirm_response::{self, Confirmed};

/// Decodes a response and keeps its value in a field. `execute` gets `&mut dyn ResponseDecoder`, so that the code of a call exists once and
/// not once for each operation; a method of such a trait cannot return the operation's type.
pub(crate) trait ResponseDecoder: Send {
    fn decode(
        &mut self,
        context: &RequestContext,
        response: &HttpResponse,
        expected: &ResponseExpectation,
    ) -> Result<Confirmed, Unconfirmed>;
}

pub(crate) struct TypedDecoder<O: Operation> {
    pub(crate) value: Option<O::Output>,
}

impl<O: Operation> ResponseDecoder for TypedDecoder<O> {
    fn decode(
        &mut self,
        context: &RequestContext,
        response: &HttpResponse,
        expected: &ResponseExpectation,
    ) -> Result<Confirmed, Unconfirmed> {
        let (output, confirmed) = confirm_response::confirm::<O>(context, response, expected)?;
        self.value = Some(output);
        Ok(confirmed)
    }
}

/// For operations that are known only at run time: the value becomes JSON.
pub(crate) struct JsonTextDecoder {
    operation: OperationId,
    pub(crate) json: Option<String>,
}

impl JsonTextDecoder {
    pub(crate) const fn new(operation: OperationId) -> Self {
        Self { operation, json: None }
    }
}

impl ResponseDecoder for JsonTextDecoder {
    fn decode(
        &mut self,
        context: &RequestContext,
        response: &HttpResponse,
        expected: &ResponseExpectation,
    ) -> Result<Confirmed, Unconfirmed> {
        let (json, confirmed) = self.operation.confirm_json(context, response, expected)?;
        self.json = Some(json);
        Ok(confirmed)
    }
}

/// For operations that are known only at run time: the value loses its type.
#[cfg(feature = "__erased")]
pub(crate) struct ErasedDecoder {
    pub(crate) operation: OperationId,
    pub(crate) value: Option<ErasedValue>,
}

#[cfg(feature = "__erased")]
impl ResponseDecoder for ErasedDecoder {
    fn decode(
        &mut self,
        context: &RequestContext,
        response: &HttpResponse,
        expected: &ResponseExpectation,
    ) -> Result<Confirmed, Unconfirmed> {
        let (value, confirmed) = self.operation.confirm_erased(context, response, expected)?;
        self.value = Some(value);
        Ok(confirmed)
    }
}

/// For undocumented calls. The value is `null` for XML and for a 204 or 205 without a body.
#[derive(Default)]
pub(crate) struct AnyJsonDecoder {
    pub(crate) value: Option<Value>,
}

impl ResponseDecoder for AnyJsonDecoder {
    fn decode(
        &mut self,
        _: &RequestContext,
        response: &HttpResponse,
        _: &ResponseExpectation,
    ) -> Result<Confirmed, Unconfirmed> {
        let value = match serde_json::from_slice(&response.body) {
            Ok(value) => value,
            Err(_) if matches!(response.status, 204 | 205) => Value::Null,
            Err(_) if response.body.trim_ascii_start().starts_with(b"<?xml") => Value::Null,
            Err(_) => return Err(Unconfirmed::Missing),
        };
        self.value = Some(value);
        Ok(Confirmed { warnings: Vec::new(), ids: Vec::new(), id: None, not_verified: false })
    }
}
