//! The phone numbers of a request: normalizes them, warns about special networks, and applies the policy of the configuration.

use std::borrow::Cow;

use crate::json::fill_model::FillRequest;
use crate::model::recipient::{RecipientKind, RecipientText};
use crate::problem::{Fix, Pointer, Problems, codes};
use crate::request::NumberSettings;
use crate::schema::Field;
use crate::text::msisdn::{self, NotANumber, PlannedNumber, SpecialNumber};

/// Writes the recipients of a request in the form that is sent, if the configuration says so, and reports what was changed, numbers
/// of special networks, and numbers that the policy of the configuration does not allow.
pub(crate) fn check(
    request: &mut dyn FillRequest,
    fields: &'static [Field],
    settings: &NumberSettings,
    problems: &mut Problems,
) {
    if !settings.is_active() && !problems.keeps(&codes::NUMBER_PREMIUM_RATE) {
        return;
    }
    request.recipients(fields, &mut |recipient| {
        let RecipientText { at, text, kind, is_list } = recipient;
        if !is_list {
            if let Some(number) = one(&at, text, kind, settings, problems) {
                *text = number;
            }
            return;
        }
        let mut has_changed = false;
        let mut list = Vec::new();
        for (index, part) in text.split(',').enumerate() {
            let number = one(&at.index(index), part, kind, settings, problems);
            has_changed |= number.is_some();
            list.push(number.map_or(Cow::Borrowed(part), Cow::Owned));
        }
        if has_changed {
            let list = list.join(",");
            *text = list;
        }
    });
}

/// Checks one recipient. Returns the form that is sent if it differs from the text.
fn one(
    at: &Pointer<'_>,
    text: &str,
    kind: RecipientKind,
    settings: &NumberSettings,
    problems: &mut Problems,
) -> Option<String> {
    if text.trim().is_empty()
        || (kind == RecipientKind::Identifier && !msisdn::has_international_prefix(text))
    {
        return None;
    }
    let may_normalize = kind == RecipientKind::Number || msisdn::has_international_prefix(text);
    let (region, is_normalized) = match &settings.normalize {
        Some(normalize) if may_normalize => (normalize.region(), true),
        _ => (None, false),
    };
    let number = msisdn::normalize_number(text, region);
    let changed = match &number {
        Ok(number) if is_normalized && number != text => {
            let fix = Fix::replace(text, 0, text.len(), number.as_ref());
            problems.report(&codes::NUMBER_NORMALIZED, at).fix(Some(fix));
            Some(number.as_ref().to_owned())
        }
        Err(reason) if is_normalized && kind == RecipientKind::Number => {
            report_not_a_number(*reason, at, problems);
            None
        }
        _ => None,
    };
    let number = number.ok();
    let number = number.as_deref().map(PlannedNumber::new);
    settings.check_policy(number.as_ref(), at, problems);
    if let Some(number) = number {
        report_special(&number, at, problems);
    }
    changed
}

fn report_not_a_number(reason: NotANumber, at: &Pointer<'_>, problems: &mut Problems) {
    let added = problems.report(&codes::NUMBER_INVALID, at).param("reason", reason.code());
    added.message(reason.to_string());
}

/// Warns about a number whose messages are expensive.
fn report_special(number: &PlannedNumber<'_>, at: &Pointer<'_>, problems: &mut Problems) {
    if !problems.keeps(&codes::NUMBER_PREMIUM_RATE) {
        return;
    }
    let code = match number.special() {
        None => return,
        Some(SpecialNumber::PremiumRate) => &codes::NUMBER_PREMIUM_RATE,
        Some(SpecialNumber::SharedCost) => &codes::NUMBER_SHARED_COST,
        Some(SpecialNumber::Satellite) => &codes::NUMBER_SATELLITE,
    };
    problems.add(code, at);
}
