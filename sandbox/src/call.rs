//! One call of the provider's API, as its handler sees it.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Arc;

use axum::http::HeaderMap;
use axum::response::Response;
use cpaas::OperationId;
use cpaas::http::Family;
use serde::de::DeserializeOwned;

use crate::account::Account;
use crate::assumptions::{AssumptionId, AssumptionSet};
use crate::faults::Kind;
use crate::provider_error::{ProviderError, ProviderResult};
use crate::sandbox_state::Shared;

/// The operation that a request is for, as the router found it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Route {
    pub(crate) family: Option<Family>,
    pub(crate) operation: Option<OperationId>,
    /// The parameters of the path, decoded.
    pub(crate) params: Vec<(String, String)>,
    /// The path belongs to operations with other methods.
    pub(crate) other_method: bool,
    /// The request came to `/sms.xml`.
    pub(crate) xml: bool,
    pub(crate) region: Option<&'static str>,
}

impl Route {
    pub(crate) fn param(&self, name: &str) -> &str {
        self.params.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    pub(crate) fn operation_name(&self) -> Option<&'static str> {
        self.operation.map(|operation| operation.meta().id)
    }
}

/// One call of the provider's API.
pub(crate) struct Call<'a> {
    pub(crate) shared: &'a Arc<Shared>,
    pub(crate) account: Arc<Account>,
    pub(crate) route: &'a Route,
    pub(crate) query: &'a str,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a [u8],
    pub(crate) assumptions: AssumptionSet,
    pub(crate) warnings: Vec<String>,
    pub(crate) fault: Option<Kind>,
    /// The request as JSON with the library's names.
    pub(crate) request_json: String,
    /// The codes of the warnings of validation.
    pub(crate) warning_codes: Vec<Cow<'static, str>>,
}

/// A response that first needs a call to another server.
pub(crate) type Later<'a> = Pin<Box<dyn Future<Output = ProviderResult<Response>> + Send + 'a>>;

impl<'a> Call<'a> {
    /// Records that the whole response depends on an assumption. With `--strict`, returns a 501 instead, before
    /// anything is done.
    pub(crate) fn assume(&mut self, id: AssumptionId) -> ProviderResult<()> {
        self.assumptions.add(id);
        let strict = self.shared.options.strict.intersection(AssumptionSet::default().with(id));
        if strict.is_empty() { Ok(()) } else { Err(ProviderError::plain(501, strict_message(strict))) }
    }

    /// Records that one field of the response depends on an assumption.
    pub(crate) fn note(&mut self, id: AssumptionId) {
        self.assumptions.add(id);
    }

    pub(crate) fn warn(&mut self, text: impl Into<String>) {
        self.warnings.push(text.into());
    }

    /// Deserializes the validated request.
    pub(crate) fn request<T: DeserializeOwned>(&self) -> ProviderResult<T> {
        let bad = |error: serde_json::Error| ProviderError::plain(400, format!("{error} [sandbox]"));
        if self.has_warning("json.duplicate_member") {
            // A map keeps the last of two members with the same name.
            let value: serde_json::Value = serde_json::from_str(&self.request_json).map_err(bad)?;
            return serde_json::from_value(value).map_err(bad);
        }
        serde_json::from_str(&self.request_json).map_err(bad)
    }

    /// Whether validation returned this warning.
    pub(crate) fn has_warning(&self, code: &str) -> bool {
        self.warning_codes.iter().any(|warning| warning == code)
    }

    pub(crate) fn family(&self) -> Option<Family> {
        self.route.family
    }
}

pub(crate) fn strict_message(strict: AssumptionSet) -> String {
    format!("this response relies on {} [sandbox]", strict.header())
}

/// The digits of a number, without a leading plus. A plus is an assumption (D29).
pub(crate) fn digits<'t>(call: &mut Call<'_>, number: &'t str) -> ProviderResult<&'t str> {
    match number.strip_prefix('+') {
        Some(digits) => {
            call.assume(AssumptionId(29))?;
            Ok(digits)
        }
        None => Ok(number),
    }
}
