//! The fields that one SMS and many have in common.

use cpaas::text::{MAX_PARTS, count, sender};

use crate::assumptions::D;
use crate::call::Call;
use crate::object::{Item, Object};
use crate::provider_error::{Outcome, ProviderError};

pub(super) const KNOWN: &[&str] = &["from", "to", "text", "test", "type", "reference", "callback"];

/// The code of a request that cannot be read.
pub(super) const MALFORMED: i64 = 908;

#[derive(Debug)]
pub(super) struct Request<'a> {
    pub(super) from: &'a str,
    pub(super) to: &'a str,
    pub(super) text: &'a str,
    pub(super) test: bool,
    pub(super) reference: Option<&'a str>,
    pub(super) callback: Option<&'a str>,
}

pub(super) fn refuse(code: i64, text: &str) -> ProviderError {
    ProviderError::new(400, code, format!("{text} [sandbox]"))
}

pub(super) fn read<'a>(call: &mut Call<'_>, object: &'a Object<'_>) -> Outcome<Request<'a>> {
    let request = Request {
        from: sender(object)?,
        to: object.text("to").ok_or_else(|| refuse(902, "`to` is required, a string"))?,
        text: text(object)?,
        test: match object.get("test") {
            None => false,
            Some(Item::Bool(test)) => *test,
            Some(_) => return Err(refuse(MALFORMED, "`test` is true or false")),
        },
        reference: tag(object)?,
        callback: callback(object)?,
    };
    match object.get("type") {
        Some(Item::Text(kind)) if kind == "auto" => {}
        None | Some(Item::Text(_)) => call.rely(D(26))?,
        Some(_) => return Err(refuse(MALFORMED, "`type` is a string")),
    }
    Ok(request)
}

/// A text that can be sent: at least one character, at most so many parts as the library allows.
fn text<'a>(object: &'a Object<'_>) -> Outcome<&'a str> {
    let text = object.text("text").filter(|text| !text.is_empty());
    let text = text.ok_or_else(|| refuse(905, "`text` is required, a string with at least one character"))?;
    let count = count(text).count;
    if count > MAX_PARTS {
        return Err(refuse(905, &format!("`text` must have at most {MAX_PARTS} parts, got {count}")));
    }
    Ok(text)
}

/// Numeric with 1 to 16 digits, or alphanumeric with 1 to 11 characters (D55), as the library counts them.
fn sender<'a>(object: &'a Object<'_>) -> Outcome<&'a str> {
    let bad = || refuse(904, "`from` must have 1-16 digits or 1-11 other characters").leaning(D(55));
    let from = object.text("from").ok_or_else(bad)?;
    let limit =
        if sender::classify(from).is_numeric() { sender::MAX_NUMERIC } else { sender::MAX_ALPHANUMERIC };
    if (1..=limit).contains(&sender::length(from)) { Ok(from) } else { Err(bad()) }
}

fn tag<'a>(object: &'a Object<'_>) -> Outcome<Option<&'a str>> {
    match object.get("reference") {
        None => Ok(None),
        Some(Item::Text(text)) => Ok(Some(text)),
        Some(_) => Err(refuse(MALFORMED, "`reference` is a string")),
    }
}

fn callback<'a>(object: &'a Object<'_>) -> Outcome<Option<&'a str>> {
    let bad = || refuse(907, "`callback` is an absolute http or https URL without user information");
    match object.get("callback") {
        None => Ok(None),
        Some(Item::Text(url)) if crate::url::is_callable(url) => Ok(Some(url)),
        Some(_) => Err(bad()),
    }
}
