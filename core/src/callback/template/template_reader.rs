//! Reads values from text that was rendered from a template.

use super::{Piece, TemplateFormat, Values, Variable, scan};
use crate::callback::url_encoding;
use crate::util::url_parts::UrlParts;

/// Digits of a mobile country code (ITU-T E.212).
const MCC_DIGITS: usize = 3;

pub(super) fn url(template: &str, received: &str) -> Option<Values> {
    let (template, received) = (UrlParts::split(template), UrlParts::split(received));
    let mut values = Values::new();
    let (pieces, _) = scan(template.path);
    if has_variable(&pieces) {
        take(&pieces, received.path, false, &mut values)?;
    }
    parameters_into(template.query.unwrap_or_default(), received.query.unwrap_or_default(), &mut values)?;
    Some(values)
}

pub(super) fn parameters(template: &str, received: &str) -> Option<Values> {
    let mut values = Values::new();
    parameters_into(template, received, &mut values)?;
    Some(values)
}

pub(super) fn json(pieces: &[Piece], received: &str) -> Option<Values> {
    let mut values = Values::new();
    take(pieces, received, true, &mut values)?;
    Some(values)
}

pub(super) fn parameter_names(format: TemplateFormat, template: &str) -> impl Iterator<Item = &str> {
    let parameters = match format {
        TemplateFormat::Url => UrlParts::split(template).query.unwrap_or_default(),
        TemplateFormat::Form => template,
        TemplateFormat::Json => "",
    };
    url_encoding::raw_pairs(parameters)
        .filter(|(_, pattern)| has_variable(&scan(pattern).0))
        .map(|(name, _)| name)
}

fn parameters_into(template: &str, received: &str, values: &mut Values) -> Option<()> {
    let mut left: Vec<(&str, &str)> = url_encoding::raw_pairs(received).collect();
    for (name, pattern) in url_encoding::raw_pairs(template) {
        let (pieces, _) = scan(pattern);
        if has_variable(&pieces) {
            let is_taken =
                |&(other, raw): &(&str, &str)| other == name && take(&pieces, raw, false, values).is_some();
            let index = left.iter().position(is_taken)?;
            left.remove(index);
        }
    }
    Some(())
}

fn has_variable(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| matches!(piece, Piece::Variable(_)))
}

/// Matches all of `text` against the pieces and adds the values; on a mismatch nothing is added.
fn take(pieces: &[Piece], text: &str, json: bool, values: &mut Values) -> Option<()> {
    let mut found: Vec<(Variable, String)> = Vec::new();
    let mut rest = text;
    let mut tail = pieces;
    while let Some((piece, after)) = tail.split_first() {
        tail = after;
        match piece {
            Piece::Literal(literal) => rest = rest.strip_prefix(literal.as_str())?,
            Piece::Variable(variable) => {
                let (raw, left) = rest.split_at_checked(value_end(*variable, after, rest, json)?)?;
                rest = left;
                let value = if json {
                    url_encoding::json_unescape(raw)
                } else {
                    url_encoding::percent_decode(raw).into_owned()
                };
                found.push((*variable, value));
            }
        }
    }
    let agrees = |(variable, value): &(Variable, String)| {
        values.get(variable).is_none_or(|known| known == value)
            && found.iter().all(|(other, seen)| other != variable || seen == value)
    };
    if !rest.is_empty() || !found.iter().all(agrees) {
        return None;
    }
    values.extend(found);
    Some(())
}

/// The end of the value of `variable` at the start of `rest`, given the pieces after it.
fn value_end(variable: Variable, after: &[Piece], rest: &str, json: bool) -> Option<usize> {
    match after {
        [] => Some(rest.len()),
        [Piece::Literal(last)] if rest.ends_with(last.as_str()) => Some(rest.len() - last.len()),
        [Piece::Literal(next), ..] => find(rest, next, json),
        [Piece::Variable(_), ..] => (variable == Variable::Mcc).then_some(MCC_DIGITS),
    }
}

/// The first occurrence of `literal` in `text`; in JSON not inside an escape sequence.
fn find(text: &str, literal: &str, json: bool) -> Option<usize> {
    if !json {
        return text.find(literal);
    }
    let mut escaped = false;
    text.char_indices().find_map(|(at, character)| {
        let inside_escape = escaped;
        escaped = character == '\\' && !inside_escape;
        (!inside_escape && text.get(at..)?.starts_with(literal)).then_some(at)
    })
}
