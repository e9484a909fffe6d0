//! Whole numbers as texts. The standard library writes them by its formatter, which the browser module does without.

/// A whole number that can be written.
pub(crate) trait Digits {
    /// Its decimal digits, behind a minus where it is below zero.
    fn digits(self) -> String;
}

impl Digits for u64 {
    fn digits(self) -> String {
        written(self, false)
    }
}

impl Digits for i64 {
    fn digits(self) -> String {
        written(self.unsigned_abs(), self < 0)
    }
}

impl Digits for u32 {
    fn digits(self) -> String {
        written(self.into(), false)
    }
}

impl Digits for usize {
    fn digits(self) -> String {
        written(self as u64, false)
    }
}

fn written(mut rest: u64, is_negative: bool) -> String {
    let mut text = Vec::with_capacity(20);
    loop {
        text.push(b'0' + (rest % 10) as u8);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if is_negative {
        text.push(b'-');
    }
    text.reverse();
    String::from_utf8(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_the_standard_library_does() {
        for number in [0, 9, 10, 65_536, u64::MAX] {
            assert_eq!(number.digits(), number.to_string());
        }
        for number in [0, -1, 90, i64::MIN, i64::MAX] {
            assert_eq!(number.digits(), number.to_string());
        }
        assert_eq!((7_u32.digits(), 120_usize.digits()), ("7".to_owned(), "120".to_owned()));
    }
}
