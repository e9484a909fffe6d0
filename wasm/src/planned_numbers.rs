//! Numbers by the numbering plans: their region and kind, and the settings of a client that need them.

use std::borrow::Cow;

use cpaas::config::Config;
use cpaas::request::RequestContext;
use cpaas::text::msisdn::{self, NotANumber};
use cpaas::value::Value;
use cpaas::{OperationId, UnknownOperation};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::validator::bounded;

/// What the numbering plans contain about a number, which may be written as it is dialed in a region, as JSON. For an unknown region,
/// the result is a message, which is not JSON.
#[wasm_bindgen(js_name = checkNumber)]
#[must_use]
#[expect(clippy::needless_pass_by_value, reason = "an optional argument of the glue is owned")]
pub fn check_number(number: &str, region: Option<String>) -> String {
    match msisdn::check_number(number, region.as_deref()) {
        Ok(found) => Value::from_iter([
            ("valid", Value::from(found.valid)),
            ("possible", Value::from(found.possible)),
            ("region", Value::from(found.region)),
            ("type", Value::from(found.kind.as_str())),
        ])
        .to_string(),
        Err(reason) => reason.to_string(),
    }
}

/// A number as it is dialed in a region, as JSON: the form that is sent, or null. For an unknown region, the result is a message, which
/// is not JSON.
#[wasm_bindgen(js_name = normalizeNumber)]
#[must_use]
pub fn normalize_number(number: &str, region: &str) -> String {
    let found = msisdn::normalize_number(number, Some(region));
    match found {
        Err(reason @ NotANumber::Region) => reason.to_string(),
        found => Value::from_iter([("number", found.ok().map(Cow::into_owned))]).to_string(),
    }
}

/// As [`validate_text`](crate::validator::validate_text), with `normalize`, `allow_countries` and `allow_types` of a client as JSON.
#[wasm_bindgen(js_name = validateWith)]
#[must_use]
pub fn validate_with(operation: &str, request: &[u8], limit: Option<u32>, settings: &str) -> String {
    let Some(operation) = OperationId::find(operation) else {
        return UnknownOperation::new(operation).message();
    };
    let Ok(request) = str::from_utf8(request) else { return "the request must be UTF-8".to_owned() };
    match Config::from_json(settings).and_then(|config| RequestContext::new(&config)) {
        Ok(context) => bounded(
            operation.validate_json_with_defaults(request, &context),
            limit.map_or(1000, |limit| limit as usize),
        ),
        Err(error) => error.message.clone(),
    }
}
