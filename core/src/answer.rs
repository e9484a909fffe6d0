//! Answers are read tolerantly: a member of another type, a missing one, `null`, an unknown one or one that stands
//! twice (the last counts) never loses an answer. The typed parse comes first; only when it fails is the answer
//! brought to its shape.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::operation::Unreadable;
use crate::shape::{Kind, Kinded, Shape};

/// Reads an answer in JSON.
///
/// # Errors
/// When the body is no JSON, or its outermost value is of another kind altogether.
pub(crate) fn read<T: DeserializeOwned + Kinded>(body: &[u8]) -> Result<T, Unreadable> {
    parse(body).or_else(|_| from_value(value(body)?))
}

/// Reads an answer that is JSON already.
pub(crate) fn from_value<T: DeserializeOwned + Kinded>(value: Value) -> Result<T, Unreadable> {
    // The first pass keeps what it cannot read inside lists: some lists come as text, or are kept untouched.
    parse(&coerced(value.clone(), T::KIND, false)?).or_else(|_| parse(&coerced(value, T::KIND, true)?))
}

/// Reads an answer whose shape the specification does not show: an empty one and any JSON will do.
///
/// # Errors
/// When the body is neither empty nor JSON.
pub(crate) fn read_or_default<T: DeserializeOwned + Kinded + Default>(body: &[u8]) -> Result<T, Unreadable> {
    if body.trim_ascii().is_empty() {
        return Ok(T::default());
    }
    Ok(from_value(value(body)?).unwrap_or_default())
}

/// The one parser of an answer: a second one, out of values, would be a large part of the library.
#[inline(never)]
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, Unreadable> {
    serde_json::from_slice(body).map_err(|_| Unreadable)
}

#[cold]
fn value(body: &[u8]) -> Result<Value, Unreadable> {
    parse(body)
}

#[cold]
fn coerced(value: Value, kind: Kind, strict: bool) -> Result<Vec<u8>, Unreadable> {
    let value = coerce(value, kind, strict).ok_or(Unreadable)?;
    serde_json::to_vec(&value).map_err(|_| Unreadable)
}

/// Brings a value to a kind; none when nothing of that kind can be made of it.
fn coerce(value: Value, kind: Kind, strict: bool) -> Option<Value> {
    match kind {
        Kind::String | Kind::Enum(_) => text(value).map(Value::String),
        Kind::Boolean => boolean(&value).map(Value::Bool),
        Kind::Integer => integer(&value).map(Value::from),
        Kind::Number => number(&value).map(Value::from),
        Kind::Scalar if value.is_number() => Some(value),
        Kind::Scalar => text(value).map(Value::String),
        Kind::Object(shape) => object(value, shape, strict),
        Kind::Array(inner) => array(value, *inner, strict),
        Kind::OneOrMany(inner) if value.is_array() => array(value, *inner, strict),
        Kind::OneOrMany(inner) => coerce(value, *inner, strict),
        Kind::Map(inner) => {
            let Value::Object(members) = value else { return None };
            let kept = members
                .into_iter()
                .filter_map(|(name, value)| Some((name, coerce(value, *inner, strict)?)))
                .collect::<Map<_, _>>();
            Some(Value::Object(kept))
        }
        Kind::Any => Some(value),
    }
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        _ => None,
    }
}

fn boolean(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(value) => Some(*value),
        Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        },
        Value::Number(number) => number.as_i64().and_then(|number| match number {
            1 => Some(true),
            0 => Some(false),
            _ => None,
        }),
        _ => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "only whole numbers below 2^53 are cast")]
fn integer(value: &Value) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let whole = |number: f64| (number.fract() == 0.0 && number.abs() < EXACT).then_some(number as i64);
    match value {
        Value::Number(number) => number.as_i64().or_else(|| number.as_f64().and_then(whole)),
        Value::String(text) => {
            let text = text.trim();
            text.parse().ok().or_else(|| text.parse().ok().and_then(whole))
        }
        _ => None,
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
        _ => None,
    }
}

fn object(value: Value, shape: &Shape, strict: bool) -> Option<Value> {
    let Value::Object(members) = value else { return None };
    let kept = members
        .into_iter()
        .filter_map(|(name, value)| match shape.field(&name) {
            Some(field) => Some((name, coerce(value, field.kind, strict)?)),
            None => Some((name, value)),
        })
        .collect::<Map<_, _>>();
    Some(Value::Object(kept))
}

/// Elements keep their places: what cannot be read becomes the empty value of its kind.
fn array(value: Value, inner: Kind, strict: bool) -> Option<Value> {
    let elements = match value {
        Value::Array(elements) => elements,
        Value::Null => return None,
        Value::Object(_) => vec![value],
        single if !strict => return Some(single),
        single => vec![coerce(single, inner, strict)?],
    };
    let kept = elements.into_iter().filter_map(|value| {
        let untouched = (!strict).then(|| value.clone());
        coerce(value, inner, strict).or(untouched).or_else(|| empty(inner))
    });
    Some(Value::Array(kept.collect()))
}

fn empty(kind: Kind) -> Option<Value> {
    match kind {
        Kind::String | Kind::Enum(_) => Some(Value::String(String::new())),
        Kind::Object(_) => Some(Value::Object(Map::new())),
        _ => None,
    }
}
