//! Numbers of JSON, in and out.

use super::Number;
use super::reader::{Fault, Reader};
use crate::digits::Digits as _;

/// The decimal point at most as many digits behind the first one as is still written without an exponent.
const PLAIN: i32 = 16;
/// The most zeros between the point and the first digit.
const ZEROS: i32 = 5;

/// A number as it is read: `digits` times ten to the power of `exponent`.
struct Decimal {
    is_negative: bool,
    digits: u64,
    exponent: i32,
}

impl Reader<'_> {
    #[inline(never)]
    pub(super) fn number(&mut self) -> Result<Number, Fault> {
        let is_negative = self.peek() == Some(b'-');
        self.at += usize::from(is_negative);
        let mut number = Decimal { is_negative, digits: 0, exponent: 0 };
        match self.next() {
            Some(b'0') if self.digit().is_some() => return Err(self.there()),
            Some(first @ b'0'..=b'9') => number.digits = u64::from(first - b'0'),
            _ => return Err(self.here()),
        }
        let mut is_whole = self.digits(&mut number, 1) == 0;
        if self.peek() == Some(b'.') {
            is_whole = false;
            self.at += 1;
            if self.digit().is_none() {
                return Err(self.there());
            }
            self.digits(&mut number, 0);
        }
        if let Some(b'e' | b'E') = self.peek() {
            is_whole = false;
            self.power(&mut number)?;
        }
        number.finish(is_whole).ok_or_else(|| self.here())
    }

    fn digit(&self) -> Option<u64> {
        self.peek().filter(u8::is_ascii_digit).map(|byte| u64::from(byte - b'0'))
    }

    /// Reads digits; those behind the first that does not fit count as zeros. Gives how many did not.
    fn digits(&mut self, number: &mut Decimal, lost_power: i32) -> usize {
        let mut lost = 0;
        while let Some(digit) = self.digit() {
            let more = number.digits.checked_mul(10).and_then(|digits| digits.checked_add(digit));
            match more.filter(|_| lost == 0) {
                Some(more) => {
                    number.digits = more;
                    number.exponent -= 1 - lost_power;
                }
                None => {
                    lost += 1;
                    number.exponent = number.exponent.saturating_add(lost_power);
                }
            }
            self.at += 1;
        }
        lost
    }

    /// The exponent. One that no `i32` holds leaves nothing of a number, or too much.
    fn power(&mut self, number: &mut Decimal) -> Result<(), Fault> {
        self.at += 1;
        let is_small = self.peek() == Some(b'-');
        if let Some(b'+' | b'-') = self.peek() {
            self.at += 1;
        }
        let Some(first @ b'0'..=b'9') = self.next() else { return Err(self.here()) };
        let mut power = i32::from(first - b'0');
        while let Some(digit) = self.digit() {
            self.at += 1;
            let more = i32::try_from(digit).ok().and_then(|digit| power.checked_mul(10)?.checked_add(digit));
            match more {
                Some(more) => power = more,
                None if is_small || number.digits == 0 => {
                    number.digits = 0;
                    power = 0;
                    while self.digit().is_some() {
                        self.at += 1;
                    }
                }
                None => return Err(self.here()),
            }
        }
        let power = if is_small { -power } else { power };
        number.exponent = number.exponent.saturating_add(power);
        Ok(())
    }
}

impl Decimal {
    /// None for what is larger than a number can be.
    fn finish(self, is_whole: bool) -> Option<Number> {
        if is_whole && !self.is_negative {
            return Some(self.digits.into());
        }
        if is_whole
            && self.digits > 0
            && let Some(value) = 0_i64.checked_sub_unsigned(self.digits)
        {
            return Some(value.into());
        }
        let value = self.value()?;
        let digits = if value == 0.0 { 0 } else { self.digits };
        Some(Number::float(value, Self { digits, ..self }.text()))
    }

    #[expect(clippy::cast_precision_loss, reason = "as `serde_json` does")]
    fn value(&self) -> Option<f64> {
        let mut value = self.digits as f64;
        let mut exponent = self.exponent;
        while exponent != 0 && value != 0.0 {
            // Powers up to this one are exact.
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

    /// The shortest form, in which zeros at the end are none.
    fn text(&self) -> String {
        let sign = if self.is_negative { "-" } else { "" };
        let (mut digits, mut exponent) = (self.digits, self.exponent);
        if digits == 0 {
            return [sign, "0.0"].concat();
        }
        while digits.is_multiple_of(10) {
            digits /= 10;
            exponent = exponent.saturating_add(1);
        }
        let digits = digits.digits();
        let count = i32::try_from(digits.len()).unwrap_or_default();
        let point = exponent.saturating_add(count);
        let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
        let split =
            |at: i32| digits.split_at_checked(usize::try_from(at).unwrap_or_default()).unwrap_or_default();
        if exponent >= 0 && point <= PLAIN {
            [sign, &digits, &zeros(exponent), ".0"].concat()
        } else if (1..=PLAIN).contains(&point) {
            let (whole, rest) = split(point);
            [sign, whole, ".", rest].concat()
        } else if (1 - ZEROS..=0).contains(&point) {
            [sign, "0.", &zeros(-point), &digits].concat()
        } else {
            let (first, rest) = split(1);
            let mark = if rest.is_empty() { "" } else { "." };
            let power = if point > 0 { "e+" } else { "e" };
            [sign, first, mark, rest, power, &i64::from(point - 1).digits()].concat()
        }
    }
}
