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
    let (mut digits, mut exponent) = (decimal.digits, decimal.exponent);
    if digits == 0 {
        exponent = 0;
    }
    while digits > 0 && digits.is_multiple_of(10) {
        digits /= 10;
        exponent = exponent.saturating_add(1);
    }
    let digits = digits.digits();
    let count = i32::try_from(digits.len()).unwrap_or_default();
    let point = exponent.saturating_add(count);
    let is_plain = (1 - ZEROS..=PLAIN).contains(&point);
    let place = if is_plain { point } else { 1 };
    let mut text = String::new();
    text.push_str(if decimal.is_negative { "-" } else { "" });
    // A digit at least stands before the point, and in the plain form one behind it.
    for at in place.min(1) - 1..count.max(place + i32::from(is_plain)) {
        if at == place {
            text.push('.');
        }
        let digit = usize::try_from(at).ok().and_then(|at| digits.as_bytes().get(at));
        text.push(digit.map_or('0', |digit| char::from(*digit)));
    }
    if !is_plain {
        text.push_str(if point > 0 { "e+" } else { "e" });
        text.push_str(&i64::from(point - 1).digits());
    }
    text
}
