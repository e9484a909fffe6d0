//! The code in the source of a template: its expressions and statements, and their tokens, at the places where MiniJinja finds them.

/// An expression `{{ … }}` or a statement `{% … %}`.
pub(super) struct Code<'s> {
    pub(super) kind: Kind,
    /// The place of `text` in the source of the template, in bytes.
    pub(super) start: usize,
    /// The source between the marks.
    pub(super) text: &'s str,
    pub(super) tokens: Vec<Token<'s>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Expression,
    Statement,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word,
    Number,
    Text,
    Open,
    Close,
    Symbol,
}

#[derive(Clone, Copy)]
pub(super) struct Token<'s> {
    pub(super) kind: TokenKind,
    pub(super) text: &'s str,
    /// The place in the source of the template, in bytes.
    pub(super) start: usize,
}

impl Token<'_> {
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.kind != TokenKind::Text && self.text == text
    }
}

/// All code of a source, in order. Comments and raw blocks contain none.
pub(super) fn all(source: &str) -> Vec<Code<'_>> {
    divided(source).found
}

/// The text of a source outside of code, comments and raw blocks.
pub(super) fn literals(source: &str) -> Vec<&str> {
    divided(source).literals
}

/// The mark that does not end in a source: the character at which it begins, from 1, and what would end it.
pub(super) fn unclosed(source: &str) -> Option<(usize, &'static str)> {
    let (start, end) = divided(source).unclosed?;
    // With the end before the next mark, something else is wrong, such as a bracket.
    let next = next_mark(source, start + 2).map_or(source.len(), |(next, _)| next);
    if source.get(start..next)?.contains(end) {
        return None;
    }
    Some((source.get(..start)?.chars().count() + 1, end))
}

/// The code and the text of a source.
struct Divided<'s> {
    found: Vec<Code<'s>>,
    literals: Vec<&'s str>,
    /// The place of a mark that does not end, in bytes, and what would end it.
    unclosed: Option<(usize, &'static str)>,
}

fn divided(source: &str) -> Divided<'_> {
    let (mut found, mut literals, mut unclosed) = (Vec::new(), Vec::new(), None);
    let mut at = 0;
    while let Some((start, mark)) = next_mark(source, at) {
        literals.push(source.get(at..start).unwrap_or(""));
        let after = start + 2;
        let code = after + usize::from(tail(source, after).starts_with(['-', '+']));
        let (kind, end) = match mark {
            '#' => match tail(source, code).find("#}") {
                Some(length) => {
                    at = code + length + 2;
                    continue;
                }
                None => return Divided { found, literals, unclosed: Some((start, "#}")) },
            },
            '%' => match tag(tail(source, code), "raw", false) {
                Some(length) => match end_of_raw(source, code + length) {
                    Some(end) => {
                        at = end;
                        continue;
                    }
                    None => return Divided { found, literals, unclosed: Some((start, "{% endraw %}")) },
                },
                None => (Kind::Statement, "%}"),
            },
            _ => (Kind::Expression, "}}"),
        };
        let (tokens, stop) = tokens(source, code, end);
        if !tail(source, stop).starts_with(end) {
            unclosed = Some((start, end));
        }
        found.push(Code { kind, start: code, text: source.get(code..stop).unwrap_or(""), tokens });
        at = stop + end.len();
    }
    literals.push(tail(source, at));
    Divided { found, literals, unclosed }
}

/// Whether an expression is only `row`, which would print all columns.
pub(super) fn prints_row(source: &str) -> bool {
    all(source).iter().any(|code| {
        let is_row =
            |tokens: &[Token<'_>]| matches!(tokens, [one] if one.kind == TokenKind::Word && one.is("row"));
        code.kind == Kind::Expression && is_row(&code.tokens)
    })
}

/// The names of columns in `row["…"]`, and whether the template uses them in another way than with a default or a test for a value.
pub(super) fn row_columns(source: &str) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    for code in all(source) {
        let is = |at: Option<usize>, words: &[&str]| {
            at.and_then(|at| code.tokens.get(at)).is_some_and(|token| words.iter().any(|word| token.is(word)))
        };
        for (at, window) in code.tokens.windows(4).enumerate() {
            let [row, open, name, close] = window else { continue };
            let is_column = row.kind == TokenKind::Word
                && row.is("row")
                && open.is("[")
                && close.is("]")
                && !is(at.checked_sub(1), &["."]);
            // A name with an escape is checked when a row is rendered.
            if is_column && name.kind == TokenKind::Text && !name.text.contains('\\') {
                let has_default = is(Some(at + 4), &["|"]) && is(Some(at + 5), &["default", "d"]);
                let test = at + 5 + usize::from(is(Some(at + 5), &["not"]));
                let is_tested =
                    is(Some(at + 4), &["is"]) && is(Some(test), &["defined", "undefined", "none"]);
                let end = name.text.len().saturating_sub(1);
                let name = name.text.get(1..end).unwrap_or_default().to_owned();
                found.push((name, !has_default && !is_tested));
            }
        }
    }
    found
}

fn tail(source: &str, at: usize) -> &str {
    source.get(at..).unwrap_or("")
}

/// The next `{{`, `{%` or `{#`, and its second character.
fn next_mark(source: &str, from: usize) -> Option<(usize, char)> {
    let candidates = tail(source, from).match_indices('{').map(|(at, _)| from + at);
    candidates
        .filter_map(|at| Some((at, tail(source, at + 1).chars().next()?)))
        .find(|(_, mark)| matches!(mark, '{' | '%' | '#'))
}

/// The length of a statement that is only a name, with its end mark.
fn tag(code: &str, name: &str, may_be_marked: bool) -> Option<usize> {
    let rest = if may_be_marked { code.strip_prefix(['-', '+']).unwrap_or(code) } else { code };
    let rest = rest.trim_ascii_start().strip_prefix(name)?.trim_ascii_start();
    let rest = rest.strip_prefix(['-', '+']).unwrap_or(rest).strip_prefix("%}")?;
    Some(code.len() - rest.len())
}

fn end_of_raw(source: &str, from: usize) -> Option<usize> {
    let marks = tail(source, from).match_indices("{%").map(|(at, _)| from + at + 2);
    marks.filter_map(|at| Some(at + tag(tail(source, at), "endraw", true)?)).next()
}

/// The tokens up to an end mark, which is not searched in strings and brackets; and the place of this mark.
fn tokens<'s>(source: &'s str, from: usize, end: &str) -> (Vec<Token<'s>>, usize) {
    let mut found: Vec<Token<'s>> = Vec::new();
    let (mut at, mut depth) = (from, 0_i32);
    while let Some(first) = tail(source, at).chars().next() {
        let rest = tail(source, at);
        if first.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if depth == 0 && rest.starts_with(end) {
            return (found, at);
        }
        if depth == 0 && matches!(first, '-' | '+') && tail(rest, 1).starts_with(end) {
            return (found, at + 1);
        }
        let (kind, length) = match first {
            '"' | '\'' => (TokenKind::Text, text_length(rest, first)),
            '0'..='9' => {
                (TokenKind::Number, number_length(rest, source.get(..at).unwrap_or("").ends_with('.')))
            }
            'a'..='z' | 'A'..='Z' | '_' => (TokenKind::Word, word_length(rest)),
            '(' | '[' | '{' => (TokenKind::Open, 1),
            ')' | ']' | '}' => (TokenKind::Close, 1),
            _ if ["//", "**", "==", "!=", ">=", "<="].iter().any(|two| rest.starts_with(two)) => {
                (TokenKind::Symbol, 2)
            }
            other => (TokenKind::Symbol, other.len_utf8()),
        };
        depth += i32::from(kind == TokenKind::Open) - i32::from(kind == TokenKind::Close);
        found.push(Token { kind, text: rest.get(..length).unwrap_or(rest), start: at });
        at += length;
    }
    (found, source.len())
}

fn text_length(rest: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, character) in rest.char_indices().skip(1) {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            one if one == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn word_length(rest: &str) -> usize {
    rest.find(|one: char| !one.is_ascii_alphanumeric() && one != '_').unwrap_or(rest.len())
}

/// The length of a number. After a dot it is an index, which has no fraction.
fn number_length(rest: &str, is_index: bool) -> usize {
    let bytes = rest.as_bytes();
    let at = |index: usize| bytes.get(index).copied().unwrap_or(b' ');
    let has_radix = at(0) == b'0' && matches!(at(1), b'b' | b'B' | b'o' | b'O' | b'x' | b'X');
    if has_radix {
        return word_length(rest);
    }
    let (mut length, mut has_fraction, mut has_exponent) = (0, is_index, false);
    loop {
        match at(length) {
            b'0'..=b'9' | b'_' => length += 1,
            b'.' if !has_fraction && !has_exponent => {
                let is_exponent = matches!(at(length + 1), b'e' | b'E')
                    && matches!(at(length + 2), b'+' | b'-' | b'0'..=b'9');
                if !is_exponent && (at(length + 1).is_ascii_alphabetic() || at(length + 1) == b'_') {
                    return length;
                }
                has_fraction = true;
                length += 1;
            }
            b'e' | b'E' if !has_exponent => {
                has_exponent = true;
                length += 1 + usize::from(matches!(at(length + 1), b'+' | b'-'));
            }
            _ => return length,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_at_the_ends_of_the_name_of_a_column_are_part_of_it() {
        for (source, expected) in [
            (r#"{{ row["Size '"] }}"#, "Size '"),
            (r#"{{ row['"Name"'] }}"#, "\"Name\""),
            (r#"{{ row["'"] }}"#, "'"),
            (r#"{{ row[""] }}"#, ""),
            (r#"{{ row["a b"] }}"#, "a b"),
        ] {
            assert_eq!(row_columns(source), [(expected.to_owned(), true)], "{source}");
        }
        assert!(row_columns("{{ row[\"a").is_empty());
    }
}
