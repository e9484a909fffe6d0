//! Finding the variables in a template.

use super::Variable;

/// The longest name that is taken for a variable.
const LONGEST_NAME: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Literal(String),
    Variable(Variable),
}

/// The pieces of a template, and the names that are no variables.
pub(super) fn scan(source: &str) -> (Vec<Piece>, Vec<String>) {
    let mut pieces = Vec::new();
    let mut unknown: Vec<String> = Vec::new();
    let mut literal = String::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let name = closing(first).and_then(|close| name_before(rest, close));
        match name.map(|name| (name, Variable::from_name(name))) {
            Some((name, Some(variable))) => {
                if !literal.is_empty() {
                    pieces.push(Piece::Literal(std::mem::take(&mut literal)));
                }
                pieces.push(Piece::Variable(variable));
                rest = rest.get(name.len() + 2..).unwrap_or_default();
                continue;
            }
            Some((name, None)) if !unknown.iter().any(|seen| seen == name) => unknown.push(name.to_owned()),
            _ => {}
        }
        literal.push(first);
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
    }
    if !literal.is_empty() {
        pieces.push(Piece::Literal(literal));
    }
    (pieces, unknown)
}

fn closing(open: char) -> Option<char> {
    match open {
        '~' | '$' => Some(open),
        '<' => Some('>'),
        _ => None,
    }
}

/// The name that `text` holds between its first character and the next `close`.
fn name_before(text: &str, close: char) -> Option<&str> {
    let inside = text.get(1..)?;
    let length = inside.bytes().take(LONGEST_NAME + 1).take_while(|byte| is_name(*byte)).count();
    let (name, after) = inside.split_at_checked(length)?;
    (length > 0 && length <= LONGEST_NAME && after.starts_with(close)).then_some(name)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
