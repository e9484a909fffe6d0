//! Formats and parses integers and concatenates strings, without the generic code of `std`, which is larger in the browser
//! module.

/// An integer that can be formatted.
pub(crate) trait Digits {
    /// Its decimal digits, after a minus sign if it is negative.
    fn digits(self) -> String;
}

impl Digits for u64 {
    fn digits(self) -> String {
        format_integer(self, false)
    }
}

impl Digits for i64 {
    fn digits(self) -> String {
        format_integer(self.unsigned_abs(), self < 0)
    }
}

impl Digits for u32 {
    fn digits(self) -> String {
        format_integer(self.into(), false)
    }
}

impl Digits for usize {
    fn digits(self) -> String {
        format_integer(self as u64, false)
    }
}

fn format_integer(number: u64, is_negative: bool) -> String {
    let mut text = String::with_capacity(20);
    if is_negative {
        text.push('-');
    }
    append(&mut text, number);
    text
}

fn append(text: &mut String, number: u64) {
    if number > 9 {
        append(text, number / 10);
    }
    text.push(char::from(b'0' + (number % 10) as u8));
}

/// Concatenates strings. The generic `concat` of the standard library is ten times as large in the browser module.
#[inline(never)]
pub(crate) fn concat(texts: &[&str]) -> String {
    let mut all = String::new();
    for text in texts {
        all.push_str(text);
    }
    all
}

/// Parses an integer: digits after an optional sign, as `str::parse` does.
pub(crate) fn parse_i64(text: &str) -> Option<i64> {
    let (is_negative, digits) = match text.as_bytes() {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let mut size = 0_u64;
    for byte in digits {
        let digit = byte.wrapping_sub(b'0');
        // A further digit would overflow with either sign.
        if digit > 9 || size > i64::MAX as u64 / 10 {
            return None;
        }
        size = size * 10 + u64::from(digit);
    }
    let max = i64::MAX as u64 + u64::from(is_negative);
    if digits.is_empty() || size > max {
        return None;
    }
    Some(if is_negative { size.wrapping_neg() } else { size } as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_and_read_as_the_standard_library_does() {
        for number in [0, 9, 10, 65_536, u64::MAX] {
            assert_eq!(number.digits(), number.to_string());
        }
        for number in [0, -1, 90, i64::MIN, i64::MAX] {
            assert_eq!(number.digits(), number.to_string());
        }
        let texts =
            ["", "-", "+", "0", "-0", "+7", "--1", "1x", "007", "9223372036854775807", "9223372036854775808"];
        for text in
            texts.into_iter().chain(["-9223372036854775808", "-9223372036854775809", "99999999999999999999"])
        {
            assert_eq!(parse_i64(text), text.parse().ok(), "{text}");
        }
        assert_eq!((7_u32.digits(), 120_usize.digits()), ("7".to_owned(), "120".to_owned()));
    }
}
