//! The walk of a request over the table of its members: what has the wrong type is reported and
//! replaced by a neutral value, so that everything else can be checked in the same pass.

use std::borrow::Cow;

use super::tree::{Member, Occurs, Tree};
use crate::digits::Digits as _;
use crate::problem::{Code, Pointer, Problems, codes};
use crate::rules::repeats::repeats;
use crate::shape::{Field, Kind, Shape};
use crate::value::Number;

/// Walks an object; a known member that is `null` is absent and goes.
pub(super) fn object(
    members: &mut Vec<Member>,
    shape: &'static Shape,
    at: &Pointer<'_>,
    problems: &mut Problems,
) {
    let is_known = |member: &Member| member.name == "extra" || shape.typed(&member.name).is_some();
    unite(members);
    members.retain(|member| {
        member.occurs != Occurs::Again && !(matches!(member.value, Tree::Null) && is_known(member))
    });
    let mut seen: Vec<&'static str> = Vec::with_capacity(members.len());
    let mut is_twice = false;
    for member in members.iter_mut() {
        if member.occurs == Occurs::First {
            problems.add(&codes::JSON_DUPLICATE_MEMBER, &at.key(&member.name));
        }
        let Some(field) = shape.typed(&member.name) else { continue };
        if seen.contains(&field.wire) {
            problems.add(&codes::JSON_DUPLICATE_MEMBER, &at.key(field.wire));
            is_twice = true;
        }
        seen.push(field.wire);
        let at = at.key(field.wire);
        value(&mut member.value, field.kind, field_code(field), &at, problems);
    }
    if is_twice {
        one_spelling(members, shape);
    }
}

/// Of members of one name the first takes the value of the last, and the others lose theirs. A few are compared pair by
/// pair; of many the names are sorted, so that a large object costs little more than its size.
#[inline(never)]
fn unite(members: &mut [Member]) {
    const FEW: usize = 16;
    let (mut rest, mut is_apart) = (members.iter(), members.len() <= FEW);
    while let Some(member) = rest.next().filter(|_| is_apart) {
        is_apart = rest.as_slice().iter().all(|other| other.name != member.name);
    }
    if is_apart {
        return;
    }
    let mut names = Vec::with_capacity(members.len());
    for member in members.iter() {
        names.push((Cow::Borrowed(member.name.as_bytes()), names.len()));
    }
    for (at, first) in repeats(names) {
        let Some(again) = members.get_mut(at) else { continue };
        again.occurs = Occurs::Again;
        let last = std::mem::replace(&mut again.value, Tree::Null);
        if let Some(member) = members.get_mut(first) {
            member.value = last;
            member.occurs = Occurs::First;
        }
    }
}

/// Of two spellings of one member the last counts.
fn one_spelling(members: &mut Vec<Member>, shape: &'static Shape) {
    let mut seen: Vec<&'static str> = Vec::new();
    let mut index = members.len();
    while index > 0 {
        index -= 1;
        let field = members.get(index).and_then(|member| shape.field(&member.name));
        let Some(field) = field else { continue };
        if seen.contains(&field.wire) {
            members.remove(index);
        } else {
            seen.push(field.wire);
        }
    }
}

fn field_code(field: &Field) -> &'static Code {
    field.type_code.unwrap_or(&codes::MSG_FIELD_TYPE)
}

fn value(tree: &mut Tree, kind: Kind, code: &'static Code, at: &Pointer<'_>, problems: &mut Problems) {
    match (kind, &mut *tree) {
        (Kind::Any, _)
        | (Kind::String | Kind::Enum(_) | Kind::Scalar, Tree::Text(_))
        | (Kind::Boolean, Tree::Bool(_))
        | (Kind::Number | Kind::Scalar, Tree::Number(_)) => {}
        (Kind::Integer, Tree::Number(number)) if number.is_i64() => {}
        (Kind::Integer, Tree::Number(number)) if is_far(number, code) => *number = far(number).into(),
        (Kind::Object(shape), Tree::Object(members)) => object(members, shape, at, problems),
        (Kind::Array(inner) | Kind::OneOrMany(inner), Tree::Array(items)) => {
            for (index, item) in items.iter_mut().enumerate() {
                value(item, *inner, &codes::MSG_FIELD_TYPE, &at.index(index), problems);
            }
        }
        (Kind::Map(inner), Tree::Object(members)) => {
            unite(members);
            members.retain(|member| !matches!(member.value, Tree::Null));
            for member in members {
                if member.occurs == Occurs::First {
                    problems.add(&codes::JSON_DUPLICATE_MEMBER, &at.key(&member.name));
                }
                value(&mut member.value, *inner, &codes::MSG_FIELD_TYPE, &at.key(&member.name), problems);
            }
        }
        (Kind::OneOrMany(inner), other) => value(other, *inner, code, at, problems),
        _ => wrong(tree, kind, code, at, problems),
    }
}

/// A whole number beyond the type, for a member whose own limits refuse it.
fn is_far(number: &Number, code: &'static Code) -> bool {
    std::ptr::eq(code, &raw const codes::MESSENGER_B_TTL_NOT_INTEGER)
        && number.as_f64().is_some_and(|value| value.abs() >= i64::MAX as f64)
}

fn far(number: &Number) -> i64 {
    if number.as_f64().is_some_and(f64::is_sign_negative) { i64::MIN } else { i64::MAX }
}

#[inline(never)]
fn wrong(tree: &mut Tree, kind: Kind, code: &'static Code, at: &Pointer<'_>, problems: &mut Problems) {
    let added = problems.tell(code, at).param("expected", expected(kind)).param("actual", actual(tree));
    if std::ptr::eq(code, &raw const codes::MSG_FIELD_TYPE) {
        added.say(&[": here ", actual(tree), ", wanted ", expected(kind)]);
    }
    *tree = neutral(kind, problems.len());
}

/// A value of a kind that says nothing. A model is not empty, since an empty channel is none in bulk; texts differ from
/// each other and from what people write, so that none is a repeat.
fn neutral(kind: Kind, number: usize) -> Tree {
    match kind {
        Kind::Boolean => Tree::Bool(false),
        Kind::Integer | Kind::Number => Tree::Number(0.into()),
        Kind::Object(_) => Tree::Object(vec![Member::new("extra".to_owned(), Tree::Object(Vec::new()))]),
        Kind::Map(_) => Tree::Object(Vec::new()),
        Kind::Array(_) => Tree::Array(Vec::new()),
        Kind::OneOrMany(inner) => neutral(*inner, number),
        _ => Tree::Text(["\u{10FFFF}", &number.digits()].concat()),
    }
}

/// The kind that the specification shows, as JSON calls it.
const fn expected(kind: Kind) -> &'static str {
    match kind {
        Kind::String | Kind::Enum(_) => "a string",
        Kind::Boolean => "true or false",
        Kind::Integer => "a whole number",
        Kind::Number => "a number",
        Kind::Any => "anything",
        Kind::Scalar => "a number or a string",
        Kind::OneOrMany(inner) => expected(*inner),
        Kind::Object(_) | Kind::Map(_) => "an object",
        Kind::Array(_) => "an array",
    }
}

/// What stands there, as JSON calls it.
pub(super) fn actual(tree: &Tree) -> &'static str {
    match tree {
        Tree::Null => "null",
        Tree::Bool(_) => "true or false",
        Tree::Number(number) if number.is_f64() => "a number with a fraction",
        Tree::Number(_) => "a whole number",
        Tree::Text(_) => "a string",
        Tree::Array(_) => "an array",
        Tree::Object(_) => "an object",
    }
}
