//! Numbers whose messages are expensive: those of international networks and services.

/// A number whose messages are expensive, or do not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SpecialNumber {
    /// Premium rate.
    PremiumRate,
    /// Cost shared with the person called.
    SharedCost,
    /// A satellite network, or another network without a country.
    Satellite,
}

/// The country codes of international services and networks (ITU-T E.164, assigned country codes).
const INTERNATIONAL: &[(&str, SpecialNumber)] = &[
    // International Shared Cost Service.
    ("808", SpecialNumber::SharedCost),
    // Inmarsat.
    ("870", SpecialNumber::Satellite),
    // Universal Personal Telecommunication.
    ("878", SpecialNumber::Satellite),
    // Global Mobile Satellite System.
    ("881", SpecialNumber::Satellite),
    // International networks.
    ("882", SpecialNumber::Satellite),
    ("883", SpecialNumber::Satellite),
    // International Premium Rate Service.
    ("979", SpecialNumber::PremiumRate),
];

/// The international service or network to which a number in its canonical form belongs, if its messages are expensive.
pub(super) fn international(number: &str) -> Option<SpecialNumber> {
    INTERNATIONAL.iter().find(|(code, _)| number.starts_with(code)).map(|(_, special)| *special)
}

#[cfg(test)]
mod tests {
    use super::SpecialNumber;
    use crate::text::msisdn::PlannedNumber;

    #[test]
    fn international_services_are_special_everywhere() {
        for (number, expected) in [
            ("979012345678", Some(SpecialNumber::PremiumRate)),
            ("80812345678", Some(SpecialNumber::SharedCost)),
            ("870773123456", Some(SpecialNumber::Satellite)),
            ("878101234567890", Some(SpecialNumber::Satellite)),
            ("881612345678", Some(SpecialNumber::Satellite)),
            ("882161234567", Some(SpecialNumber::Satellite)),
            ("883510012345", Some(SpecialNumber::Satellite)),
            ("80012345678", None),
            ("306912345678", None),
            ("12015550123", None),
        ] {
            assert_eq!(PlannedNumber::new(number).special(), expected, "{number}");
        }
    }
}
