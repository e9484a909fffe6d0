//! The names in the source of a template: filters, tests and functions, which must exist; and columns.

use std::collections::BTreeSet;

use minijinja::{Environment, context};

use super::code::{self, Code, Kind, Token, TokenKind};
use super::guards;

/// Words before a bracket that are not functions.
const NOT_FUNCTIONS: [&str; 7] = ["and", "or", "not", "in", "is", "if", "else"];
/// What loops define.
const LOOP: &str = "loop";
/// Filters that accept the name of a filter or a test, and the position of that argument.
const WITH_NAMES: [(&str, What, usize); 5] = [
    ("map", What::Filter, 0),
    ("select", What::Test, 0),
    ("reject", What::Test, 0),
    ("selectattr", What::Test, 1),
    ("rejectattr", What::Test, 1),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Filter,
    Test,
    Function,
}

/// The first filter, test or function that does not exist, as `unknown filter `x` in line 1`.
pub(super) fn unknown(source: &str, environment: &Environment<'_>) -> Option<String> {
    let codes = code::all(source);
    let assigned: Vec<&str> = codes.iter().flat_map(guards::assigned).collect();
    let functions: BTreeSet<&str> = environment.globals().map(|(name, _)| name).collect();
    let is_known = |what: What, name: &str| match what {
        What::Function => functions.contains(name) || assigned.contains(&name) || name == LOOP,
        What::Filter => exists(environment, "name is filter", name),
        What::Test => exists(environment, "name is test", name),
    };
    let (what, name, at) = codes.iter().flat_map(names).find(|(what, name, _)| !is_known(*what, name))?;
    let kind = match what {
        What::Filter => "filter",
        What::Test => "test",
        What::Function => "function",
    };
    let line = source.get(..at).unwrap_or("").matches('\n').count() + 1;
    Some(format!("unknown {kind} `{name}` in line {line}"))
}

fn exists(environment: &Environment<'_>, expression: &'static str, name: &str) -> bool {
    let found = environment.compile_expression_owned(expression);
    found.and_then(|found| found.eval(context! { name })).is_ok_and(|found| found.is_true())
}

/// The filters, tests and functions of a piece of code, with their places.
fn names<'s>(code: &Code<'s>) -> Vec<(What, String, usize)> {
    let tokens = code.tokens.as_slice();
    let is = |index: Option<usize>, text: &str| {
        index.and_then(|at| tokens.get(at)).is_some_and(|token| token.is(text))
    };
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let (before, before_that) = (index.checked_sub(1), index.checked_sub(2));
        if token.kind != TokenKind::Word || is(before, ".") {
            continue;
        }
        let is_filter =
            is(before, "|") || (code.kind == Kind::Statement && index == 1 && is(before, "filter"));
        let is_test = is(before, "is") || (is(before, "not") && is(before_that, "is"));
        let what = if is_filter {
            found.extend(named_by_argument(tokens, index));
            What::Filter
        } else if is_test && token.text != "not" {
            What::Test
        } else if is(Some(index + 1), "(")
            && !NOT_FUNCTIONS.contains(&token.text)
            && (code.kind == Kind::Expression || index > 0)
        {
            What::Function
        } else {
            continue;
        };
        found.push((what, dotted(tokens, index), token.start));
    }
    found
}

/// A name with its dots: `a.b`.
fn dotted(tokens: &[Token<'_>], first: usize) -> String {
    let rest = tokens.get(first..).unwrap_or(&[]);
    let mut name = rest.first().map_or("", |token| token.text).to_owned();
    for pair in rest.get(1..).unwrap_or(&[]).chunks(2) {
        match pair {
            [dot, word] if dot.is(".") && word.kind == TokenKind::Word => {
                name.push('.');
                name.push_str(word.text);
            }
            _ => break,
        }
    }
    name
}

/// The filter or test that an argument of a filter names: `map('upper')`.
fn named_by_argument(tokens: &[Token<'_>], filter: usize) -> Option<(What, String, usize)> {
    let name = tokens.get(filter)?.text;
    let (_, what, position) = WITH_NAMES.iter().find(|(with_names, ..)| *with_names == name)?;
    let arguments = tokens.get(filter + 1..)?;
    if !arguments.first()?.is("(") {
        return None;
    }
    // Each argument before it is one token and a comma.
    let at = 1 + 2 * position;
    let is_whole = arguments.get(at + 1).is_some_and(|after| after.is(",") || after.is(")"));
    let has_comma = *position == 0 || arguments.get(at - 1)?.is(",");
    let token = arguments.get(at).filter(|token| token.kind == TokenKind::Text && is_whole && has_comma)?;
    let text = token.text.get(1..token.text.len().checked_sub(1)?)?;
    // A test may be named by an operator, such as `==`.
    Some((*what, text.to_owned(), token.start))
}

/// All variables of a source.
pub(super) fn variables(source: &str) -> BTreeSet<String> {
    let codes = code::all(source);
    let words = codes
        .iter()
        .flat_map(|code| guards::variables(code).into_iter().filter_map(|index| code.tokens.get(index)));
    words.map(|word| word.text.to_owned()).collect()
}

/// The variables of a source that it does not assign. MiniJinja does not find those that are sliced.
pub(super) fn unassigned(source: &str) -> BTreeSet<String> {
    let codes = code::all(source);
    let assigned: BTreeSet<&str> = codes.iter().flat_map(guards::assigned).collect();
    variables(source).into_iter().filter(|name| !assigned.contains(name.as_str()) && name != LOOP).collect()
}

/// The variables that a source uses in another way than with the filter `default` or the tests `defined`, `undefined` and `none`.
pub(super) fn required(source: &str) -> BTreeSet<String> {
    let (mut required, mut tested) = (BTreeSet::new(), BTreeSet::new());
    for code in code::all(source) {
        for index in guards::variables(&code) {
            let text = |at: usize| code.tokens.get(index + at).map_or("", |token| token.text);
            let name = text(0).to_owned();
            let test = if text(1) == "is" && text(2) == "not" { text(3) } else { text(2) };
            if text(1) == "is" && ["defined", "undefined", "none"].contains(&test) {
                tested.insert(name);
            } else if !(text(1) == "|" && ["default", "d"].contains(&text(2))) {
                required.insert(name);
            }
        }
    }
    required.difference(&tested).cloned().collect()
}

/// The words in single braces in the text of a source: `{name}`.
pub(super) fn in_single_braces(source: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    for text in code::literals(source) {
        for (at, _) in text.match_indices('{') {
            let rest = text.get(at + 1..).unwrap_or("");
            let Some(name) = rest.find(['{', '}']).and_then(|end| rest.get(..end)) else { continue };
            let is_closed =
                rest.get(name.len()..).is_some_and(|end| end.starts_with('}') && !end.starts_with("}}"));
            let is_alone = !text.get(..at).unwrap_or("").ends_with('{');
            if is_closed && is_alone && !name.trim().is_empty() {
                found.insert(name.trim());
            }
        }
    }
    found
}
