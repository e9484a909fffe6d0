//! Field order: problems stand in the order of a model's members, which is that of the specification's tables with the
//! required ones first; those of an object before those of its members, members that nobody shows last, by name.

use std::borrow::Cow;

use super::Problem;
use crate::rules::repeats;
use crate::schema::{Kind, Schema};

/// Sorts problems into field order; those at one place keep the order of finding.
pub(crate) fn sort(problems: &mut Vec<Problem>, shape: &'static Schema) {
    *problems = arranged(std::mem::take(problems), 0, shape);
}

/// Problems in field order, of which the first `typed` say that a type is wrong: of what has a wrong type and what is below
/// it, nothing else is told. Those at one place keep the order of finding.
pub(crate) fn arranged(problems: Vec<Problem>, typed: usize, shape: &'static Schema) -> Vec<Problem> {
    if problems.len() < 2 {
        return problems;
    }
    let mut ranked = Vec::with_capacity(problems.len());
    for problem in &problems {
        ranked.push((Cow::Owned(rank(&problem.pointer, shape)), ranked.len()));
    }
    repeats::sort(&mut ranked);
    let mut found: Vec<Option<Problem>> = problems.into_iter().map(Some).collect();
    let mut kept: Vec<Problem> = Vec::with_capacity(found.len());
    // The last one that was kept for a wrong type: what is below it follows it.
    let mut above: Option<usize> = None;
    for (_, at) in ranked {
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
    /// Whether another one stands at its place or below it.
    fn covers(&self, other: &Self) -> bool {
        let rest = other.pointer.strip_prefix(self.pointer.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// A key that sorts as the pointers do: for each step four bytes of its place and, of a member without one, the
/// name with an end mark.
fn rank(pointer: &str, shape: &'static Schema) -> Vec<u8> {
    let mut kind = Some(Kind::Object(shape));
    let mut key = Vec::new();
    let mut rest = pointer.as_bytes();
    while let Some((_, steps)) = rest.split_first() {
        let end = steps.iter().position(|byte| *byte == b'/').unwrap_or(steps.len());
        let (token, behind) = steps.split_at_checked(end).unwrap_or_default();
        rest = behind;
        let (at, inner) = step(kind, token);
        let place = u32::try_from(at).unwrap_or(u32::MAX);
        key.extend_from_slice(&place.to_be_bytes());
        if place == u32::MAX {
            key.extend_from_slice(token);
            key.push(0);
        }
        kind = inner;
    }
    key
}

fn step(kind: Option<Kind>, token: &[u8]) -> (usize, Option<Kind>) {
    let place = match kind {
        Some(Kind::Object(shape)) => {
            let mut fields = shape.fields.iter().enumerate();
            let found = fields.find(|(_, field)| field.wire.as_bytes() == token);
            found.map(|(at, field)| (at, Some(field.kind)))
        }
        Some(Kind::Array(inner)) => Some((token.iter().fold(0, index), Some(*inner))),
        _ => None,
    };
    place.unwrap_or((usize::MAX, None))
}

/// Steps of an array are digits.
fn index(at: usize, digit: &u8) -> usize {
    at.wrapping_mul(10).wrapping_add(usize::from(digit & 15))
}
