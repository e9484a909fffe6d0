//! Numbers of JSON, in and out.

use cpaas_scan::Decimal;

use super::Number;
use crate::digits::Digits as _;

/// The decimal point at most as many digits behind the first one as is still written without an exponent.
const PLAIN: i32 = 16;
/// The most zeros between the point and the first digit.
const ZEROS: i32 = 5;

/// A number as it is written in JSON.
#[inline(never)]
pub(crate) fn number(text: &str) -> Option<Number> {
    let decimal = Decimal::read(text)?;
    if decimal.is_whole && !decimal.is_negative {
        return Some(decimal.digits.into());
    }
    if decimal.is_whole
        && decimal.digits > 0
        && let Some(value) = 0_i64.checked_sub_unsigned(decimal.digits)
    {
        return Some(value.into());
    }
    let value = decimal.value()?;
    let digits = if value == 0.0 { 0 } else { decimal.digits };
    Some(Number::float(value, written(&Decimal { digits, ..decimal })))
}

/// The shortest form, in which zeros at the end are none.
fn written(decimal: &Decimal) -> String {
    let sign = if decimal.is_negative { "-" } else { "" };
    let (mut digits, mut exponent) = (decimal.digits, decimal.exponent);
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
