use crate::operation::{Doubt, Expected, Recipients};
use crate::problem::{Pointer, Problems, codes};
use crate::rules::formats;
use crate::values::OneOrMany;

/// The numbers to look up; `split` where one text may hold several, separated by commas.
pub(super) fn numbers(msisdn: &OneOrMany, split: bool, at: &Pointer<'_>, problems: &mut Problems) {
    let at = &at.key("msisdn");
    match msisdn {
        OneOrMany::One(text) => number(text, split, at, problems),
        OneOrMany::Many(texts) => {
            if texts.is_empty() {
                problems.add(&codes::LOOKUP_MSISDN_REQUIRED, at);
            }
            for (index, text) in texts.iter().enumerate() {
                number(text, split, &at.index(index), problems);
            }
        }
    }
}

fn number(text: &str, split: bool, at: &Pointer<'_>, problems: &mut Problems) {
    let (mut is_blank, mut is_other) = (false, false);
    for part in text.split(|c| split && c == ',') {
        let part = part.trim();
        is_blank |= part.is_empty();
        is_other |= !part.is_empty() && !formats::is_phone(part);
    }
    if is_blank {
        problems.add(&codes::LOOKUP_MSISDN_REQUIRED, at);
    }
    if is_other {
        problems.add(&codes::LOOKUP_MSISDN_NOT_PHONE, at);
    }
}

/// One element for each number; each piece between commas is one.
pub(super) fn expected(msisdn: &OneOrMany) -> Expected {
    let numbers = || msisdn.as_slice().iter().flat_map(|text| text.split(','));
    let recipients = Recipients::new(numbers());
    Expected { elements: Some(numbers().count()), recipients, ..Expected::default() }
}

/// An element without `response` says nothing.
pub(super) fn confirm(
    results: &[super::LookupResult],
    expected: &Expected,
    warnings: &mut Problems,
) -> Result<(), Doubt> {
    if results.iter().any(|result| !expected.recipients.include(result.msisdn.as_deref())) {
        return Err(Doubt::Mismatch);
    }
    let expected = expected.elements.unwrap_or(results.len());
    if results.len() > expected {
        return Err(Doubt::Mismatch);
    }
    if results.iter().all(|result| result.response.is_none()) {
        return Err(Doubt::Missing);
    }
    if results.len() < expected {
        warnings.report(&codes::RESPONSE_ELEMENTS_MISSING, &Pointer::ROOT).limit(
            expected,
            results.len(),
            "elements",
        );
    }
    Ok(())
}
