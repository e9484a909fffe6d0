use crate::problem::{Pointer, Problems, codes};
use crate::rules::address;
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
    let parts = || text.split(',').filter(|_| split).chain((!split).then_some(text)).map(str::trim);
    if parts().any(str::is_empty) {
        problems.add(&codes::LOOKUP_MSISDN_REQUIRED, at);
    }
    if parts().any(|part| !part.is_empty() && !address::is_phone(part)) {
        problems.add(&codes::LOOKUP_MSISDN_NOT_PHONE, at);
    }
}
