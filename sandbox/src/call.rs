//! One call of the provider's interface, as its handler sees it.

use std::sync::Arc;

use axum::http::HeaderMap;
use cpaas::OperationId;
use cpaas::operation::Family;

use crate::account::Account;
use crate::assumptions::{D, Marks};
use crate::faults::Kind;
use crate::object::Object;
use crate::provider_error::{Outcome, ProviderError};
use crate::shared::Shared;

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

/// One call of the provider's interface.
pub(crate) struct Call<'a> {
    pub(crate) shared: &'a Arc<Shared>,
    pub(crate) account: Arc<Account>,
    pub(crate) route: &'a Route,
    pub(crate) query: &'a str,
    pub(crate) headers: &'a HeaderMap,
    pub(crate) body: &'a [u8],
    pub(crate) marks: Marks,
    pub(crate) warnings: Vec<String>,
    pub(crate) fault: Option<Kind>,
}

impl<'a> Call<'a> {
    /// The whole answer leans on a default; with `--strict` it is a 501 instead, before anything happens.
    pub(crate) fn rely(&mut self, default: D) -> Outcome<()> {
        self.marks.add(default);
        let strict = self.shared.options.strict.both(Marks::default().with(default));
        if strict.is_empty() { Ok(()) } else { Err(ProviderError::plain(501, strict_message(strict))) }
    }

    /// One field of the answer leans on a default.
    pub(crate) fn note(&mut self, default: D) {
        self.marks.add(default);
    }

    pub(crate) fn warn(&mut self, text: impl Into<String>) {
        self.warnings.push(text.into());
    }

    /// The body as an object; unknown members and duplicates are warnings.
    pub(crate) fn object(&mut self, known: &[&str], code: i64) -> Outcome<Object<'a>> {
        let object = match Object::parse(self.body) {
            Ok(object) => object,
            Err(text) => return Err(ProviderError::new(400, code, text)),
        };
        if object.duplicate() {
            self.note(D(66));
            self.warn("a member occurs twice: the last one counts");
        }
        for (name, _) in object.iter() {
            if !known.contains(&name) {
                self.warn(format!("unknown member `{name}`"));
            }
        }
        Ok(object)
    }

    pub(crate) fn family(&self) -> Option<Family> {
        self.route.family
    }
}

pub(crate) fn strict_message(strict: Marks) -> String {
    format!("this answer leans on {} [sandbox]", strict.header())
}

/// A number of 7 to 15 digits; a leading plus is dropped where the family takes one (D29).
pub(crate) fn number(call: &mut Call<'_>, text: &str, plus: bool) -> Outcome<Option<String>> {
    let digits = match text.strip_prefix('+') {
        Some(digits) if plus => {
            call.rely(D(29))?;
            digits
        }
        _ => text,
    };
    let fits = (7..=15).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    Ok(fits.then(|| digits.to_owned()))
}
