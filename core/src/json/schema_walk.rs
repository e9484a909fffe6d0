//! Compares a request with the schema of its model. A value of an invalid type is reported and replaced by a neutral value, so
//! that all other members can be checked in the same pass.

use super::{Occurs, Tape, ValueKind, type_names};

use super::tape_value::number;
use crate::problem::{Code, Pointer, Problems, codes};
use crate::schema::{Field, Format, Kind, Schema};
use crate::util::repeats::repeats;
use crate::value::Number;

/// The index of a member that is not in the schema.
const UNKNOWN: u16 = crate::json::NOT_LOOKED_UP - 1;

/// Walks an object: sets the schema index of each member, and reports duplicates and invalid types. A documented member that is
/// `null` counts as absent.
pub(crate) fn object(
    tape: &mut Tape<'_>,
    index: usize,
    schema: &'static Schema,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    if !look_up(tape, index, schema) {
        merge_duplicates(tape, index);
    }
    let (mut next, end) = tape.inside(index);
    let mut seen = Seen::default();
    let mut has_two_spellings = false;
    while next < end {
        let member = next;
        let node = *tape.node(member);
        next = node.next;
        let field = schema.at(node.index);
        if node.kind == ValueKind::Null && (field.is_some() || tape.name(member) == "extra") {
            ignore_member(tape, member);
            continue;
        }
        match node.occurs {
            Occurs::Once => {}
            Occurs::First => problems.add(&codes::JSON_DUPLICATE_MEMBER, &at.key(tape.name(member))),
            Occurs::Ignored => continue,
        }
        let Some(field) = field else { continue };
        let at = at.key(field.wire);
        if !seen.add(node.index) {
            problems.add(&codes::JSON_DUPLICATE_MEMBER, &at);
            has_two_spellings = true;
        }
        if field.format == Format::JsonString && node.kind == ValueKind::Text {
            tape.put_array_in_text(member);
        }
        value(tape, member, &field.kind, field_code(field), &at, problems);
    }
    if has_two_spellings {
        merge_spellings(tape, index);
    }
}

/// A set of indices.
#[derive(Default)]
struct Seen(u64);

impl Seen {
    /// Adds an index; returns whether it is new.
    const fn add(&mut self, index: u16) -> bool {
        let bit = 1_u64 << (index & 63);
        let is_new = self.0 & bit == 0;
        self.0 |= bit;
        is_new
    }
}

/// Sets the schema index of each member. Returns whether duplicates are impossible: the documented members differ, and at most
/// one member is undocumented.
fn look_up(tape: &mut Tape<'_>, index: usize, schema: &'static Schema) -> bool {
    let (mut next, end) = tape.inside(index);
    let mut seen = Seen::default();
    let mut are_distinct = true;
    let (mut unknown, mut guess) = (0, 0);
    while next < end {
        let found = schema.index_of(tape.name(next), guess).unwrap_or(UNKNOWN);
        if found == UNKNOWN {
            unknown += 1;
        } else {
            are_distinct &= seen.add(found);
            guess = found + 1;
        }
        let Some(node) = tape.node_mut(next) else { break };
        node.index = found;
        next = node.next;
    }
    are_distinct && unknown < 2
}

fn ignore_member(tape: &mut Tape<'_>, member: usize) {
    if let Some(node) = tape.node_mut(member) {
        node.occurs = Occurs::Ignored;
    }
}

/// The indices of an object's members.
fn members(tape: &Tape<'_>, index: usize) -> Vec<usize> {
    let (mut next, end) = tape.inside(index);
    let mut indices = Vec::new();
    while next < end {
        indices.push(next);
        next = tape.next(next);
    }
    indices
}

/// Merges members with the same name: the first gets the value of the last, and the others are ignored. The names are sorted,
/// so that the time is nearly linear.
fn merge_duplicates(tape: &mut Tape<'_>, index: usize) {
    let indices = members(tape, index);
    let names: Vec<_> = indices.iter().map(|member| tape.name(*member)).zip(0..).collect();
    for (again, first) in repeats(&names) {
        let (Some(again), Some(first)) = (indices.get(again), indices.get(first)) else { continue };
        tape.put_value_of(*first, *again);
        ignore_member(tape, *again);
        if let Some(node) = tape.node_mut(*first) {
            node.occurs = Occurs::First;
        }
    }
}

/// Ignores all but the last spelling of a member that occurs under its name and an alias.
fn merge_spellings(tape: &mut Tape<'_>, index: usize) {
    let mut seen = Seen::default();
    for member in members(tape, index).into_iter().rev() {
        let node = *tape.node(member);
        if node.occurs != Occurs::Ignored && node.index != UNKNOWN && !seen.add(node.index) {
            ignore_member(tape, member);
        }
    }
}

fn field_code(field: &Field) -> &'static Code {
    field.type_code.unwrap_or(&codes::MSG_FIELD_TYPE)
}

fn value(
    tape: &mut Tape<'_>,
    index: usize,
    kind: &'static Kind,
    code: &'static Code,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    match (kind, tape.kind(index)) {
        (Kind::Any, _)
        | (Kind::String | Kind::Enum(_) | Kind::Scalar, ValueKind::Text)
        | (Kind::Boolean, ValueKind::True | ValueKind::False)
        | (Kind::Number | Kind::Scalar, ValueKind::Number) => {}
        (Kind::Integer, ValueKind::Number) => integer(tape, index, code, at, problems),
        (Kind::Object(schema), ValueKind::Object) => object(tape, index, schema, at, problems),
        (Kind::Array(inner) | Kind::OneOrMany(inner), ValueKind::Array) => {
            let (mut next, end) = tape.inside(index);
            let mut index = 0;
            while next < end {
                let item = next;
                next = tape.next(item);
                value(tape, item, inner, &codes::MSG_FIELD_TYPE, &at.index(index), problems);
                index += 1;
            }
        }
        (Kind::Map(inner), ValueKind::Object) => map(tape, index, inner, at, problems),
        (Kind::OneOrMany(inner), _) => value(tape, index, inner, code, at, problems),
        _ => report_type(tape, index, kind, code, at, problems),
    }
}

/// Walks a map. Members that are `null` count as absent.
fn map(tape: &mut Tape<'_>, index: usize, kind: &'static Kind, at: &Pointer<'_>, problems: &mut Problems) {
    merge_duplicates(tape, index);
    for member in members(tape, index) {
        let node = *tape.node(member);
        if node.kind == ValueKind::Null {
            ignore_member(tape, member);
        } else if node.occurs != Occurs::Ignored {
            let name = tape.name(member).to_owned();
            if node.occurs == Occurs::First {
                problems.add(&codes::JSON_DUPLICATE_MEMBER, &at.key(&name));
            }
            value(tape, member, kind, &codes::MSG_FIELD_TYPE, &at.key(&name), problems);
        }
    }
}

fn integer(
    tape: &mut Tape<'_>,
    index: usize,
    code: &'static Code,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    match number(tape.text(index)) {
        Some(number) if number.is_i64() => {}
        Some(number) if exceeds_i64(&number, code) => {
            let bound = if tape.text(index).starts_with('-') { MIN_INTEGER } else { MAX_INTEGER };
            tape.put_text(index, ValueKind::Number, bound);
        }
        _ => report_type(tape, index, &Kind::Integer, code, at, problems),
    }
}

/// The range of `i64`, as JSON.
const MIN_INTEGER: &str = "-9223372036854775808";
const MAX_INTEGER: &str = "9223372036854775807";

/// Whether a number exceeds `i64`, for a member whose own limits reject it.
fn exceeds_i64(number: &Number, code: &'static Code) -> bool {
    std::ptr::eq(code, &raw const codes::MESSENGER_B_TTL_NOT_INTEGER)
        && number.as_f64().is_some_and(|value| value.abs() >= i64::MAX as f64)
}

fn report_type(
    tape: &mut Tape<'_>,
    index: usize,
    kind: &'static Kind,
    code: &'static Code,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    let actual = actual(tape, index);
    let added = problems.report(code, at).param("expected", expected(kind)).param("actual", actual);
    if std::ptr::eq(code, &raw const codes::MSG_FIELD_TYPE) {
        added.message(format!("expected {}, got {actual}", expected(kind)));
    }
    // If an error is dropped, nothing reads the value.
    if !problems.has_dropped_errors() {
        put_neutral(tape, index, kind, problems.len());
    }
}

/// Replaces a value by a neutral one of its kind. A neutral object is not empty, because bulk requests ignore empty channel
/// objects. Neutral strings differ from each other and from real input, so that none is reported as a duplicate.
fn put_neutral(tape: &mut Tape<'_>, index: usize, kind: &Kind, number: usize) {
    let unique = format!("\u{10FFFF}{number}");
    let (kind, text) = match kind {
        Kind::OneOrMany(inner) => return put_neutral(tape, index, inner, number),
        Kind::Object(_) => return tape.put_object_of(index, "extra"),
        Kind::Boolean => (ValueKind::False, ""),
        Kind::Integer | Kind::Number => (ValueKind::Number, "0"),
        Kind::Map(_) => (ValueKind::Object, ""),
        Kind::Array(_) => (ValueKind::Array, ""),
        _ => (ValueKind::Text, unique.as_str()),
    };
    tape.put_text(index, kind, text);
}

/// The name of a documented type in messages.
const fn expected(kind: &Kind) -> &'static str {
    match kind {
        Kind::String | Kind::Enum(_) => type_names::STRING,
        Kind::Boolean => type_names::BOOLEAN,
        Kind::Integer => type_names::INTEGER,
        Kind::Number => type_names::NUMBER,
        Kind::Any => "any value",
        Kind::Scalar => "a number or a string",
        Kind::OneOrMany(inner) => expected(inner),
        Kind::Object(_) | Kind::Map(_) => type_names::OBJECT,
        Kind::Array(_) => type_names::ARRAY,
    }
}

/// The name of a value's type in messages.
pub(crate) fn actual(tape: &Tape<'_>, index: usize) -> &'static str {
    match tape.kind(index) {
        ValueKind::Null => type_names::NULL,
        ValueKind::True | ValueKind::False => type_names::BOOLEAN,
        ValueKind::Number => match number(tape.text(index)) {
            Some(number) if number.is_f64() => type_names::FRACTION,
            _ => type_names::INTEGER,
        },
        ValueKind::Text => type_names::STRING,
        ValueKind::Array => type_names::ARRAY,
        ValueKind::Object => type_names::OBJECT,
    }
}
