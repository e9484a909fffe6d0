//! Field order: problems are sorted in the order of the members of a model. This is the order of the specification, with required
//! members first. Problems of an object come before those of its members; undocumented members are last, by name.

use super::Problem;
use crate::schema::{Kind, Schema};
use crate::util::sorted;

/// Sorts problems into field order; problems with one pointer keep their order.
pub(crate) fn sort(problems: &mut Vec<Problem>, schema: &'static Schema) {
    *problems = arranged(std::mem::take(problems), 0, schema);
}

/// Sorts problems into field order. The first `typed` problems report invalid types; other problems at or below their
/// pointers are removed. Problems with one pointer keep their order.
pub(crate) fn arranged(problems: Vec<Problem>, typed: usize, schema: &'static Schema) -> Vec<Problem> {
    if problems.len() < 2 {
        return problems;
    }
    let mut ranked = Vec::with_capacity(problems.len());
    for problem in &problems {
        ranked.push((rank(&problem.pointer, schema), ranked.len()));
    }
    let mut found: Vec<Option<Problem>> = problems.into_iter().map(Some).collect();
    let mut kept: Vec<Problem> = Vec::with_capacity(found.len());
    // The last kept problem of an invalid type. In this order, the problems below its pointer come directly after it.
    let mut above: Option<usize> = None;
    for (_, at) in sorted(ranked) {
        let Some(problem) = found.get_mut(at).and_then(Option::take) else { continue };
        let is_below =
            above.and_then(|above| kept.get(above)).is_some_and(|above: &Problem| above.covers(&problem));
        if at < typed || !is_below {
            if at < typed && !is_below && problem.is_error() {
                above = Some(kept.len());
            }
            kept.push(problem);
        }
    }
    kept
}

impl Problem {
    /// Whether the pointer of another problem is the same or below it.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        let rest = other.pointer.strip_prefix(self.pointer.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// A key that sorts pointers in field order: for each step the position in four bytes and, for an undocumented member, its name
/// and a zero byte.
fn rank(pointer: &str, schema: &'static Schema) -> Vec<u8> {
    let mut kind = Some(Kind::Object(schema));
    let mut key = Vec::new();
    let mut rest = pointer.as_bytes();
    while let Some((_, steps)) = rest.split_first() {
        let end = steps.iter().position(|byte| *byte == b'/').unwrap_or(steps.len());
        let (token, behind) = steps.split_at_checked(end).unwrap_or_default();
        rest = behind;
        let (at, inner) = step(kind, token);
        let position = u32::try_from(at).unwrap_or(u32::MAX);
        key.extend_from_slice(&position.to_be_bytes());
        if position == u32::MAX {
            key.extend_from_slice(token);
            key.push(0);
        }
        kind = inner;
    }
    key
}

fn step(kind: Option<Kind>, token: &[u8]) -> (usize, Option<Kind>) {
    let found = match kind {
        Some(Kind::Object(schema)) => {
            let mut fields = schema.fields.iter().enumerate();
            let field = fields.find(|(_, field)| field.wire.as_bytes() == token);
            field.map(|(at, field)| (at, Some(field.kind)))
        }
        Some(Kind::Array(inner) | Kind::OneOrMany(inner)) => {
            Some((token.iter().fold(0, index), Some(*inner)))
        }
        // An element of a text with commas.
        Some(Kind::String) => Some((token.iter().fold(0, index), None)),
        _ => None,
    };
    found.unwrap_or((usize::MAX, None))
}

/// Adds a digit of an array index.
fn index(at: usize, digit: &u8) -> usize {
    at.wrapping_mul(10).wrapping_add(usize::from(digit & 15))
}
