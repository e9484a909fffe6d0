//! Guards that make the work of a template proportional to its fuel. MiniJinja counts the items of a list once, but its operators
//! and its output visit all values inside. A list in which values occur many times has few items and any number of visits.
//!
//! Two things multiply values: a variable that is used again, and the operator `*`. Therefore each variable of an expression is
//! passed through the filter [`COUNTED`], which takes fuel for all values inside, and both operands of `*` through [`FACTOR`], which
//! refuses lists. The filters and functions that multiply values are replaced.
//!
//! A cell of CSV is a text, and MiniJinja compares a text with a number by their types and repeats a text that is multiplied. Therefore
//! what is compared with a number, and what is multiplied and not a text in the source, is passed through [`NUMERIC`], which refuses texts.
//!
//! A null is an undefined value. It is false, and MiniJinja refuses to print or compare it, but some filters and all slices would
//! turn it into a text. Therefore what is sliced or filtered is passed through [`PRESENT`], which refuses nulls.

use std::collections::BTreeMap;

use minijinja::value::{Kwargs, Rest, Tuple, Value, ValueKind, ValueOrKwargs};
use minijinja::{Environment, Error, ErrorKind, State, filters, functions};

use super::code::{self, Code, Kind, Token, TokenKind};

const COUNTED: &str = "counted";
const FACTOR: &str = "factor";
const PRESENT: &str = "present";
const NUMERIC: &str = "numeric";

/// Filters that accept a value that is null.
const OF_NULLS: [&str; 3] = ["default", "d", "bool"];

/// The maximum depth of a value. A row of JSON has at most 127 levels.
const MAX_DEPTH: usize = 160;
/// The values and the bytes of text for one unit of fuel.
const VALUES_PER_UNIT: usize = 2;
const BYTES_PER_UNIT: usize = 64;

/// The requirement for operands of `*`.
pub(super) const NO_LISTS: &str = "a list must not be multiplied";
/// The requirement for what is compared with a number or calculated with.
pub(super) const NO_TEXT: &str = "a text, as every cell of CSV is, must become a number with `|int` or `|float` before it is compared with a number or calculated with";
/// The requirement for the depth of values.
pub(super) const NOT_TOO_DEEP: &str = "a value must be nested at most 160 levels deep";

/// Words that are not variables.
const KEYWORDS: [&str; 14] = [
    "and",
    "or",
    "not",
    "in",
    "is",
    "if",
    "else",
    "recursive",
    "true",
    "True",
    "false",
    "False",
    "none",
    "None",
];

/// The first keyword that a statement uses as the name of a variable. Such a name would not be counted.
pub(super) fn assigned_keyword(source: &str) -> Option<&str> {
    let assigned = code::all(source).into_iter().flat_map(|code| {
        let targets = targets(&code);
        let tokens = code.tokens.into_iter().enumerate().skip(1);
        tokens.filter(move |(index, _)| targets.get(*index) == Some(&true)).map(|(_, token)| token)
    });
    assigned
        .filter(|token| token.kind == TokenKind::Word)
        .map(|token| token.text)
        .find(|word| KEYWORDS.contains(word))
}

/// A source with guards.
#[derive(Clone)]
pub(super) struct Guarded {
    pub(super) source: String,
    /// Where guards were added to the original, and their lengths.
    added: Vec<(usize, usize)>,
}

impl Guarded {
    /// The place in the original of a place in the source with guards, in bytes.
    pub(super) fn original(&self, place: usize) -> usize {
        let mut before = 0;
        for (at, length) in &self.added {
            if at + before + length > place {
                return place.saturating_sub(before).min(*at);
            }
            before += length;
        }
        place.saturating_sub(before)
    }
}

/// Adds the guards to a source that MiniJinja accepts.
pub(super) fn add(source: &str) -> Guarded {
    let mut added: Vec<(usize, String)> = Vec::new();
    for code in code::all(source) {
        for index in variables(&code) {
            let Some(word) = code.tokens.get(index) else { continue };
            let is_negated =
                index.checked_sub(1).and_then(|sign| code.tokens.get(sign)).is_some_and(|sign| sign.is("-"));
            let must_be_present = is_negated || is_item(&code.tokens, index);
            let present = if must_be_present { format!("|{PRESENT}") } else { String::new() };
            added.push((word.start, "(".to_owned()));
            added.push((word.end(), format!("|{COUNTED}{present})")));
        }
        require_values(&code, &mut added);
        check_factors(&code.tokens, &mut added);
        check_comparisons(&code.tokens, &mut added);
    }
    added.sort_by_key(|(at, _)| *at);
    let mut guarded = String::with_capacity(source.len() * 2);
    let mut from = 0;
    for (at, guard) in &added {
        guarded.push_str(source.get(from..*at).unwrap_or(""));
        guarded.push_str(guard);
        from = *at;
    }
    guarded.push_str(source.get(from..).unwrap_or(""));
    let added = added.into_iter().map(|(at, guard)| (at, guard.len())).collect();
    Guarded { source: guarded, added }
}

/// The indexes of the tokens that are variables.
pub(super) fn variables(code: &Code<'_>) -> Vec<usize> {
    let targets = targets(code);
    let is = |index: Option<usize>, text: &str| {
        index.and_then(|at| code.tokens.get(at)).is_some_and(|one| one.is(text))
    };
    let is_variable = |index: usize, word: &Token<'_>| {
        let (before, after) = (index.checked_sub(1), Some(index + 1));
        let is_name_of_test = is(before, "is") || (is(before, "not") && is(index.checked_sub(2), "is"));
        word.kind == TokenKind::Word
            && targets.get(index) == Some(&false)
            && (word.text == "recursive" && !is_end_of_loop(code, index) || !KEYWORDS.contains(&word.text))
            && !is_name_of_test
            && !is(before, ".")
            && !is(before, "|")
            && !is(after, "(")
            && !is(after, "=")
    };
    let tokens = code.tokens.iter().enumerate();
    tokens.filter(|(index, word)| is_variable(*index, word)).map(|(index, _)| index).collect()
}

/// The names that the statements of a template assign.
pub(super) fn assigned<'s>(code: &Code<'s>) -> Vec<&'s str> {
    let targets = targets(code);
    let words = code.tokens.iter().enumerate().skip(1).filter(|(_, token)| token.kind == TokenKind::Word);
    words.filter(|(index, _)| targets.get(*index) == Some(&true)).map(|(_, token)| token.text).collect()
}

/// Passes what is sliced or filtered through [`PRESENT`].
fn require_values(code: &Code<'_>, added: &mut Vec<(usize, String)>) {
    let (tokens, targets) = (&code.tokens, targets(code));
    for (index, token) in tokens.iter().enumerate() {
        let next = tokens.get(index + 1);
        let is_filter = token.kind == TokenKind::Symbol
            && token.text == "|"
            && next.is_some_and(|name| !OF_NULLS.contains(&name.text));
        if !is_filter && !is_slice(tokens, index) {
            continue;
        }
        let start = operand_start(tokens, index).filter(|start| targets.get(*start) == Some(&false));
        if let Some(operand) = start.and_then(|start| tokens.get(start)) {
            added.push((operand.start, "(".to_owned()));
            added.push((token.start, format!("|{PRESENT})")));
        }
    }
}

/// Whether a token is an item of a list, such as `[name]`. The list may be printed.
fn is_item(tokens: &[Token<'_>], index: usize) -> bool {
    let is = |at: Option<usize>, marks: &[&str]| {
        at.and_then(|at| tokens.get(at)).is_some_and(|token| marks.iter().any(|mark| token.is(mark)))
    };
    if !is(index.checked_sub(1), &["[", ","]) || !is(Some(index + 1), &["]", ","]) {
        return false;
    }
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().take(index).rev() {
        match token.kind {
            TokenKind::Close => depth += 1,
            TokenKind::Open if depth > 0 => depth -= 1,
            TokenKind::Open => {
                return token.text == "[" && !follows_value(tokens, at);
            }
            _ => {}
        }
    }
    false
}

/// Whether a token opens the brackets of a slice, such as `[1:]`, and not those of a list or an item.
fn is_slice(tokens: &[Token<'_>], open: usize) -> bool {
    if !tokens.get(open).is_some_and(|token| token.kind == TokenKind::Open && token.text == "[") {
        return false;
    }
    let mut depth = 0_usize;
    for token in tokens.iter().skip(open + 1) {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close if depth == 0 => return false,
            TokenKind::Close => depth -= 1,
            TokenKind::Symbol if depth == 0 && token.text == ":" => return true,
            _ => {}
        }
    }
    false
}

/// The first token of the value before `end`: a variable with its members and calls, or brackets. `None` for a constant and the
/// result of a filter.
fn operand_start(tokens: &[Token<'_>], end: usize) -> Option<usize> {
    let mut at = end.checked_sub(1)?;
    loop {
        let token = tokens.get(at)?;
        let before = at.checked_sub(1).and_then(|before| tokens.get(before));
        match token.kind {
            TokenKind::Close => {
                let open = opening(tokens, at)?;
                if !follows_value(tokens, open) || tokens.get(open)?.text == "{" {
                    return Some(open);
                }
                at = open - 1;
            }
            TokenKind::Word | TokenKind::Number if before.is_some_and(|dot| dot.is(".")) => {
                at = at.checked_sub(2)?;
            }
            TokenKind::Word if !KEYWORDS.contains(&token.text) => {
                let is_name =
                    before.is_some_and(|before| ["|", "is", "not"].iter().any(|mark| before.is(mark)));
                let is_negated = before.is_some_and(|before| before.is("not"))
                    && !at.checked_sub(2).and_then(|is| tokens.get(is)).is_some_and(|is| is.is("is"));
                return Some(at).filter(|_| !is_name || is_negated);
            }
            _ => return None,
        }
    }
}

/// Whether a bracket follows a value, so that it belongs to a call, an item or a slice.
fn follows_value(tokens: &[Token<'_>], open: usize) -> bool {
    let before = open.checked_sub(1).and_then(|before| tokens.get(before));
    before.is_some_and(|before| match before.kind {
        TokenKind::Word => !KEYWORDS.contains(&before.text),
        TokenKind::Close | TokenKind::Text => true,
        _ => false,
    })
}

/// The bracket that a closing one belongs to.
fn opening(tokens: &[Token<'_>], close: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().take(close + 1).rev() {
        match token.kind {
            TokenKind::Close => depth += 1,
            TokenKind::Open if depth == 1 => return Some(index),
            TokenKind::Open => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Whether a word is the mark `recursive` of a loop, and not a variable of this name.
fn is_end_of_loop(code: &Code<'_>, index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|before| code.tokens.get(before));
    let ends_a_value = before.is_some_and(|token| match token.kind {
        TokenKind::Word => !["and", "or", "not", "in", "is", "if", "else"].contains(&token.text),
        TokenKind::Number | TokenKind::Text | TokenKind::Close => true,
        TokenKind::Open | TokenKind::Symbol => false,
    });
    code.tokens.first().is_some_and(|first| first.is("for")) && index + 1 == code.tokens.len() && ends_a_value
}

/// For each token, whether it is the name of a statement or belongs to a name that the statement assigns.
fn targets(code: &Code<'_>) -> Vec<bool> {
    let mut found = vec![false; code.tokens.len()];
    if code.kind == Kind::Expression {
        return found;
    }
    let statement = code.tokens.first().map_or("", |first| first.text);
    let mut is_target = matches!(statement, "set" | "for" | "with");
    let mut depth = 0_usize;
    for (index, (token, found)) in code.tokens.iter().zip(&mut found).enumerate() {
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ if statement == "for" && token.is("in") && index > 1 => is_target = false,
            _ if matches!(statement, "set" | "with") && (token.is("=") || token.is("|")) => is_target = false,
            _ if statement == "with" && token.is(",") => is_target = true,
            _ => {}
        }
        *found = is_target || index == 0 || (index == 1 && statement == "filter");
    }
    found
}

fn check_factors(tokens: &[Token<'_>], added: &mut Vec<(usize, String)>) {
    for (index, token) in tokens.iter().enumerate().skip(1) {
        let before = index.checked_sub(1).and_then(|before| tokens.get(before));
        let spreads_arguments = before.is_none_or(|before| before.is("(") || before.is(","));
        if !token.is("*") || spreads_arguments {
            continue;
        }
        let rest = tokens.get(index + 1..).unwrap_or(&[]);
        if let Some(last) = operand_length(rest).checked_sub(1).and_then(|last| rest.get(last)) {
            // A text of the source is repeated on purpose.
            let guard = |operand: &Token<'_>| match operand.kind {
                TokenKind::Text => format!("|{FACTOR}"),
                _ => format!("|{FACTOR}|{NUMERIC}"),
            };
            added.extend(before.map(|left| (token.start, guard(left))));
            added.push((last.end(), guard(last)));
        }
    }
}

/// Passes what is compared with a number of the source through [`NUMERIC`].
fn check_comparisons(tokens: &[Token<'_>], added: &mut Vec<(usize, String)>) {
    const COMPARISONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Symbol || !COMPARISONS.contains(&token.text) {
            continue;
        }
        let rest = tokens.get(index + 1..).unwrap_or(&[]);
        let signs = rest.iter().take_while(|token| token.is("-")).count();
        if is_number(tokens, index + 1 + signs) {
            if !ends_with_test(tokens, index) {
                added.push((token.start, format!("|{NUMERIC}")));
            }
        } else if index.checked_sub(1).is_some_and(|left| is_number(tokens, left))
            && !rest.first().is_some_and(|first| first.is("not"))
            && let Some(last) = operand_length(rest).checked_sub(1).and_then(|last| rest.get(last))
        {
            added.push((last.end(), format!("|{NUMERIC}")));
        }
    }
}

/// Whether a token is a number that stays one: a filter or the operator `~` may make it a text.
fn is_number(tokens: &[Token<'_>], index: usize) -> bool {
    let is = |at: Option<usize>, mark: &str| at.and_then(|at| tokens.get(at)).is_some_and(|one| one.is(mark));
    let becomes_text = is(Some(index + 1), "|") || is(Some(index + 1), "~") || is(index.checked_sub(1), "~");
    tokens.get(index).is_some_and(|token| token.kind == TokenKind::Number) && !becomes_text
}

/// Whether the value before `end` is the result of a test, such as `name is defined`.
fn ends_with_test(tokens: &[Token<'_>], end: usize) -> bool {
    let is = |at: Option<usize>, word: &str| at.and_then(|at| tokens.get(at)).is_some_and(|one| one.is(word));
    let Some(last) = end.checked_sub(1) else { return false };
    let name = match tokens.get(last).map(|token| token.kind) {
        Some(TokenKind::Close) => opening(tokens, last).and_then(|open| open.checked_sub(1)),
        _ => Some(last),
    };
    let before = name.and_then(|name| name.checked_sub(1));
    is(before, "is") || is(before, "not") && is(before.and_then(|before| before.checked_sub(1)), "is")
}

/// The number of tokens of an operand: a value with its signs, members, calls and filters.
fn operand_length(tokens: &[Token<'_>]) -> usize {
    let mut at = tokens.iter().take_while(|token| token.is("-")).count();
    match tokens.get(at).map(|token| token.kind) {
        Some(TokenKind::Open) => at = after_brackets(tokens, at),
        Some(TokenKind::Text) => {
            let rest = tokens.get(at..).unwrap_or(&[]);
            at += rest.iter().take_while(|token| token.kind == TokenKind::Text).count();
        }
        _ => at += 1,
    }
    while let Some(token) = tokens.get(at) {
        match token.text {
            "." | "|" if token.kind == TokenKind::Symbol => at += 2,
            "[" | "(" if token.kind == TokenKind::Open => at = after_brackets(tokens, at),
            _ => break,
        }
    }
    at
}

fn after_brackets(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0_i32;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        depth += i32::from(token.kind == TokenKind::Open) - i32::from(token.kind == TokenKind::Close);
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// Registers the guards, and the filters and functions that are replaced.
pub(super) fn register(environment: &mut Environment<'_>) {
    environment.add_filter(COUNTED, counted);
    environment.add_filter(FACTOR, factor);
    environment.add_filter(PRESENT, present);
    environment.add_filter(NUMERIC, numeric);
    environment.add_filter(
        "batch",
        |state: &State<'_, '_>, value: Value, count: usize, fill: Option<Value>| {
            counted(state, filters::batch(state, value, count, fill)?)
        },
    );
    environment.add_filter(
        "slice",
        |state: &State<'_, '_>, value: Value, count: usize, fill: Option<Value>| {
            counted(state, filters::slice(state, value, count, fill)?)
        },
    );
    environment.add_filter(
        "map",
        |state: &mut State<'_, '_>, value: Value, arguments: Rest<ValueOrKwargs>| {
            let mapped = filters::map(state, value, arguments)?;
            counted(state, Value::from(mapped))
        },
    );
    environment.add_filter("format", format);
    environment.add_filter("sum", sum);
    environment.add_function("range", range);
    // A namespace can contain itself, and `debug` writes all variables without counting them.
    environment.remove_global("namespace");
    environment.remove_global("debug");
}

fn range(
    state: &State<'_, '_>,
    lower: isize,
    upper: Option<isize>,
    step: Option<isize>,
) -> Result<Value, Error> {
    let numbers = functions::range(lower, upper, step)?;
    state.consume_fuel(units(numbers.len().unwrap_or(0), VALUES_PER_UNIT))?;
    Ok(numbers)
}

/// A format may write an argument many times by its name: `%(name)s`.
fn format(state: &mut State<'_, '_>, text: &Value, arguments: Rest<ValueOrKwargs>) -> Result<Value, Error> {
    let repeats = text.as_str().map_or(0, |text| text.matches("%(").count());
    for _ in 0..repeats {
        for argument in arguments.iter() {
            counted(state, Value::clone(argument))?;
        }
    }
    filters::format(state, text, arguments)
}

/// The sum of numbers or texts. A sum of lists copies them again and again.
fn sum(
    state: &State<'_, '_>,
    values: Value,
    attribute: Option<&str>,
    start: Option<Value>,
    named: Kwargs,
) -> Result<Value, Error> {
    for start in start.iter().cloned().chain(named.get::<Option<Value>>("start")?) {
        if matches!(start.kind(), ValueKind::Seq | ValueKind::Iterable) {
            return Err(Error::new(ErrorKind::InvalidOperation, "a sum must start with a number or a text"));
        }
    }
    filters::sum(state, values, attribute, start, named)
}

/// The value, which is not null.
fn present(value: Value) -> Result<Value, Error> {
    if value.is_undefined() { Err(ErrorKind::UndefinedError.into()) } else { Ok(value) }
}

/// The value, which is not a text.
fn numeric(value: Value) -> Result<Value, Error> {
    match value.kind() {
        ValueKind::String => Err(Error::new(ErrorKind::InvalidOperation, NO_TEXT)),
        _ => Ok(value),
    }
}

fn factor(value: Value) -> Result<Value, Error> {
    match value.kind() {
        ValueKind::Seq | ValueKind::Iterable => Err(Error::new(ErrorKind::InvalidOperation, NO_LISTS)),
        _ => Ok(value),
    }
}

/// The value, after taking fuel for all values inside. Lists that are computed when they are read are replaced by their items.
fn counted(state: &State<'_, '_>, value: Value) -> Result<Value, Error> {
    match value.kind() {
        ValueKind::Seq | ValueKind::Iterable | ValueKind::Map => Counter { state, values: 0 }.copy(value, 0),
        _ => Ok(value),
    }
}

fn units(count: usize, per_unit: usize) -> u64 {
    u64::try_from(count / per_unit).unwrap_or(u64::MAX)
}

struct Counter<'a, 't, 'e> {
    state: &'a State<'t, 'e>,
    values: usize,
}

impl Counter<'_, '_, '_> {
    fn copy(&mut self, value: Value, depth: usize) -> Result<Value, Error> {
        if depth > MAX_DEPTH {
            return Err(Error::new(ErrorKind::InvalidOperation, NOT_TOO_DEEP));
        }
        self.values += 1;
        if self.values.is_multiple_of(VALUES_PER_UNIT) {
            self.state.consume_fuel(1)?;
        }
        match value.kind() {
            ValueKind::String => {
                let length = value.as_str().map_or(0, str::len);
                self.state.consume_fuel(units(length, BYTES_PER_UNIT))?;
                Ok(value)
            }
            ValueKind::Seq | ValueKind::Iterable => {
                let items = value.try_iter()?.map(|item| self.copy(item, depth + 1));
                let items = items.collect::<Result<Vec<_>, _>>()?;
                if value.is_tuple() {
                    return Ok(Value::from(Tuple::from(items)));
                }
                let is_plain = value.kind() == ValueKind::Iterable
                    || value.downcast_object_ref::<Vec<Value>>().is_some();
                Ok(if is_plain { Value::from(items) } else { value })
            }
            ValueKind::Map => match value.downcast_object_ref::<BTreeMap<Value, Value>>() {
                Some(members) => {
                    let members = members.iter().map(|(name, member)| {
                        Ok((self.copy(name.clone(), depth + 1)?, self.copy(member.clone(), depth + 1)?))
                    });
                    members.collect::<Result<BTreeMap<_, _>, Error>>().map(Value::from)
                }
                None => {
                    for name in value.try_iter()? {
                        self.copy(value.get_item(&name)?, depth + 1)?;
                    }
                    Ok(value)
                }
            },
            _ => Ok(value),
        }
    }
}
