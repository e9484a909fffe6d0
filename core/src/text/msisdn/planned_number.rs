//! What the numbering plans contain about one number, looked up once for all rules.

#[cfg(feature = "phone")]
use std::cell::OnceCell;

#[cfg(feature = "phone")]
use rlibphonenumber::PhoneNumber;

#[cfg(feature = "phone")]
use super::number_check::{self, NumberType};
use super::special_number::{self, SpecialNumber};

/// A number in its canonical form. The plans are consulted only for what is asked for.
pub(crate) struct PlannedNumber<'a> {
    digits: &'a str,
    #[cfg(feature = "phone")]
    parsed: OnceCell<Option<PhoneNumber>>,
    #[cfg(feature = "phone")]
    kind: OnceCell<NumberType>,
}

impl<'a> PlannedNumber<'a> {
    pub(crate) const fn new(digits: &'a str) -> Self {
        Self {
            digits,
            #[cfg(feature = "phone")]
            parsed: OnceCell::new(),
            #[cfg(feature = "phone")]
            kind: OnceCell::new(),
        }
    }

    /// Whether messages to the number are expensive.
    pub(crate) fn special(&self) -> Option<SpecialNumber> {
        special_number::international(self.digits).or_else(|| self.by_plan())
    }

    #[cfg(not(feature = "phone"))]
    #[expect(clippy::unused_self, reason = "with the feature `phone`, the number is looked up")]
    const fn by_plan(&self) -> Option<SpecialNumber> {
        None
    }
}

#[cfg(feature = "phone")]
impl PlannedNumber<'_> {
    fn parsed(&self) -> Option<&PhoneNumber> {
        self.parsed.get_or_init(|| number_check::parse_international(self.digits)).as_ref()
    }

    /// ISO 3166-1 alpha-2 code of the country, if there is one.
    pub(crate) fn region(&self) -> Option<String> {
        self.parsed().and_then(number_check::region)
    }

    /// The type of the range.
    pub(crate) fn kind(&self) -> NumberType {
        let found = || self.parsed().map_or(NumberType::Unknown, number_check::kind);
        *self.kind.get_or_init(found)
    }

    fn by_plan(&self) -> Option<SpecialNumber> {
        match self.kind() {
            NumberType::PremiumRate => Some(SpecialNumber::PremiumRate),
            NumberType::SharedCost => Some(SpecialNumber::SharedCost),
            _ => None,
        }
    }
}
