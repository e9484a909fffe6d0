//! Parses JSON numbers.

use super::ErrorKind;
use super::json_parser::{ParseResult, Parser};
use crate::value::Number;

/// The largest exponent that is parsed exactly.
const MAX_EXPONENT: u64 = i32::MAX as u64;

/// A parsed number: `digits` times ten to the power of `exponent`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decimal {
    /// Whether it has a minus sign.
    pub(crate) is_negative: bool,
    /// The digits as an integer; once the integer would exceed 64 bits, all further digits are omitted.
    pub(crate) digits: u64,
    /// The power of ten.
    pub(crate) exponent: i32,
    /// Whether the number has no fraction and no exponent, and no digit was omitted.
    pub(crate) is_integer: bool,
}

impl Decimal {
    /// Parses a JSON number.
    pub(crate) fn read(text: &str) -> Option<Self> {
        Parser::new(text).number().ok()
    }

    /// The value: an integer if it fits into 64 bits, otherwise the nearest double. -0 is a double, as in `serde_json`.
    pub(crate) fn number(&self) -> Option<Number> {
        if self.is_integer && !self.is_negative {
            return Some(self.digits.into());
        }
        match 0_i64.checked_sub_unsigned(self.digits) {
            Some(value) if self.is_integer && self.digits > 0 => Some(value.into()),
            _ => Number::from_f64(self.value()?),
        }
    }

    /// The nearest double, computed as in `serde_json`; `None` if the number exceeds the range of a double.
    #[expect(clippy::cast_precision_loss, reason = "as `serde_json` does")]
    pub(crate) fn value(&self) -> Option<f64> {
        let mut value = self.digits as f64;
        let mut exponent = self.exponent;
        while exponent != 0 && value != 0.0 {
            // Powers of ten up to 10^22 are exact.
            let step = exponent.clamp(-22, 22);
            let power = (0..step.unsigned_abs()).fold(1.0, |power, _| power * 10.0);
            value = if step > 0 { value * power } else { value / power };
            if value.is_infinite() {
                return None;
            }
            exponent -= step;
        }
        Some(if self.is_negative { -value } else { value })
    }
}

impl Parser<'_> {
    pub(crate) fn number(&mut self) -> ParseResult<Decimal> {
        let is_negative = self.peek() == Some(b'-');
        self.at += usize::from(is_negative);
        let mut number = Decimal { is_negative, digits: 0, exponent: 0, is_integer: true };
        match self.next() {
            Some(b'0') if self.digit().is_some() => return self.error_at_next_byte(),
            Some(first @ b'0'..=b'9') => number.digits = u64::from(first - b'0'),
            _ => return Err(ErrorKind::Syntax),
        }
        number.is_integer = self.digits(&mut number, 1) == 0;
        if self.peek() == Some(b'.') {
            number.is_integer = false;
            self.at += 1;
            if self.digit().is_none() {
                return self.error_at_next_byte();
            }
            self.digits(&mut number, 0);
        }
        if let Some(b'e' | b'E') = self.peek() {
            number.is_integer = false;
            self.power(&mut number)?;
        }
        if number.is_integer || number.value().is_some() { Ok(number) } else { Err(ErrorKind::Syntax) }
    }

    fn digit(&self) -> Option<u64> {
        self.peek().filter(u8::is_ascii_digit).map(|byte| u64::from(byte - b'0'))
    }

    /// Parses digits. Once the number would exceed 64 bits, all further digits count as zeros; returns the number of these
    /// digits. Each of them adds `lost_power` to the exponent: 1 before the decimal point, 0 after it.
    fn digits(&mut self, number: &mut Decimal, lost_power: i32) -> usize {
        let mut lost = 0;
        while let Some(digit) = self.digit() {
            if lost == 0 && (number.digits, digit) <= (u64::MAX / 10, u64::MAX % 10) {
                number.digits = number.digits * 10 + digit;
                number.exponent -= 1 - lost_power;
            } else {
                lost += 1;
                number.exponent = number.exponent.saturating_add(lost_power);
            }
            self.at += 1;
        }
        lost
    }

    /// Parses the exponent. An exponent outside `i32` makes the number zero or infinite.
    fn power(&mut self, number: &mut Decimal) -> ParseResult<()> {
        self.at += 1;
        let is_negative_power = self.peek() == Some(b'-');
        if let Some(b'+' | b'-') = self.peek() {
            self.at += 1;
        }
        if self.digit().is_none() {
            self.next();
            return Err(ErrorKind::Syntax);
        }
        let mut power = 0;
        while let Some(digit) = self.digit() {
            self.at += 1;
            if (power, digit) <= (MAX_EXPONENT / 10, MAX_EXPONENT % 10) {
                power = power * 10 + digit;
            } else if is_negative_power || number.digits == 0 {
                number.digits = 0;
            } else {
                return Err(ErrorKind::Syntax);
            }
        }
        let power = power as i32;
        let power = if is_negative_power { -power } else { power };
        number.exponent = number.exponent.saturating_add(power);
        Ok(())
    }
}
