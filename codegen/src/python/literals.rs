//! Writes Python names, literals and docstrings.

const KEYWORDS: &[&str] = &[
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def",
    "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is",
    "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// `requestID` to `request_id`, `from` to `from_`.
pub(super) fn snake(wire: &str) -> String {
    let mut name = crate::member_names::snake(wire);
    if KEYWORDS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// A documentation text on one line, without the numbers of sections, such as `(A8)`, with escaped backslashes and single quotes
/// instead of double quotes.
pub(crate) fn doc(text: &str) -> String {
    without_sections(text)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('\\', "\\\\")
        .replace('"', "'")
}

/// A text without the numbers of sections of the specification, which say nothing to the reader of a help text.
pub(crate) fn without_sections(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('(') {
        match after.split_once(')') {
            Some((inner, next))
                if !inner.is_empty()
                    && inner.split([',', '/', ' ']).all(|word| word.is_empty() || is_section(word)) =>
            {
                out.push_str(before.trim_end());
                rest = next;
            }
            _ => {
                out.push_str(before);
                out.push('(');
                rest = after;
            }
        }
    }
    out + rest
}

/// Whether a word is the number of a section, such as `A8` or `D1a`.
fn is_section(word: &str) -> bool {
    let rest = word.strip_prefix(['A', 'B', 'C', 'D', 'E']).unwrap_or_default();
    let digits = rest.trim_end_matches(|letter: char| letter.is_ascii_lowercase());
    rest.len() - digits.len() <= 1 && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A tuple of strings, with the comma that a single element requires.
pub(super) fn tuple<I: IntoIterator<Item = String>>(items: I) -> String {
    let items: Vec<_> = items.into_iter().collect();
    match items.as_slice() {
        [] => "()".to_owned(),
        [one] => format!("({one},)"),
        many => format!("({})", many.join(", ")),
    }
}

/// A string literal.
pub(super) fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// An entry of a section of a docstring, such as `text: The text.`; the lines after the first one are indented further.
pub(crate) fn entry(name: &str, text: &str, indent: &str) -> String {
    let lines = wrap(&format!("{name}: {text}"), &format!("{indent}    "));
    lines.replacen("    ", "", 1)
}

/// Wraps text at 98 columns; each line begins with `indent`.
pub(super) fn wrap(text: &str, indent: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let full =
            lines.last().is_some_and(|line| !line.is_empty() && indent.len() + line.len() + word.len() > 98);
        if full {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.iter().map(|line| format!("{indent}{line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_texts_have_no_numbers_of_sections() {
        for (text, expected) in [
            ("A limit (A8).", "A limit."),
            ("The channel of a passcode (A1, A5, A7).", "The channel of a passcode."),
            ("One page (A8/A9) of (many) records (D1a)", "One page of (many) records"),
            ("Empty () and (open", "Empty () and (open"),
        ] {
            assert_eq!(doc(text), expected);
        }
    }
}
