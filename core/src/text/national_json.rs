//! Encoding, decoding, transliteration and templates with JSON arguments and results, for the bindings.

use std::collections::BTreeMap;

use super::text_json::{Changed, TextError, TextOptions};
use super::{
    DecodeError, EncodeOptions, EncodedPart, FieldValues, TemplateError, decode, encode, template_segments,
    template_segments_of_rows, transliterate,
};
use crate::value::{Value, to_json};

/// [`encode`] as JSON: the members of [`Encoded`](super::Encoded) in camel case. Options are those of
/// [`segments_json`](super::text_json::segments_json), and `reference` (0 to 65535) and `ports` (`{"destination", "source"}`).
///
/// # Errors
/// As [`encode`], and for invalid options.
pub fn encode_json(text: &str, options_json: Option<&str>) -> Result<String, TextError> {
    let options = TextOptions::from_json(options_json, &["reference", "ports"])?;
    let changed = options.changed(text);
    let mut encode_options =
        EncodeOptions::new().segments(options.segments).reference(options.more.reference);
    encode_options.ports = options.more.ports;
    let result = encode(changed.text(text), &encode_options)?;
    Ok(to_json(&Changed { result, changed }))
}

/// [`decode`] for parts in JSON: a list of `{"udh", "ud", "udl", "dcs"}`, or an object with such a list as `parts`. Octets
/// are hexadecimal digits; `udh` may be absent; an absent `dcs` is 0.
///
/// # Errors
/// As [`decode`], and for JSON of another form.
pub fn decode_json(parts_json: &str) -> Result<String, TextError> {
    let form = "the parts must be a JSON list of objects with udh, ud, udl and dcs";
    let parts = match crate::json::tape_value::parse(parts_json) {
        Some(Value::Array(parts)) => parts,
        Some(Value::Object(mut members)) => match members.remove("parts") {
            Some(Value::Array(parts)) => parts,
            _ => return Err(DecodeError::whole(form).into()),
        },
        _ => return Err(DecodeError::whole(form).into()),
    };
    let parts =
        parts.iter().enumerate().map(|(index, value)| part(index, value)).collect::<Result<Vec<_>, _>>()?;
    Ok(decode(&parts)?)
}

fn part(index: usize, value: &Value) -> Result<EncodedPart, DecodeError> {
    let Value::Object(members) = value else {
        return Err(DecodeError::in_part(index, "a part must be an object with udh, ud, udl and dcs"));
    };
    let octets = |name: &str| match members.get(name) {
        None | Some(Value::Null) if name == "udh" => Ok(Vec::new()),
        Some(Value::String(digits)) => hexadecimal(digits).ok_or_else(|| {
            DecodeError::in_part(index, format!("{name} must be pairs of hexadecimal digits"))
        }),
        _ => Err(DecodeError::in_part(index, format!("{name} must be a string of hexadecimal digits"))),
    };
    let number = |name: &str| match members.get(name) {
        None | Some(Value::Null) if name == "dcs" => Ok(0),
        value => value
            .and_then(Value::as_u64)
            .and_then(|number| u8::try_from(number).ok())
            .ok_or_else(|| DecodeError::in_part(index, format!("{name} must be an integer from 0 to 255"))),
    };
    Ok(EncodedPart { udh: octets("udh")?, ud: octets("ud")?, udl: number("udl")?, dcs: number("dcs")? })
}

fn hexadecimal(digits: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> = digits.chars().map(|digit| digit.to_digit(16)).collect::<Option<_>>()?;
    let pairs = digits.chunks(2).map(|pair| match pair {
        [high, low] => u8::try_from(high * 16 + low).ok(),
        _ => None,
    });
    pairs.collect()
}

/// [`transliterate`] as JSON: `{"text", "replacements": [{"start", "end", "start16", "end16", "from", "to"}], "kept"}`.
#[must_use]
pub fn transliterate_json(text: &str) -> String {
    to_json(&transliterate(text))
}

/// The parts of a template as JSON. `values_json` is an object: `{"fields": {name: [shortest, longest] | [samples, ...]}}` or
/// `{"rows": [{name: value}]}`. Options are those of [`SegmentOptions`](super::SegmentOptions).
///
/// # Errors
/// As [`template_segments`], and for invalid options or values.
pub fn template_segments_json(
    template: &str,
    values_json: &str,
    options_json: Option<&str>,
) -> Result<String, TextError> {
    let options = options_json.map_or(Ok(super::SegmentOptions::new()), super::SegmentOptions::from_json)?;
    let Some(Value::Object(members)) = crate::json::tape_value::parse(values_json) else {
        return Err(TemplateError::Values.into());
    };
    let given = |name: &str| members.get(name).filter(|value| !value.is_null());
    if members.keys().any(|name| name != "fields" && name != "rows") {
        return Err(TemplateError::Values.into());
    }
    let found = match (given("fields"), given("rows")) {
        (fields, None) => template_segments(template, &field_values(fields)?, &options)?,
        (None, Some(rows)) => template_segments_of_rows(template, &row_values(rows)?, &options)?,
        _ => return Err(TemplateError::Values.into()),
    };
    Ok(to_json(&found))
}

fn field_values(fields: Option<&Value>) -> Result<BTreeMap<String, FieldValues>, TemplateError> {
    let mut found = BTreeMap::new();
    match fields {
        None => {}
        Some(Value::Object(fields)) => {
            for (name, value) in fields {
                found.insert(name.clone(), values(value)?);
            }
        }
        Some(_) => return Err(TemplateError::Values),
    }
    Ok(found)
}

fn values(value: &Value) -> Result<FieldValues, TemplateError> {
    let length = |value: &Value| value.as_u64().and_then(|length| usize::try_from(length).ok());
    match value {
        Value::Number(_) => {
            length(value).map(|length| FieldValues::Lengths(length, length)).ok_or(TemplateError::Values)
        }
        Value::Array(values) => match values.as_slice() {
            [shortest @ Value::Number(_), longest @ Value::Number(_)] => length(shortest)
                .zip(length(longest))
                .map(|(shortest, longest)| FieldValues::Lengths(shortest, longest))
                .ok_or(TemplateError::Values),
            [] => Err(TemplateError::Values),
            samples => {
                let samples =
                    samples.iter().map(|sample| sample.as_str().map(str::to_owned)).collect::<Option<_>>();
                samples.map(FieldValues::Samples).ok_or(TemplateError::Values)
            }
        },
        _ => Err(TemplateError::Values),
    }
}

fn row_values(rows: &Value) -> Result<Vec<BTreeMap<String, String>>, TemplateError> {
    let Value::Array(rows) = rows else { return Err(TemplateError::Values) };
    let row = |row: &Value| {
        let mut fields = BTreeMap::new();
        for (name, value) in row.as_object()? {
            fields.insert(name.clone(), value.as_str()?.to_owned());
        }
        Some(fields)
    };
    rows.iter().map(row).collect::<Option<_>>().ok_or(TemplateError::Values)
}
