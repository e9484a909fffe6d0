//! The trunk prefix, with which a number is dialed inside its country: it is not part of the number after the country code.

use std::ops::RangeInclusive;

use super::MIN_DIGITS;

/// The country codes of plans whose trunk prefix is 0 and in which no number that receives messages begins with 0 (the national
/// prefixes of libphonenumber's metadata). In Italy, for example, the 0 is part of the number.
const ZERO: &[&str] = &[
    "20", "27", "31", "32", "33", "40", "41", "43", "44", "46", "49", "51", "53", "54", "55", "57", "58",
    "60", "61", "62", "63", "64", "66", "81", "82", "84", "86", "90", "91", "92", "93", "94", "95", "98",
    "211", "212", "213", "218", "231", "232", "233", "234", "243", "249", "251", "252", "254", "255", "256",
    "260", "261", "262", "263", "264", "265", "291", "353", "355", "358", "359", "370", "373", "374", "375",
    "377", "380", "381", "382", "383", "385", "386", "387", "389", "421", "423", "508", "590", "591", "593",
    "594", "595", "596", "598", "686", "850", "855", "856", "880", "886", "961", "962", "963", "964", "966",
    "967", "970", "971", "972", "976", "977", "994", "995", "996",
];

/// Country codes with another trunk prefix, and the lengths of the numbers in their plans: only such a number has the prefix before it.
const OTHERS: &[(&str, &str, RangeInclusive<usize>)] = &[
    ("1", "1", 10..=10),
    ("7", "8", 10..=10),
    ("36", "06", 8..=9),
    ("370", "8", 8..=8),
    ("993", "8", 8..=8),
];

/// The country code and the number after the trunk prefix that follows it, in the digits after `+` or `00`; `None` if no trunk prefix
/// follows. `447400123456` with a 0 after `44` has one, as people write it who add the country code to a number that they dial.
pub(super) fn find(digits: &str) -> Option<(&str, &str)> {
    let zero = match digits.as_bytes() {
        // A second 0 belongs to an international prefix, or to a number without charge.
        [_, _, b'0', second, ..] if *second != b'0' && digits.len() > MIN_DIGITS => after_zero(digits, 2),
        [_, _, _, b'0', second, ..] if *second != b'0' && digits.len() > MIN_DIGITS => after_zero(digits, 3),
        _ => None,
    };
    let other = || {
        OTHERS.iter().find_map(|(code, prefix, lengths)| {
            let number = digits.strip_prefix(code)?.strip_prefix(prefix)?;
            (lengths.contains(&number.len()) && !number.starts_with(prefix)).then_some((*code, number))
        })
    };
    zero.or_else(other)
}

/// The country code of this length, if it is in the table, and the number after the zero.
fn after_zero(digits: &str, length: usize) -> Option<(&str, &str)> {
    let (code, number) = digits.split_at_checked(length)?;
    ZERO.binary_search_by_key(&(code.len(), code), |known| (known.len(), *known)).ok()?;
    Some((code, number.strip_prefix('0')?))
}

#[cfg(test)]
mod tests {
    use super::super::normalize_number;
    use super::{ZERO, find};

    #[test]
    fn the_table_is_sorted_by_length_and_code() {
        assert!(ZERO.is_sorted_by_key(|code| (code.len(), *code)));
    }

    #[test]
    fn a_trunk_prefix_is_found_only_after_a_country_code() {
        for (digits, expected) in [
            ("4407400123456", Some(("44", "7400123456"))),
            ("49015123456789", Some(("49", "15123456789"))),
            ("35804012345678", Some(("358", "4012345678"))),
            ("789123456789", Some(("7", "9123456789"))),
            ("360620123456", Some(("36", "20123456"))),
            ("112015550123", Some(("1", "2015550123"))),
            ("370861234567", Some(("370", "61234567"))),
            // Some numbers of Belarus begin with 80.
            ("3758013928305", None),
            ("993866123456", Some(("993", "66123456"))),
            // No trunk prefix: Russia's ten digits, Italy, North America, and the country code 300, which nobody has.
            ("78123456789", None),
            ("390612345678", None),
            ("10201555012", None),
            ("306912345678", None),
            ("6900000701", None),
            // The rest would be too short, or there are two zeros.
            ("440123456", Some(("44", "123456"))),
            ("4401234", None),
            ("440012345678", None),
            ("44", None),
            ("", None),
        ] {
            assert_eq!(find(digits), expected, "{digits}");
        }
    }

    #[test]
    fn a_canonical_form_is_its_own_canonical_form() {
        let mut state = 7_u64;
        let mut removed = 0;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let length = 7 + usize::try_from(state >> 60).unwrap() % 10;
            // Digits with many 0, 1, 6 and 8.
            let digit = |place| {
                char::from(b"0123456789008618"[usize::try_from((state >> (3 * place)) & 15).unwrap()])
            };
            let code = ["", "44", "36", "7", "1", "375", "370"][length % 7];
            let digits = format!("{code}{}", (0..length).map(digit).collect::<String>());
            let text = format!("+{digits}");
            if let Ok(number) = normalize_number(&text, None) {
                removed += u32::from(digits != *number);
                assert_eq!(normalize_number(&number, None), Ok(number.clone()), "{text}");
                assert_eq!(normalize_number(&format!("+{number}"), None), Ok(number.clone()), "{text}");
            }
        }
        assert!(removed > 10_000, "{removed}");
    }

    #[cfg(feature = "phone")]
    #[test]
    fn the_numbering_plans_agree() {
        use rlibphonenumber::{PHONE_NUMBER_UTIL, PhoneNumber, PhoneNumberFormat};
        let e164 = |digits: &str| {
            let parsed = PhoneNumber::parse(format!("+{digits}"), None).unwrap();
            parsed.format_as(PhoneNumberFormat::E164).trim_start_matches('+').to_owned()
        };
        let mut codes = std::collections::BTreeSet::new();
        for region in super::super::regions() {
            let region = region.parse().unwrap();
            let code = PHONE_NUMBER_UTIL.get_country_code_for_region(region).unwrap().to_string();
            let example = PHONE_NUMBER_UTIL.get_example_number(region).unwrap();
            let national = example.national_number.to_string();
            let with_zero = format!("{code}0{national}");
            let without = format!("{code}{national}");
            assert_eq!(find(&without), None, "{without}");
            if e164(&with_zero) == without {
                codes.insert(code);
            }
        }
        // Some numbers of Rwanda begin with 0.
        assert!(codes.remove("250"));
        let mut codes: Vec<_> = codes.iter().map(String::as_str).collect();
        codes.sort_by_key(|code| (code.len(), *code));
        assert_eq!(codes, ZERO);
    }
}
