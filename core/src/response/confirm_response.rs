//! Reads successful responses and compares them with their requests; the common part of typed calls and calls with JSON.
#![cfg_attr(not(feature = "call"), allow(dead_code, reason = "used by calls"))]

use crate::http::HttpResponse;
use crate::operation::{Operation, ResponseDecodeError, ResponseExpectation, Unconfirmed};
use crate::problem::{Problem, Problems};
use crate::request::RequestContext;

/// The facts about a response that confirms success.
pub(crate) struct Confirmed {
    /// Warnings about missing and unreadable members.
    pub(crate) warnings: Vec<Problem>,
    /// The ids that the provider created.
    pub(crate) ids: Vec<String>,
    /// The id that names the whole request: see [`Operation::id`].
    pub(crate) id: Option<String>,
    /// Whether the response reports that a passcode is not valid.
    pub(crate) not_verified: bool,
}

/// Reads a successful response, and compares it with the request.
pub(crate) fn confirm<O: Operation>(
    context: &RequestContext,
    response: &HttpResponse,
    expected: &ResponseExpectation,
) -> Result<(O::Output, Confirmed), Unconfirmed> {
    let mut warnings = Problems::default();
    let mut output = O::parse(context, response, &mut warnings).map_err(|_| Unconfirmed::Missing)?;
    O::confirm(&mut output, expected, &mut warnings)?;
    let ids = O::ids(&output).into_iter().filter(|id| !id.is_empty()).map(str::to_owned).collect();
    let id = O::id(&output).map(str::to_owned);
    let not_verified = O::IS_NOT_VERIFIED.is_some_and(|reports| reports(&output));
    Ok((output, Confirmed { warnings: warnings.into_vec(), ids, id, not_verified }))
}

/// [`confirm`], with the result as JSON.
pub(crate) fn confirm_json<O: Operation>(
    context: &RequestContext,
    response: &HttpResponse,
    expected: &ResponseExpectation,
) -> Result<(String, Confirmed), Unconfirmed> {
    let (output, confirmed) = confirm::<O>(context, response, expected)?;
    let text = serde_json::to_string(&output).map_err(|_| Unconfirmed::Missing)?;
    Ok((text, confirmed))
}

/// A value of a response, without its concrete type.
#[cfg(feature = "__erased")]
pub type ErasedValue = Box<dyn erased_serde::Serialize + Send>;

/// [`confirm`], with the result as a value without its concrete type.
#[cfg(feature = "__erased")]
pub(crate) fn confirm_erased<O: Operation>(
    context: &RequestContext,
    response: &HttpResponse,
    expected: &ResponseExpectation,
) -> Result<(ErasedValue, Confirmed), Unconfirmed> {
    let (output, confirmed) = confirm::<O>(context, response, expected)?;
    Ok((Box::new(output), confirmed))
}

/// Reads a successful response, without comparing it with a request.
pub(crate) fn parse<O: Operation>(
    context: &RequestContext,
    response: &HttpResponse,
) -> Result<String, ResponseDecodeError> {
    let mut warnings = Problems::default();
    let mut output = O::parse(context, response, &mut warnings)?;
    let _ = O::confirm(&mut output, &ResponseExpectation::default(), &mut warnings);
    serde_json::to_string(&output).map_err(|_| ResponseDecodeError)
}

/// Whether a response, as JSON, reports that a passcode is not valid; so does a response that cannot be read.
pub(crate) fn is_not_verified<O: Operation>(response: &str) -> bool {
    let read = serde_json::from_str;
    O::IS_NOT_VERIFIED.is_some_and(|reports| read(response).map_or(true, |output| reports(&output)))
}

/// The id of a response, as JSON: see [`Operation::id`].
pub(crate) fn id<O: Operation>(response: &str) -> Option<String> {
    let output = serde_json::from_str(response).ok()?;
    O::id(&output).filter(|id| !id.is_empty()).map(str::to_owned)
}
