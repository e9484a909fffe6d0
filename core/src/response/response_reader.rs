//! Reads responses tolerantly. A response is unreadable only if it is not JSON or lacks a deciding member. A `documented` or
//! `optional` member that is missing or unreadable is `None` and not a default; each unreadable member and each missing
//! `documented` member adds a warning, as does a `required` member that is missing or empty. The typed parse runs first. If it
//! fails, the values are converted to the types of the schema.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::problem::{Pointer, Problem, Problems, codes};
use crate::schema::{HasKind, Kind, Schema};

/// The maximum number of warnings; more are only counted.
const MAX_WARNINGS: usize = 50;

/// The error for a body that is not a documented response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the body is not a documented response")]
pub struct ResponseDecodeError;

/// Reads a response in JSON.
///
/// # Errors
/// When the body is not JSON, or lacks a deciding member.
pub(crate) fn read<T: DeserializeOwned + HasKind>(
    body: &[u8],
    warnings: &mut Problems,
) -> Result<T, ResponseDecodeError> {
    match parse::<T>(body) {
        Ok(read) => {
            report(missing(&read), Problems::default(), warnings);
            Ok(read)
        }
        Err(_) => from_value(value(body)?, warnings),
    }
}

/// Reads a response that is a JSON value already.
pub(crate) fn from_value<T: DeserializeOwned + HasKind>(
    value: Value,
    warnings: &mut Problems,
) -> Result<T, ResponseDecodeError> {
    // The first pass keeps two kinds of values unchanged, because a member type such as `Listed` may accept them: an element of
    // a list that cannot be converted, and a value in place of a list. If the body then cannot be parsed, the second pass
    // removes these values; in a list of objects, an empty object replaces the element.
    let shaped = |value, strict| {
        let (body, found) = shaped_body(value, T::KIND, strict).ok_or(ResponseDecodeError)?;
        Ok((parse::<T>(&body)?, found))
    };
    let (read, found) = shaped(value.clone(), false).or_else(|_| shaped(value, true))?;
    report(missing(&read), found, warnings);
    Ok(read)
}

/// Reads an undocumented response: an empty body and any JSON are valid.
///
/// # Errors
/// When the body is neither empty nor JSON.
pub(crate) fn read_or_default<T: DeserializeOwned + HasKind + Default>(
    body: &[u8],
    warnings: &mut Problems,
) -> Result<T, ResponseDecodeError> {
    if body.trim_ascii().is_empty() {
        return Ok(T::default());
    }
    Ok(from_value(value(body)?, warnings).unwrap_or_default())
}

fn missing(read: &impl HasKind) -> Problems {
    let mut missing = Problems::bounded(MAX_WARNINGS);
    read.report_missing(&Pointer::ROOT, &mut missing);
    missing
}

/// Adds the warnings about one response: unreadable members, then missing ones, then the number of omitted warnings.
fn report(missing: Problems, found: Problems, warnings: &mut Problems) {
    let dropped = found.dropped() + missing.dropped();
    let found = found.into_vec();
    let is_new = |problem: &Problem| !found.iter().any(|other| other.covers(problem));
    let missing: Vec<Problem> = missing.into_vec().into_iter().filter(is_new).collect();
    let all = found.len() + missing.len() + dropped;
    for problem in found.into_iter().chain(missing).take(MAX_WARNINGS) {
        warnings.push(problem);
    }
    if all > MAX_WARNINGS {
        warnings.push(Problem::new(&codes::RESPONSE_MORE, &Pointer::ROOT).param("count", all - MAX_WARNINGS));
    }
}

/// Parses from text only: a second parser, from values, would be a large part of the library.
fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ResponseDecodeError> {
    serde_json::from_slice(body).map_err(|_| ResponseDecodeError)
}

fn value(body: &[u8]) -> Result<Value, ResponseDecodeError> {
    parse(body)
}

/// The JSON of a value after conversion to a kind, with warnings about unreadable members.
fn shaped_body(value: Value, kind: Kind, strict: bool) -> Option<(Vec<u8>, Problems)> {
    let mut shaping = Shaping { strict, found: Problems::bounded(MAX_WARNINGS) };
    let value = shaping.coerce(value, kind, &Pointer::ROOT)?;
    Some((serde_json::to_vec(&value).ok()?, shaping.found))
}

/// Converts values to their kinds, and reports those that cannot be converted.
struct Shaping {
    strict: bool,
    found: Problems,
}

impl Shaping {
    /// Returns `None` if the value cannot be converted, and reports it. `null` counts as missing and is not reported.
    fn coerce(&mut self, value: Value, kind: Kind, at: &Pointer<'_>) -> Option<Value> {
        if value.is_null() && !matches!(kind, Kind::Any) {
            return None;
        }
        let shaped = self.shaped(value, kind, at);
        if shaped.is_none() {
            self.found.add(&codes::RESPONSE_MEMBER_UNREADABLE, at);
        }
        shaped
    }

    fn shaped(&mut self, value: Value, kind: Kind, at: &Pointer<'_>) -> Option<Value> {
        match kind {
            Kind::String | Kind::Enum(_) => text(value).map(Value::String),
            Kind::Boolean => boolean(&value).map(Value::Bool),
            Kind::Integer => integer(&value).map(Value::from),
            Kind::Number => number(&value).map(Value::from),
            Kind::Scalar if value.is_number() => Some(value),
            Kind::Scalar => text(value).map(Value::String),
            Kind::Object(schema) => self.object(value, schema, at),
            Kind::Array(inner) => self.array(value, *inner, at),
            Kind::OneOrMany(inner) if value.is_array() => self.array(value, *inner, at),
            Kind::OneOrMany(inner) => self.coerce(value, *inner, at),
            Kind::Map(inner) => {
                let Value::Object(members) = value else { return None };
                let coerced = members.into_iter().filter_map(|(name, value)| {
                    let value = self.coerce(value, *inner, &at.key(&name))?;
                    Some((name, value))
                });
                Some(Value::Object(coerced.collect()))
            }
            Kind::Any => Some(value),
        }
    }

    fn object(&mut self, value: Value, schema: &Schema, at: &Pointer<'_>) -> Option<Value> {
        let Value::Object(members) = value else { return None };
        let coerced = members.into_iter().filter_map(|(name, value)| {
            let value = match schema.field(&name) {
                Some(field) => self.coerce(value, field.kind, &at.key(&name))?,
                None => value,
            };
            Some((name, value))
        });
        Some(Value::Object(coerced.collect()))
    }

    /// A list of objects that contains no object is unreadable. In the strict pass, an element that is not an object becomes an
    /// empty object, so that the other elements keep their indices.
    fn array(&mut self, value: Value, inner: Kind, at: &Pointer<'_>) -> Option<Value> {
        let elements = match value {
            Value::Array(elements) => elements,
            other => return (!self.strict).then_some(other),
        };
        let is_object = |value: &Value| value.is_object();
        if matches!(inner, Kind::Object(_)) && !elements.is_empty() && !elements.iter().any(is_object) {
            return None;
        }
        let blank = || matches!(inner, Kind::Object(_)).then(|| Value::Object(Map::new()));
        let kept = elements.into_iter().enumerate().filter_map(|(index, value)| {
            let at = &at.index(index);
            let untouched = (!self.strict).then(|| value.clone());
            if value.is_null() {
                self.found.add(&codes::RESPONSE_MEMBER_UNREADABLE, at);
            }
            self.coerce(value, inner, at).or(untouched).or_else(blank)
        });
        Some(Value::Array(kept.collect()))
    }
}

fn text(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        // A larger number is not exact.
        Value::Number(number)
            if !number.is_f64() || number.as_f64().is_some_and(|number| number.abs() < MAX_EXACT) =>
        {
            Some(number.to_string())
        }
        _ => None,
    }
}

/// 2^53: an `f64` does not represent all larger integers.
pub(crate) const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

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

/// An integer, also one that is written as a string.
#[expect(clippy::cast_possible_truncation, reason = "only integers below 2^53 are cast")]
pub(crate) fn integer(value: &Value) -> Option<i64> {
    let whole = |number: f64| (number.fract() == 0.0 && number.abs() < MAX_EXACT).then_some(number as i64);
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
